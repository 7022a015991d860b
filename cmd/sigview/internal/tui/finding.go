package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/trace"
)

// finding is a finding of any grade.
type finding struct {
	grade trace.Grade
	cost  trace.Opt[float64] // share of the run time, where that is known
	waits float64            // ns beyond the baseline, of all packets together
	brief string
	rest  []string // sentences
	last  bool     // it rests on few packets, or is a wait shorter than the baseline's
	place Place    // where it is to be seen
}

// worth writes the finding's cost.
func (f finding) worth() string {
	switch {
	case f.cost.OK:
		return fmt.Sprintf("%.1f %%", 100*f.cost.Value)
	case f.waits > 0:
		return analysis.Time(f.waits)
	}
	return analysis.None
}

// text returns the whole finding.
func (f finding) text() string { return strings.Join(f.rest, " ") }

// rank makes the list of findings about the run, the worst first: by their share of the run
// time, and after these, those of which only is seen what packets wait.
func (d *Data) rank() {
	var out []finding
	for _, f := range d.Diagnosis.Findings {
		if (f.Level == analysis.Above || f.Level == analysis.Below) && f.Stage != trace.NetMinusLANai {
			out = append(out, d.seen(f))
		}
	}
	if d.explained != nil {
		for _, f := range d.explained.Findings {
			out = append(out, attributed(f))
		}
	}
	if d.tested != nil {
		out = append(out, costs(d.tested)...)
	}
	for _, r := range d.Run.Online {
		out = append(out, finding{
			grade: trace.Seen, brief: fmt.Sprintf("while it ran: %s, node %d at %s", r.Finding, r.Node, analysis.Instant(r.TimeNs)),
			rest:  analysis.OnlineLines([]trace.OnlineRow{r}),
			place: Place{"timeline", fmt.Sprintf("row=%d at=%d", r.Node, r.TimeNs)},
		})
	}
	slices.SortStableFunc(out, func(a, b finding) int {
		if a.last != b.last {
			return map[bool]int{true: 1, false: -1}[a.last]
		}
		return cmp.Or(cmp.Compare(b.cost.Value, a.cost.Value), cmp.Compare(b.waits, a.waits))
	})
	d.findings = out
}

// seen is the finding that a stage of a class deviates.
func (d *Data) seen(f analysis.Finding) finding {
	c := finding{
		grade: f.Grade, last: f.Weak || f.Level == analysis.Below, place: d.placeOf(f.Change), brief: f.Brief(), waits: f.Cost(),
		rest: []string{f.Sentence(len(d.tags) > 1)},
	}
	if f.Weak {
		c.brief += ", weak"
	}
	return c
}

// placeOf returns where a difference is to be seen: its stage at the size whose deviation
// costs the packets of its class most, or of which there are most packets.
func (d *Data) placeOf(f analysis.Change) Place {
	classes := sizesOf(d.Signature)
	best, most, packets := int64(maxBytes), -1.0, int64(0)
	for _, p := range d.bins[trace.Group{Tag: f.Tag, Kind: trace.AllKinds}] {
		of := classes[f.Class]
		if p.SizeHiBytes <= of.SizeLoBytes || p.SizeHiBytes > of.SizeHiBytes {
			continue
		}
		x := p.Stat(f.Stage)
		change := analysis.Change{DiffNs: x.DeviationNs, CountB: x.Count}
		if cost := change.Cost(); cost > most || cost == most && x.Count > packets {
			best, most, packets = p.SizeHiBytes, cost, x.Count
		}
	}
	return Place{"signature", fmt.Sprintf("tag=%d stage=%s size=%d", f.Tag, f.Stage, best)}
}

// attributed is a finding of a trace.
func attributed(f causal.Finding) finding {
	c := finding{grade: f.Grade, cost: trace.Some(f.Share), brief: f.Brief(), rest: []string{f.Text}}
	if f.At != nil {
		c.place = Place{"timeline", fmt.Sprintf("row=%d", *f.At)}
	}
	for _, k := range f.Commands {
		if k.Select != "" {
			c.place = Place{"timeline", k.Select}
		}
	}
	if len(f.Evidence) > 0 {
		c.rest = append([]string{"Longest: " + f.Evidence[0] + "."}, c.rest...)
	}
	return c
}

// splitPlace is where the answer of a test is to be seen.
var splitPlace = Place{"overview", "split=on"}

// costs lists the resources that are shown to cost run time, by program.
func costs(x *why.Explanation) (out []finding) {
	basis := "tested with " + analysis.Plural(len(x.Seeds), "seed")
	for _, t := range x.Targets {
		for _, e := range t.Effects {
			if !t.RunTime || e.How != why.Free || e.Part < 0 || !e.Shown() || e.Value <= 0 {
				continue
			}
			f := finding{grade: x.Grade, place: splitPlace}
			f.cost.Value, f.cost.OK = e.Value/t.MeanNs, true
			f.brief = fmt.Sprintf("%s saved when nothing waits for the %s, %s", analysis.Time(e.Value), x.Parts[e.Part].Noun(), basis)
			if len(x.Programs) > 1 {
				f.brief += ", of " + x.Programs[t.Tag]
			}
			f.rest = x.Summary()
			out = append(out, f)
		}
	}
	if out == nil {
		out = []finding{{grade: x.Grade, brief: "no single resource is shown to cost run time, " + basis, rest: x.Summary(), place: splitPlace}}
	}
	return out
}
