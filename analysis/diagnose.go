package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Finding is the diagnosis of one stage of one size class: its change from the
// baseline, A, to the measured mean, B.
type Finding struct {
	Change
	Grade trace.Grade
	Weak  bool // the mean rests on few packets
	// Candidates are, for a stage above its baseline, the resources in its path that the
	// run's specification has not freed.
	Candidates []trace.Resource
	Cause      string // what evidence of a higher grade says; empty without
	Unjudged   string // why the stage cannot be judged; empty when it can
}

// Diagnosis is a signature in words.
type Diagnosis struct {
	Findings []Finding // by tag, class and stage
	Summary  []string  // the findings that matter, the largest total time first
	Warnings []string
}

// Facts is what a diagnosis takes from a run beside its signature.
type Facts struct {
	// ClockError is by how much the clocks can make the mean latency of a size class between
	// nodes wrong, in ns; nil where clocks are not known.
	ClockError func(trace.Tag, string) float64
	Free       []trace.Resource // resources that nothing waited for
	Real       bool             // the run is one of real hosts, whose resources are not those of the model
	Dir        string           // where the run is stored; empty when it is not known
	Congestion Congestion
	// Evidence is what is known of causes beyond the histograms.
	Evidence []Evidence
}

// Evidence says why a stage of a class is above its baseline.
type Evidence struct {
	Tag   trace.Tag
	Class string
	Stage trace.Stage
	Grade trace.Grade
	Cause string // a sentence without its full stop
}

// resting returns the finding on the evidence of the highest grade. Without any, it names
// candidates.
func (f Finding) resting(facts Facts) Finding {
	if facts.Real {
		f.Cause = "Stamps of real hosts do not show what packets wait for"
		return f
	}
	f.Candidates = trace.InPath(f.Stage, facts.Free)
	for _, e := range facts.Evidence {
		if e.Tag == f.Tag && e.Class == f.Class && e.Stage == f.Stage && e.Grade > f.Grade {
			f.Grade, f.Cause, f.Candidates = e.Grade, e.Cause, nil
		}
	}
	return f
}

// FactsOf returns the facts of a run.
func FactsOf(run trace.Run) Facts {
	return Facts{ClockError: ClockErrors(run), Free: run.Manifest.Uncontended(), Real: run.Manifest.Real(), Dir: run.Dir, Congestion: CongestionOf(run)}
}

// Diagnose says for each stage of each size class whether it deviates from its
// baseline and by how much. The baseline is that of the same packet sizes and, for
// programs with operations, of the same kinds and predecessors. Histograms cannot show
// which resource packets have waited for, so that findings name candidates only.
func Diagnose(s Signature, facts Facts) Diagnosis {
	var d Diagnosis
	for _, p := range s.ByClass() {
		if !whole(p.Group) {
			continue
		}
		for _, x := range p.Stats {
			f := judge(trace.ClassRow{Group: p.Group, Class: p.Class, Stat: x}, facts)
			if !p.Meaningful(x.Stage) {
				f.Level, f.Unjudged = Unclear, meaningless
			}
			if f.Level == Above {
				f = f.resting(facts)
			}
			d.Findings = append(d.Findings, f)
		}
	}
	d.summarize(len(s.Tags()) > 1)
	d.Summary = append(d.Summary, kindsInWords(s)...)
	d.Summary = append(d.Summary, facts.Congestion.Lines()...)
	d.Summary = append(d.Summary, d.next(facts)...)
	d.Warnings = append([]string(nil), s.Warnings...)
	return d
}

func judge(r trace.ClassRow, facts Facts) Finding {
	f := Finding{Change: Change{
		Tag: r.Tag, Class: r.Class, Stage: r.Stage, Real: facts.Real, CountB: r.Count, MeanANs: r.BaselineNs, MeanBNs: r.MeanNs,
		DiffNs: r.DeviationNs, CILoNs: r.DeviationCILoNs, CIHiNs: r.DeviationCIHiNs, Level: Unclear,
	}}
	if r.Weak {
		f.Weak = true
		f.Warnings = append(f.Warnings, fmt.Sprintf("weak: rests on %d packets", r.Count))
	}
	if r.Note != "" {
		f.Warnings = append(f.Warnings, r.Note)
	}
	if r.BaselineNote != "" {
		f.Warnings = append(f.Warnings, r.BaselineNote)
	}
	if !r.DeviationNs.OK {
		f.Unjudged = "no baseline to judge by"
		return f
	}
	if !f.CILoNs.OK {
		f.Unjudged = "no interval"
		return f
	}
	f.Level = LevelOf(r.Stat)
	crossing := r.Stage == trace.Net || r.Stage == trace.NetMinusLANai
	if crossing && facts.ClockError != nil && f.Level != Within {
		if bound := facts.ClockError(r.Tag, r.Class); math.Abs(f.DiffNs.Value) <= bound {
			f.Warnings = append(f.Warnings, fmt.Sprintf("not above the %.2f µs by which the clocks' errors can make this mean wrong", bound/1000))
		}
	}
	return f
}

// next names the command that shows which candidates are causes, if there are any.
func (d Diagnosis) next(facts Facts) []string {
	some := slices.ContainsFunc(d.Findings, func(f Finding) bool { return len(f.Candidates) > 0 })
	if !some {
		return nil
	}
	return []string{fmt.Sprintf("What a stage can be waiting for are candidates (%v): the histograms of a run cannot show which resource packets have waited for. `sigview why %s` runs the program with each resource free and shows it.",
		trace.Seen, cmp.Or(facts.Dir, "DIR"))}
}

// summarize groups the classes of a stage with the same finding, and orders the groups
// by the total time that the deviation costs their packets.
func (d *Diagnosis) summarize(severalTags bool) {
	var groups [][]Finding
	for _, f := range d.Findings {
		if f.Level != Above && f.Level != Below {
			continue
		}
		i := 0
		for i < len(groups) && !groups[i][0].alike(f) {
			i++
		}
		if i == len(groups) {
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	sort.SliceStable(groups, func(i, j int) bool { return cost(groups[i]) > cost(groups[j]) })
	for _, g := range groups {
		d.Summary = append(d.Summary, sentence(g, severalTags))
	}
	if len(groups) > 0 {
		return
	}
	unclear := 0
	for _, f := range d.Findings {
		if f.Level == Unclear {
			unclear++
		}
	}
	switch {
	case len(d.Findings) == 0:
		d.Summary = []string{"No packets were recorded, so nothing can be said."}
	case unclear > 0:
		d.Summary = []string{fmt.Sprintf("No stage is shown to deviate; %d of %d means cannot be judged.", unclear, len(d.Findings))}
	default:
		d.Summary = []string{fmt.Sprintf("No stage deviates from its baseline by more than %.0f%%.", 100*materialShare)}
	}
}

func (f Finding) alike(g Finding) bool {
	return f.Tag == g.Tag && f.Stage == g.Stage && f.Level == g.Level && f.Cause == g.Cause
}

// cost returns the total time in ns that the deviations of a group cost its packets.
func cost(group []Finding) float64 {
	var sum float64
	for _, f := range group {
		sum += f.Cost()
	}
	return sum
}

// sentence says for a group of classes what deviates, by how much, and which resources
// can be the cause.
func sentence(group []Finding, tagged bool) string {
	f := group[0]
	var b strings.Builder
	if tagged {
		fmt.Fprintf(&b, "Tag %d: ", f.Tag)
	}
	fmt.Fprintf(&b, "%s is %s its baseline", f.StageName(), f.Level)
	for i, g := range group {
		sep := ";"
		if i == 0 {
			sep = ":"
		}
		diff := WithUnit(SignedUs(g.DiffNs), "µs")
		fmt.Fprintf(&b, "%s %s %s (%+.0f%%, interval %s to %s)", sep, g.Class,
			diff, 100*g.Share(), Beside(diff, SignedUs(g.CILoNs)), Beside(diff, SignedUs(g.CIHiNs)))
	}
	b.WriteString(". ")
	switch {
	case f.Level == Below:
		b.WriteString("These packets take less time than single messages of their sizes on idle nodes.")
	case f.Cause != "":
		fmt.Fprintf(&b, "%s (%v).", f.Cause, f.Grade)
	case len(f.Candidates) == 0:
		b.WriteString("Every resource in its path is free in this run.")
	default:
		b.WriteString("It can be waiting for the " + alternatives(f.Candidates) + ".")
	}
	for _, g := range group {
		for _, w := range g.Warnings {
			fmt.Fprintf(&b, " Warning, %s: %s.", g.Class, w)
		}
	}
	return b.String()
}

// Sentence says what deviates, by how much, and which resources can be the cause. With
// tagged it names the program's tag.
func (f Finding) Sentence(tagged bool) string { return sentence([]Finding{f}, tagged) }

// alternatives joins the names of resources by commas and "or".
func alternatives(list []trace.Resource) string {
	var names []string
	for _, r := range list {
		names = append(names, trace.Noun(r))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// kindsInWords says for each program with operations which kinds of packets deviate from
// those of operations on idle nodes.
func kindsInWords(s Signature) []string {
	var out []string
	for _, tag := range s.Tags() {
		kinds, off := 0, []string(nil)
		for _, p := range s.ByKind() {
			if p.Tag != tag || p.Kind == trace.AllKinds || p.First.OK || p.Stats[0].BaselineFrom != trace.BaselineIdle {
				continue
			}
			kinds++
			var stages []string
			for _, x := range p.Stats {
				if l := LevelOf(x); (l == Above || l == Below) && p.Meaningful(x.Stage) {
					stages = append(stages, fmt.Sprintf("%s %s", p.StageName(x.Stage), Percent(x.DeviationNs, x.BaselineNs)))
				}
			}
			if stages != nil {
				off = append(off, p.Kind+" ("+strings.Join(stages, ", ")+")")
			}
		}
		who := "By kind"
		if len(s.Tags()) > 1 {
			who = fmt.Sprintf("Tag %d by kind", tag)
		}
		switch {
		case kinds == 0:
		case off == nil:
			out = append(out, fmt.Sprintf("%s, compared with operations played one at a time on two idle nodes: none of the %d kinds of packets deviates by more than %.0f%%.", who, kinds, 100*materialShare))
		default:
			out = append(out, fmt.Sprintf("%s, compared with operations played one at a time on two idle nodes: %d of the %d kinds of packets deviate by more than %.0f%%: %s.", who, len(off), kinds, 100*materialShare, strings.Join(off, "; ")))
		}
	}
	return out
}
