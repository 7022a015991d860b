package report

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// The plots' geometry in pixels.
const (
	svgWidth   = 1000.0
	svgHeight  = 380.0
	svgTop     = 30.0
	svgBottom  = 330.0
	countLeft  = 55.0
	countRight = 370.0
	meanLeft   = 450.0
	meanRight  = 880.0
)

// svgSeries are the stages with the colours of Okabe and Ito and a shape each,
// so that colour does not stand alone.
var svgSeries = [...]struct {
	stage  trace.Stage
	colour string
	shape  string
}{
	{trace.Source, "#E69F00", "circle"}, {trace.LANai, "#56B4E9", "square"}, {trace.Net, "#009E73", "triangle"},
	{trace.Dest, "#D55E00", "diamond"}, {trace.NetMinusLANai, "#CC79A7", "cross"},
}

// scale maps a logarithm onto pixels.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 {
	return s.from + (math.Log10(v)-s.lo)/(s.hi-s.lo)*(s.to-s.from)
}

// svgFigure draws both plots side by side. Points are size bins, at their
// upper end; whiskers are 95 % intervals; hollow points are weak; dashed lines
// are the baseline.
func svgFigure(b *strings.Builder, rows []row) {
	fmt.Fprintf(b, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="Packets per size and mean latency by size">`+"\n", svgWidth, svgHeight)
	fmt.Fprintf(b, "<text x=\"%.0f\" y=\"18\">Packets per size</text><text x=\"%.0f\" y=\"18\">Mean latency, µs</text>\n", countLeft, meanLeft)
	svgCounts(b, rows)
	svgMeans(b, rows)
	b.WriteString("</svg>\n")
}

func sizeScale(from, to float64) scale {
	return scale{math.Log10(smallestSize) - 0.05, math.Log10(largestSize) + 0.05, from, to}
}

func svgAxes(b *strings.Builder, x, y scale, unit string) {
	fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1fH%.1f" fill="none" stroke="currentColor"/>`+"\n", x.from, svgTop, svgBottom, x.to)
	for size := smallestSize; size <= largestSize; size *= 2 {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>`+"\n", x.at(size), svgBottom+18, size)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">size, B</text>`+"\n", (x.from+x.to)/2, svgBottom+38)
	for k := math.Ceil(y.lo); k <= y.hi; k++ {
		at := y.at(math.Pow(10, k))
		fmt.Fprintf(b, `<path d="M%.1f %.1fH%.1f" stroke="currentColor" stroke-opacity=".2"/>`+"\n", x.from, at, x.to)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s%s</text>`+"\n", x.from-6, at+4, fmt.Sprintf("%g", math.Pow(10, k)), unit)
	}
}

func svgCounts(b *strings.Builder, rows []row) {
	most := 10.0
	for _, r := range rows {
		most = max(most, float64(r.count()))
	}
	// One packet stands a little above the axis, so that it is seen.
	x, y := sizeScale(countLeft, countRight), scale{-0.2, math.Log10(most) + 0.1, svgBottom, svgTop}
	svgAxes(b, x, y, "")
	for _, r := range rows {
		if n := r.count(); n > 0 {
			at := x.at(float64(r.SizeHiBytes))
			fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1f" stroke="currentColor" stroke-width="2"><title>%d-%d B: %d packets</title></path>`+"\n",
				at, svgBottom, y.at(float64(n)), r.SizeLoBytes+1, r.SizeHiBytes, n)
		}
	}
}

func svgMeans(b *strings.Builder, rows []row) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		for _, s := range r.stats {
			for _, v := range []trace.Opt[float64]{s.MeanNs, s.BaselineNs, s.CILoNs, s.CIHiNs} {
				if v.OK && v.Value > 0 {
					lo, hi = min(lo, math.Log10(v.Value/1000)), max(hi, math.Log10(v.Value/1000))
				}
			}
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	x, y := sizeScale(meanLeft, meanRight), scale{max(math.Floor(lo), hi-4), hi + 0.1, svgBottom, svgTop}
	svgAxes(b, x, y, "")
	for i, series := range svgSeries {
		fmt.Fprintf(b, `<g stroke="%s" fill="%s">`+"\n", series.colour, series.colour)
		svgBaseline(b, rows, series.stage, x, y)
		for _, r := range rows {
			s, _ := r.stat(series.stage)
			if s.MeanNs.OK && s.MeanNs.Value > 0 {
				svgPoint(b, r, s, series.shape, x, y)
			}
		}
		at := svgTop + 20*float64(i) + 10
		b.WriteString(shape(series.shape, meanRight+15, at, ""))
		fmt.Fprintf(b, "</g>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", meanRight+28, at+4, html.EscapeString(analysis.StageName(series.stage)))
	}
	at := svgTop + 20*float64(len(svgSeries)) + 10
	fmt.Fprintf(b, `<path d="M%.1f %.1fh20" stroke="currentColor" stroke-dasharray="4 3"/><text x="%.1f" y="%.1f">baseline</text>`+"\n", meanRight+5, at, meanRight+28, at+4)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f">hollow: weak</text>`+"\n", meanRight+5, at+24)
}

func svgBaseline(b *strings.Builder, rows []row, stage trace.Stage, x, y scale) {
	var path strings.Builder
	for _, r := range rows {
		s, _ := r.stat(stage)
		if !s.BaselineNs.OK || s.BaselineNs.Value <= 0 {
			continue
		}
		step := "L"
		if path.Len() == 0 {
			step = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", step, x.at(float64(r.SizeHiBytes)), min(y.at(s.BaselineNs.Value/1000), svgBottom))
	}
	if path.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke-dasharray="4 3"/>`+"\n", path.String())
	}
}

func svgPoint(b *strings.Builder, r row, s trace.Stat, form string, x, y scale) {
	px, py := x.at(float64(r.SizeHiBytes)), min(y.at(s.MeanNs.Value/1000), svgBottom)
	if s.CILoNs.OK && s.CILoNs.Value > 0 && s.CIHiNs.Value > 0 {
		fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1f"/>`, px, min(y.at(s.CILoNs.Value/1000), svgBottom), min(y.at(s.CIHiNs.Value/1000), svgBottom))
	}
	title := fmt.Sprintf("%s, %d-%d B: %s µs, baseline %s, deviation %s, interval of the mean %s to %s, %d packets",
		analysis.StageName(s.Stage), r.SizeLoBytes+1, r.SizeHiBytes, analysis.Us(s.MeanNs), analysis.Us(s.BaselineNs), analysis.SignedUs(s.DeviationNs), analysis.Us(s.CILoNs), analysis.Us(s.CIHiNs), s.Count)
	fill := ""
	if s.Weak {
		fill = ` fill="none"`
	}
	b.WriteString(strings.Replace(shape(form, px, py, fill), "/>", "><title>"+html.EscapeString(title)+"</title></path>", 1) + "\n")
}

// shape is a mark of about seven pixels.
func shape(form string, x, y float64, attributes string) string {
	var d string
	switch form {
	case "circle":
		d = fmt.Sprintf("M%.1f %.1fa3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0z", x-3.2, y)
	case "square":
		d = fmt.Sprintf("M%.1f %.1fh6v6h-6z", x-3, y-3)
	case "triangle":
		d = fmt.Sprintf("M%.1f %.1fl4 7h-8z", x, y-4)
	case "diamond":
		d = fmt.Sprintf("M%.1f %.1fl4 4l-4 4l-4 -4z", x, y-4)
	default:
		d = fmt.Sprintf("M%.1f %.1fl6 6m0 -6l-6 6", x-3, y-3)
	}
	return fmt.Sprintf(`<path d="%s"%s/>`, d, attributes)
}
