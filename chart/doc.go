// Package chart describes a chart as plain data: axes with their scales, curves,
// bars, intervals and named parts of an axis. A chart is drawn as SVG, as PNG, and
// on the cells of a terminal.
package chart
