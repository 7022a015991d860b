package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/trace"
)

// Change is how one stage of one size class differs from run A to run B.
type Change struct {
	Tag            trace.Tag
	Class          string
	Stage          trace.Stage
	Real           bool // B is of real hosts
	CountA, CountB int64
	MeanANs        trace.Opt[float64]
	MeanBNs        trace.Opt[float64]
	// DiffNs is B's mean less what A's would be with B's packet sizes, and has the
	// interval. MixNs is the rest of the difference of the means, which is due to
	// the sizes alone.
	DiffNs         trace.Opt[float64]
	MixNs          float64
	CILoNs, CIHiNs trace.Opt[float64]
	Effect         trace.Opt[float64] // Hedges' g: DiffNs in standard deviations of one packet, or of one run
	RunToRun       bool               // the interval and Effect are over several runs a side
	Level          Level              // of B against A
	Warnings       []string
}

// Share returns the difference as a share of A's mean at the same sizes.
func (c Change) Share() float64 {
	base := math.Abs(c.MeanBNs.Value - c.DiffNs.Value)
	if base == 0 {
		return 0
	}
	return c.DiffNs.Value / base
}

// Cost is the size of the difference times the number of packets, in ns.
func (c Change) Cost() float64 { return math.Abs(float64(c.DiffNs.Value * float64(c.CountB))) }

// Changes compares run B with run A, stage by stage in each size class, for the tags that both
// have. Packets are compared at the same sizes. It returns an error if no tag is in both, or if
// run A has classes of one but no rows of its sizes.
func Changes(a, b Signature) (out []Change, err error) {
	for _, tag := range b.Tags() {
		if !slices.Contains(a.Tags(), tag) {
			continue
		}
		base, err := reference(a, tag)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		out = append(out, changes(tag, a, b, base)...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("compare: tags %v and %v, wanted one that both runs have", a.Tags(), b.Tags())
	}
	return out, nil
}

func changes(tag trace.Tag, a, b Signature, base Baseline) (out []Change) {
	first := map[string]trace.Stat{}
	key := func(r trace.ClassRow) string { return r.Class + "\x00" + r.Stage.String() }
	for _, r := range a.Classes {
		if r.Tag == tag && whole(r.Group) {
			first[key(r)] = r.Stat
		}
	}
	sizes := newMixes(a)
	for _, r := range b.Against(base).Classes {
		if r.Tag != tag || !whole(r.Group) {
			continue
		}
		old, both := first[key(r)]
		delete(first, key(r))
		// A bin that straddles two classes has one mean for both, so that A's bins
		// do not give A's own mean exactly. This removes the error.
		if own, _, ok := base.mix(r.Stage, sizes.class(r.Group, r.Class, r.Stage)); ok && both {
			shift(&r.Stat, own.value-old.MeanNs.Value)
		}
		out = append(out, change(r, old, both, b.Real))
	}
	for _, r := range a.Classes {
		if old, left := first[key(r)]; left && r.Tag == tag && whole(r.Group) {
			out = append(out, Change{
				Tag: tag, Class: r.Class, Stage: r.Stage, Real: b.Real, CountA: old.Count, MeanANs: old.MeanNs, Level: Unclear,
				Warnings: []string{"the second run has no such packets"},
			})
		}
	}
	return out
}

func shift(s *trace.Stat, byNs float64) {
	for _, v := range []*trace.Opt[float64]{&s.DeviationNs, &s.DeviationCILoNs, &s.DeviationCIHiNs} {
		if v.OK {
			v.Value += byNs
		}
	}
}

func change(r trace.ClassRow, old trace.Stat, both, real bool) Change {
	c := judge(r, Facts{Real: real}).Change
	c.CountA, c.MeanANs = old.Count, old.MeanNs
	if !both {
		c.Level = Unclear
		c.Warnings = append(c.Warnings, "the first run has no such packets")
		return c
	}
	if old.Weak {
		c.Warnings = append(c.Warnings, fmt.Sprintf("weak: the first run has %d packets", old.Count))
	}
	if c.DiffNs.OK && old.MeanNs.OK {
		c.MixNs = r.MeanNs.Value - old.MeanNs.Value - c.DiffNs.Value
	}
	c.Effect = hedges(c.DiffNs, old, r.Stat)
	return c
}

// hedges returns the difference in pooled standard deviations of one packet, with
// Hedges' correction for few packets.
func hedges(diff trace.Opt[float64], a, b trace.Stat) trace.Opt[float64] {
	df := a.Count + b.Count - 2
	if !diff.OK || !a.VarianceNs2.OK || !b.VarianceNs2.OK || df < 1 {
		return trace.Opt[float64]{}
	}
	pooled := (float64(float64(a.Count-1)*a.VarianceNs2.Value) + float64(float64(b.Count-1)*b.VarianceNs2.Value)) / float64(df)
	if pooled <= 0 {
		return trace.Opt[float64]{}
	}
	return trace.Some(diff.Value / math.Sqrt(pooled) * (1 - 3/float64(4*df-1)))
}

// where says which packets changed, with their tag if there are several.
func (c Change) where(tagged bool) string {
	if tagged {
		return fmt.Sprintf("tag %d, %s", c.Tag, c.Class)
	}
	return c.Class
}
