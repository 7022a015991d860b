package data

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

// Worth writes the finding's cost: where it lies between bounds, both.
func (f Finding) Worth() string {
	switch {
	case f.Least.Value < f.Most.Value:
		return fmt.Sprintf("%.1f–%.1f %%", 100*f.Least.Value, 100*f.Most.Value)
	case f.Cost.OK:
		return fmt.Sprintf("%.1f %%", 100*f.Cost.Value)
	case f.Waits > 0:
		return analysis.Time(f.Waits)
	}
	return analysis.None
}

// Text returns the whole finding.
func (f Finding) Text() string { return strings.Join(f.rest, " ") }

// Rank makes the list of findings about the run, the worst first: outliers, then by their share of the run
// time, and after these, those of which only is seen what packets wait.
func (d *Data) Rank() {
	var out []Finding
	for _, f := range d.Diagnosis.Findings {
		if (f.Level == analysis.Above || f.Level == analysis.Below) && f.Stage != trace.NetMinusLANai {
			out = append(out, d.seen(f))
		}
	}
	if d.Explained != nil {
		for _, f := range d.Explained.Findings {
			out = append(out, attributed(f))
		}
	}
	if d.Tested != nil {
		out = append(out, costs(d.Tested)...)
	}
	out = append(out, observed(d.Run.Manifest.Seen)...)
	for _, r := range d.Run.Online {
		out = append(out, Finding{
			Grade: trace.Seen, Brief: fmt.Sprintf("while it ran: %s, node %d at %s", r.Finding, r.Node, analysis.Instant(r.TimeNs)),
			rest:  analysis.OnlineLines([]trace.OnlineRow{r}),
			Place: Place{View: "timeline", Sel: fmt.Sprintf("row=%d at=%d", r.Node, r.TimeNs)},
		})
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		if a.Last != b.Last {
			return map[bool]int{true: 1, false: -1}[a.Last]
		}
		if a.Outlier != b.Outlier {
			return map[bool]int{true: -1, false: 1}[a.Outlier]
		}
		return cmp.Or(cmp.Compare(b.Cost.Value, a.Cost.Value), cmp.Compare(b.Waits, a.Waits))
	})
	d.Findings = out
}

// seen is the finding that a stage of a class deviates.
func (d *Data) seen(f analysis.Finding) Finding {
	c := Finding{
		Grade: f.Grade, Last: f.Weak || f.Level == analysis.Below, Place: d.PlaceOf(f.Change), Brief: f.Brief(), Waits: f.Cost(),
		rest: []string{f.Sentence(len(d.Tags) > 1)},
	}
	if f.Weak {
		c.Brief += ", weak"
	}
	return c
}

// observed are the findings of what the kernel was seen to do with messages of programs as they are.
func observed(all []trace.Observed) (out []Finding) {
	for _, o := range all {
		said := analysis.Seen([]trace.Observed{o})
		if len(said) == 0 {
			continue
		}
		f := Finding{Grade: trace.Seen, Brief: strings.TrimSuffix(said[0], "."), rest: said, Waits: analysis.PerMessage(o) * float64(o.Of), Place: Place{View: "signature"}}
		for _, stage := range trace.RecordedStages() {
			if strings.HasPrefix(said[0], analysis.StageName(stage, true)+":") {
				f.Place.Sel = "stage=" + stage.String()
			}
		}
		out = append(out, f)
	}
	return out
}

// PlaceOf returns where a difference is to be seen: its stage at the size whose deviation
// costs the packets of its class most, or of which there are most packets.
func (d *Data) PlaceOf(f analysis.Change) Place {
	classes := SizesOf(d.Signature)
	best, most, packets := int64(MaxBytes), -1.0, int64(0)
	for _, p := range d.Bins[trace.Group{Tag: f.Tag, Kind: trace.AllKinds}] {
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
	return Place{View: "signature", Sel: fmt.Sprintf("tag=%d stage=%s size=%d", f.Tag, f.Stage, best)}
}

// attributed is a finding of a trace.
func attributed(f causal.Finding) Finding {
	c := Finding{
		Grade: f.Grade, Outlier: f.Outlier, Last: f.Rest, Cost: trace.Some(f.Share), Least: trace.Some(f.LeastShare), Most: trace.Some(f.MostShare),
		Brief: f.Brief(), rest: []string{strings.TrimSpace(f.Text + " " + f.More)},
	}
	if f.At != nil {
		c.Place = Place{View: "timeline", Sel: fmt.Sprintf("row=%d", *f.At)}
	}
	if see := f.See(); see.Select != "" {
		c.Place = Place{View: "timeline", Sel: see.Select}
	}
	if len(f.Evidence) > 0 {
		c.rest = append([]string{"Longest: " + f.Evidence[0] + "."}, c.rest...)
	}
	return c
}

// SplitPlace is where the answer of a test is to be seen.
var SplitPlace = Place{View: "overview", Sel: "split=on"}

// costs lists the resources that are shown to cost run time, by program.
func costs(x *why.Explanation) (out []Finding) {
	basis := "tested with " + analysis.Plural(len(x.Seeds), "seed")
	for _, t := range x.Targets {
		for _, e := range t.Effects {
			if !t.RunTime || e.How != why.Free || e.Part < 0 || !e.Shown() || e.Value <= 0 {
				continue
			}
			f := Finding{Grade: x.Grade, Place: SplitPlace}
			f.Cost.Value, f.Cost.OK = e.Value/t.MeanNs, true
			f.Brief = fmt.Sprintf("%s saved when nothing waits for the %s, %s", analysis.Time(e.Value), x.Parts[e.Part].Noun(), basis)
			if len(x.Programs) > 1 {
				f.Brief += ", of " + x.Programs[t.Tag]
			}
			f.rest = x.Summary()
			out = append(out, f)
		}
	}
	if out == nil {
		out = []Finding{{Grade: x.Grade, Brief: "no single resource is shown to cost run time, " + basis, rest: x.Summary(), Place: SplitPlace}}
	}
	return out
}
