// Package chart describes a chart as plain data: axes with their scales, series of
// points that are drawn as marks, lines, bars and intervals, cells of a heat map, and
// named parts of an axis. The same chart is drawn as SVG, as PNG, and on the
// characters of a terminal (package cell).
//
// A chart is scaled once, by Chart.Fit. Draw then draws its parts in a fixed order on a
// surface of pixels or characters, which only paints.
//
// Chart.Draw returns the Field inside the axes, which maps values to columns and rows,
// so that a view of a terminal can add to the chart. Pictures that are no charts begin
// with Frame, which draws only the axes, or with Lanes, which draws a time axis below
// named lines.
//
// No two series differ by colour alone: each Look has a form of its own.
//
// Files, in reading order:
//   - pdf.go: a figure as PDF
//   - figure.go: a chart for print
//   - svg.go: a chart as SVG
//   - png.go: a chart as PNG
//   - picture.go: charts in pixels, for both
//   - cells.go: charts on characters, and their fields
//   - draw.go: the order in which a chart is drawn, on any surface
//   - chart.go: a chart as data
//   - look.go: forms and colours of series
//   - axis.go: scales, ranges and ticks
package chart
