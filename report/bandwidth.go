package report

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
)

// Bandwidth is one or more measurements of bandwidth by the same test.
type Bandwidth struct {
	Seed    uint64
	Results []bench.Bandwidth
}

func (r Bandwidth) title() string { return "Bandwidth of " + bench.Common(bench.Places(r.Results)) }

// tests explains the figures of each bandwidth test.
var tests = map[string]string{
	"pingpong":       "size over one-way time, which is half of the round trip",
	"unidirectional": "a stream from one node to another",
	"simultaneous":   "two opposite streams, both directions together",
}

func (r Bandwidth) blocks(bool) []block {
	test := r.Results[0].Test
	out := []block{
		heading(1, r.title()),
		para(fmt.Sprintf("Test %s: %s. Seed %d.", test, tests[test], r.Seed)),
		view(bench.BandwidthView(r.Results)),
	}
	for _, c := range BandwidthCharts(r.Results) {
		out = append(out, figure(c))
	}
	var all []string
	for _, x := range r.Results {
		for _, w := range x.Warnings {
			all = append(all, x.Place.String()+": "+w)
		}
	}
	return append(out, warnings(all)...)
}
