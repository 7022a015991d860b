package analysis

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Finding is the diagnosis of one stage of one size class: its change from the
// baseline, A, to the measured mean, B.
type Finding struct {
	Change
	Certainty string // in words
	Meaning   string // what it means; empty when the stage does not deviate
}

// Diagnosis is a signature in words.
type Diagnosis struct {
	Findings []Finding // by tag, class and stage
	Summary  []string  // the findings that matter, the largest total time first
	Warnings []string
}

// Clock is what is known about the global clock's error.
type Clock struct {
	BoundNs trace.Opt[float64] // error bound of a typical conversion
}

// ClockOf returns the clock's error from a manifest.
func ClockOf(m trace.Manifest) (c Clock) {
	if b := m.Clock.MedianBoundNs; b != nil {
		c.BoundNs = trace.Some(*b)
	}
	return c
}

// Diagnose says for each stage of each size class whether it deviates from its
// baseline, by how much, with what certainty, and what that means. The baseline is that
// of the same packet sizes and, for programs with operations, of the same kinds and
// predecessors. The meanings are:
//
//   - Net less LANai up: network contention
//   - Net alone up: contention inside the interface
//   - Source up: I/O-bus or memory-bus contention, or requests queueing
//   - Dest up: I/O-bus contention at the receiver
func Diagnose(s Signature, clock Clock) Diagnosis {
	var d Diagnosis
	for _, p := range s.ByClass() {
		if whole(p.Group) {
			d.Findings = append(d.Findings, diagnoseClass(p, clock)...)
		}
	}
	d.summarize(len(s.Tags()) > 1)
	d.Summary = append(d.Summary, kindsInWords(s)...)
	d.Warnings = append([]string(nil), s.Warnings...)
	return d
}

func diagnoseClass(p Packets, clock Clock) []Finding {
	var findings []Finding
	var up [trace.NumStages + 1]bool
	for _, s := range p.Stats {
		f := judge(trace.ClassRow{Group: p.Group, Class: p.Class, Stat: s}, clock)
		up[f.Stage] = f.Level == Above
		findings = append(findings, f)
	}
	for i := range findings {
		if f := &findings[i]; f.Level == Above {
			f.Meaning = meaning(f.Stage, up, f.Share())
		}
	}
	return findings
}

func judge(r trace.ClassRow, clock Clock) Finding {
	f := Finding{Change: Change{
		Tag: r.Tag, Class: r.Class, Stage: r.Stage, CountB: r.Count, MeanANs: r.BaselineNs, MeanBNs: r.MeanNs,
		DiffNs: r.DeviationNs, CILoNs: r.DeviationCILoNs, CIHiNs: r.DeviationCIHiNs, Level: Unclear,
	}}
	if r.Weak {
		f.Warnings = append(f.Warnings, fmt.Sprintf("weak: rests on %d packets", r.Count))
	}
	if r.Note != "" {
		f.Warnings = append(f.Warnings, r.Note)
	}
	if r.BaselineNote != "" {
		f.Warnings = append(f.Warnings, r.BaselineNote)
	}
	if !r.DeviationNs.OK {
		f.Certainty = "no baseline to judge by"
		return f
	}
	if !f.CILoNs.OK {
		f.Certainty = "not certain: no interval"
		return f
	}
	f.Level = LevelOf(r.Stat)
	lo, hi := f.CILoNs.Value, f.CIHiNs.Value
	f.Certainty = certainty(f.DiffNs.Value, (hi-lo)/2)
	crossing := r.Stage == trace.Net || r.Stage == trace.NetMinusLANai
	if crossing && clock.BoundNs.OK && f.Level != Within && math.Abs(f.DiffNs.Value) <= clock.BoundNs.Value {
		f.Warnings = append(f.Warnings, fmt.Sprintf(
			"not above the clock's error bound of %.2f µs, which cancels only if both directions carry the same traffic", clock.BoundNs.Value/1000))
	}
	return f
}

// certainSpans is the least number of half intervals of a certain deviation. Beyond one
// it is likely, because the interval then excludes zero.
const certainSpans = 3

// certainty says in words how far a deviation is from zero.
func certainty(deviation, half float64) string {
	switch spans := math.Abs(deviation) / half; {
	case half == 0, spans >= certainSpans:
		return "certain"
	case spans > 1:
		return "likely"
	default:
		return "not certain"
	}
}

// meaning names the cause that a raised stage points to, given the other stages of the
// same packets.
func meaning(stage trace.Stage, up [trace.NumStages + 1]bool, share float64) string {
	switch stage {
	case trace.Source:
		text := "I/O-bus or memory-bus contention at the sender, or requests queueing at its interface"
		if up[trace.LANai] {
			return text + "; LANai is up too, so requests wait behind injections"
		}
		if share > 1 {
			return text + "; a mean more than doubled points to the queue"
		}
		return text
	case trace.LANai:
		if up[trace.NetMinusLANai] {
			return "packets wait to be injected while the network is contended: back-pressure reaches the sender's interface"
		}
		return "contention inside the sender's interface: packets wait for its processor or send engine"
	case trace.Net:
		if up[trace.NetMinusLANai] {
			return "network contention (Net less LANai is up too)"
		}
		return "contention inside the interface (Net less LANai is not up)"
	case trace.NetMinusLANai:
		return "network contention: packets are held up on links, at ports, or by a receiving interface that is busy"
	case trace.Dest:
		return "I/O-bus or memory-bus contention at the receiver"
	}
	panic(fmt.Sprintf("analysis: stage %v has no meaning", stage))
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
		d.Summary = []string{fmt.Sprintf("Nothing deviates for certain; %d of %d means cannot be judged.", unclear, len(d.Findings))}
	default:
		d.Summary = []string{fmt.Sprintf("No stage deviates from its baseline by more than %.0f%%.", 100*materialShare)}
	}
}

func (f Finding) alike(g Finding) bool {
	return f.Tag == g.Tag && f.Stage == g.Stage && f.Level == g.Level && f.Meaning == g.Meaning
}

// cost returns the total time in ns that the deviations of a group cost its packets.
func cost(group []Finding) float64 {
	var sum float64
	for _, f := range group {
		sum += f.Cost()
	}
	return sum
}

// sentence says for a group of classes what deviates, by how much, with what certainty,
// and what it means.
func sentence(group []Finding, tagged bool) string {
	f := group[0]
	var b strings.Builder
	if tagged {
		fmt.Fprintf(&b, "Tag %d: ", f.Tag)
	}
	fmt.Fprintf(&b, "%s is %s its baseline", StageName(f.Stage), f.Level)
	for i, g := range group {
		sep := ";"
		if i == 0 {
			sep = ":"
		}
		fmt.Fprintf(&b, "%s %s %+.2f µs (%+.0f%%, interval %+.2f to %+.2f, %s)", sep, g.Class,
			g.DiffNs.Value/1000, 100*g.Share(), g.CILoNs.Value/1000, g.CIHiNs.Value/1000, g.Certainty)
	}
	b.WriteString(". ")
	if f.Meaning != "" {
		fmt.Fprintf(&b, "It means %s.", f.Meaning)
	} else {
		b.WriteString("These packets met less contention than those of the baseline; check that both are from the same platform.")
	}
	for _, g := range group {
		for _, w := range g.Warnings {
			fmt.Fprintf(&b, " Warning, %s: %s.", g.Class, w)
		}
	}
	return b.String()
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
				if l := LevelOf(x); l == Above || l == Below {
					stages = append(stages, fmt.Sprintf("%s %s", StageName(x.Stage), Percent(x.DeviationNs, x.BaselineNs)))
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

// StageName returns the name of a stage in prose and headings.
func StageName(s trace.Stage) string {
	names := [...]string{trace.Source: "Source", trace.LANai: "LANai", trace.Net: "Net", trace.Dest: "Dest", trace.NetMinusLANai: "Net−LANai"}
	if int(s) < len(names) {
		return names[s]
	}
	return s.String()
}
