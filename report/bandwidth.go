package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis/bench"
)

// Bandwidth is one or more measurements of bandwidth by the same test.
type Bandwidth struct {
	Seed    uint64
	Results []bench.Bandwidth
}

// BandwidthText is the measurements for a terminal.
func BandwidthText(r Bandwidth, s Style) string { return s.render(r.blocks()) }

// BandwidthMarkdown is the measurements as a Markdown page.
func BandwidthMarkdown(r Bandwidth) string { return markdown(r.blocks()) }

// BandwidthHTML is the measurements as one page that needs nothing else.
func BandwidthHTML(r Bandwidth) string { return page(r.title(), r.blocks()) }

func (r Bandwidth) title() string { return "Bandwidth of " + commonPlace(r.places()) }

func (r Bandwidth) places() []bench.Place {
	return placesOf(r.Results, func(x bench.Bandwidth) bench.Place { return x.Place })
}

// testFigures says what the figures of a bandwidth test are.
var testFigures = map[string]string{
	"pingpong":       "size over one-way time, which is half of the round trip",
	"unidirectional": "a stream from one node to another",
	"simultaneous":   "two opposite streams, both directions together",
}

func (r Bandwidth) blocks() []block {
	test := r.Results[0].Test
	out := []block{
		heading{1, r.title()},
		para{fmt.Sprintf("Test %s: %s. Seed %d.", test, testFigures[test], r.Seed)},
	}
	if len(r.Results) == 1 {
		out = append(out, bandwidthTable(&r.Results[0]))
	} else {
		out = append(out, r.comparison())
	}
	for _, c := range BandwidthCharts(r.Results) {
		out = append(out, c)
	}
	var warnings []string
	for _, x := range r.Results {
		for _, w := range x.Warnings {
			warnings = append(warnings, placeName(x.Place)+": "+w)
		}
	}
	if len(warnings) > 0 {
		out = append(out, heading{2, "Warnings"}, bullets{warnings})
	}
	return out
}

func bandwidthTable(x *bench.Bandwidth) grid {
	g := grid{head: []string{"size, B", "MB/s"}, left: []bool{false, false}, note: "MB/s are millions of bytes a second."}
	oneWay := x.Test == "pingpong"
	if oneWay {
		g.head, g.left = append(g.head, "RTT/2, µs"), append(g.left, false)
	}
	for _, p := range x.Points {
		line := []string{strconv.FormatInt(p.SizeBytes, 10), bench.Digits(p.MBps)}
		if oneWay {
			text := "-"
			if p.OneWayUs != nil {
				text = bench.Digits(*p.OneWayUs)
			}
			line = append(line, text)
		}
		g.rows = append(g.rows, line)
	}
	return g
}

func (r Bandwidth) comparison() grid {
	g := grid{head: []string{"size, B"}, left: make([]bool, len(r.Results)+1), note: "Millions of bytes a second; - not measured.", cut: true}
	g.head = append(g.head, shortNames(r.places())...)
	var sizes []int64
	for _, x := range r.Results {
		for _, p := range x.Points {
			sizes = append(sizes, p.SizeBytes)
		}
	}
	slices.Sort(sizes)
	for _, n := range slices.Compact(sizes) {
		line := []string{strconv.FormatInt(n, 10)}
		for _, x := range r.Results {
			text := "-"
			for _, p := range x.Points {
				if p.SizeBytes == n {
					text = bench.Digits(p.MBps)
				}
			}
			line = append(line, text)
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// BandwidthCharts are bandwidth, and one-way time where it was measured,
// against size.
func BandwidthCharts(results []bench.Bandwidth) []Chart {
	names := shortNames(Bandwidth{Results: results}.places())
	rate := Chart{Name: "bandwidth", Title: "Bandwidth, " + results[0].Test, XName: sizeAxis, YName: "MB/s"}
	oneWay := Chart{Name: "one-way", Title: "One-way time, half of the round trip", XName: sizeAxis, YName: "µs", LogY: true}
	for i, x := range results {
		a, b := Curve{Name: names[i]}, Curve{Name: names[i]}
		for _, p := range x.Points {
			a.Dots = append(a.Dots, Dot{float64(p.SizeBytes), p.MBps, p.MBps, p.MBps})
			if p.OneWayUs != nil {
				b.Dots = append(b.Dots, Dot{float64(p.SizeBytes), *p.OneWayUs, *p.OneWayUs, *p.OneWayUs})
			}
		}
		rate.Curves, oneWay.Curves = append(rate.Curves, a), append(oneWay.Curves, b)
	}
	out := []Chart{rate}
	if !oneWay.empty() {
		out = append(out, oneWay)
	}
	return out
}
