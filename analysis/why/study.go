package why

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Study is runs of the same programs with the same seeds: as they are, and with changes.
type Study struct {
	Workload string
	Platform trace.Platform
	Nodes    int
	At       []int    // nodes at which resources become free; none: at all
	Port     string   // the only port that becomes free, which is the only part; "": none
	Program  string   // the only program that is absent or faster, without parts; "": none
	Programs []string // by tag
	Parts    []Part
	Seeds    []uint64
	Outcomes map[Variant][]Outcome // by seed
	// Shared are the parts whose shares are to sum to the whole, with all others as one
	// more; nil if no such shares are asked for.
	Shared   []int
	Warnings []string
}

// Part is resources that become free together. Most parts are one resource.
type Part []trace.Resource

// Name returns the resources as --uncontended takes them, separated by commas.
func (p Part) Name() string {
	var names []string
	for _, r := range p {
		names = append(names, string(r))
	}
	return strings.Join(names, ",")
}

// Noun returns the resources in words, for a sentence.
func (p Part) Noun() string {
	noun := trace.Noun(p[0])
	for _, r := range p[1:] {
		noun = strings.Replace(noun, " and ", ", ", 1) + " and " + trace.Noun(r)
	}
	return noun
}

// Single reports whether the study is of one port or program.
func (s *Study) Single() bool { return s.Port != "" || s.Program != "" }

// name returns a part as tables name it.
func (s *Study) name(part int) string {
	if s.Port != "" {
		return s.Port
	}
	return s.Parts[part].Name()
}

// InPath reports whether packets use a resource of the part during the stage.
func (p Part) InPath(s trace.Stage) bool {
	return slices.ContainsFunc(trace.InPath(s, nil), func(r trace.Resource) bool { return slices.Contains(p, r) })
}

// Set is a set of parts by index, a bit for each; of at most 32 parts.
type Set uint32

// With returns the set and one part more.
func (s Set) With(part int) Set { return s | 1<<part }

// Without returns the set without one part.
func (s Set) Without(part int) Set { return s &^ (1 << part) }

// Has reports whether a part is in the set.
func (s Set) Has(part int) bool { return s&(1<<part) != 0 }

// First returns the set of the first n parts.
func First(n int) Set { return 1<<n - 1 }

// Variant is one change of the runs. The zero value is no change.
type Variant struct {
	Free   Set // parts that nothing waits for
	Faster int // 1 + index of the part that is twice as fast; 0: none
	Absent int // 1 + index of the program that is left out; 0: none
	Quick  int // 1 + index of the program that computes twice as fast; 0: none
}

// Alone frees one part.
func Alone(part int) Variant { return Variant{Free: Set(0).With(part)} }

// Last frees all of a number of parts but one.
func Last(part, parts int) Variant { return Variant{Free: First(parts).Without(part)} }

// Fast makes one part twice as fast.
func Fast(part int) Variant { return Variant{Faster: part + 1} }

// Gone leaves one program out.
func Gone(program int) Variant { return Variant{Absent: program + 1} }

// Quick makes one program compute twice as fast.
func Quick(program int) Variant { return Variant{Quick: program + 1} }

// Label returns a variant in words: "all but pci free".
func (s *Study) Label(v Variant) string {
	var free []string
	for i, p := range s.Parts {
		if v.Free.Has(i) {
			free = append(free, p.Name())
		}
	}
	switch n := len(s.Parts); {
	case v.Faster > 0:
		return s.Parts[v.Faster-1].Name() + " twice as fast"
	case v.Absent > 0:
		return "without " + s.Programs[v.Absent-1]
	case v.Quick > 0:
		return s.Programs[v.Quick-1] + " computes twice as fast"
	case v.Free == 0:
		return "as it is"
	case s.Port != "":
		return s.Port + " free"
	case v.Free == First(n):
		return "everything free"
	case len(free) == n-1 && n > 2:
		i := slices.IndexFunc(s.Parts, func(p Part) bool { return !slices.Contains(free, p.Name()) })
		return "all but " + s.Parts[i].Name() + " free"
	}
	return strings.Join(free, ",") + " free"
}

// Outcome is the result of one run.
type Outcome struct {
	EventDigest string
	Packets     int64
	Wrong       string // what is wrong with the result of the programs; empty when it was verified
	Programs    []Program
	Congestion  []string `json:",omitempty"` // what switches with buffers have counted, in words
}

// Program is the result of one program in a run.
type Program struct {
	Name      string
	RunTimeNs float64
	Cells     []Cell
}

// Cell is one mean latency of a program's packets of a size class, in ns. Only packets with a baseline count.
type Cell struct {
	Class                string
	Stage                trace.Stage
	Count                int64
	BaselineNs, ExcessNs float64 // the mean is their sum
}

// OutcomeOf returns the outcome of a run. Its signature has to have baselines.
func OutcomeOf(run *trace.Run) Outcome {
	m := run.Manifest
	out := Outcome{EventDigest: m.EventDigest, Packets: m.Packets, Congestion: analysis.CongestionOf(*run).Lines()}
	if !m.Verified {
		out.Wrong = m.Verification
	}
	for _, t := range m.Tags {
		p := Program{Name: t.Name, RunTimeNs: float64(t.RunTimeNs)}
		for _, r := range run.Classes {
			if r.Tag == t.Tag && r.Kind == trace.AllKinds && !r.First.OK && r.DeviationNs.OK {
				p.Cells = append(p.Cells, Cell{r.Class, r.Stage, r.Count, r.BaselineNs.Value, r.DeviationNs.Value})
			}
		}
		out.Programs = append(out.Programs, p)
	}
	return out
}
