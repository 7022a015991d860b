package why

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// How is a kind of change, and with it the meaning of its effect.
type How uint8

// The changes.
const (
	Free        How = iota // the resource alone is free: what that saves
	AllButOne              // all others are free: what the resource still costs
	TwiceAsFast            // the resource alone is twice as fast: what that saves
	Absent                 // another program is absent: what that saves
	All                    // everything is free: what that saves
	Share                  // Shapley: the mean of what freeing the resource saves over all orders of freeing
)

var hows = names.NewEnum[How]("change", "free", "all_but_one", "twice_as_fast", "absent", "all_free", "shapley")

// String returns the change as documents name it, such as "all_but_one".
func (h How) String() string { return hows.Name(h) }

// everything is the name of all parts together.
const everything = "everything"

// theRest is the name of all parts outside Study.Shared together.
const theRest = "the rest"

// Explanation is a study with the effects of its changes.
type Explanation struct {
	Study
	Grade   trace.Grade
	Targets []Target // by program: the run time, then latencies, those that cost most first
	Traced  []Traced // by part, of one of the runs; nil without a trace
}

// Target is a time that is explained: the run time of a program, or the mean latency of a stage for one size
// class.
type Target struct {
	Tag     int
	RunTime bool
	Class   string
	Stage   trace.Stage
	Packets float64 // of a run
	// MeanNs is the run time, or the mean latency. Excess is its part over the baseline, of
	// the run time that over a run with everything free.
	MeanNs float64
	Excess Estimate
	// Material is set if the excess is shown to be more than a tenth of the baseline and
	// costs more than a hundredth of all packets' excess. That of a run time always is.
	Material     bool
	Effects      []Effect
	Interactions []Interaction
}

// Effect is by how many ns a change makes a target shorter. For AllButOne it is by how many ns the part makes
// it longer when all others are free.
type Effect struct {
	Part int    // of the study; -1: none
	Name string // of the part, of a program that is absent or computes twice as fast, or Everything or Rest
	How  How
	Estimate
}

// Interaction is how much a part interacts with others. Alone is what freeing it alone saves, Last what it
// costs when all others are free, and the estimate is Alone − Last. It is 0 for a part that interacts with
// none.
type Interaction struct {
	Part        int
	Name        string
	Alone, Last float64 // ns
	Estimate
}

// String returns "run_time", or the stage and class as conditions of sigview diff name them:
// "source@under_128".
func (t Target) String() string {
	if t.RunTime {
		return "run_time"
	}
	return fmt.Sprintf("%v@%s", t.Stage, t.Class)
}

// Share returns ns as a share of the excess, unknown if the excess is not above 0.
func (t Target) Share(ns float64) trace.Opt[float64] {
	if t.Excess.Value <= 0 {
		return trace.Opt[float64]{}
	}
	return trace.Some(ns / t.Excess.Value)
}

// Effect returns the effect of a change of a part. part is -1 for changes of no single part.
func (t Target) Effect(part int, how How) (Effect, bool) {
	i := slices.IndexFunc(t.Effects, func(e Effect) bool { return e.Part == part && e.How == how })
	if i < 0 {
		return Effect{}, false
	}
	return t.Effects[i], true
}

// Explain returns the effects of all changes that were run. s needs the runs as they are, Outcomes[Variant{}],
// of each seed.
func Explain(s Study) Explanation {
	x := Explanation{Study: s, Grade: trace.Tested}
	for tag := range s.Programs {
		x.Targets = append(x.Targets, s.latencies(tag)...)
	}
	x.Warnings = append(slices.Clone(s.Warnings), s.doubts()...)
	return x
}

// latencies returns the targets of program tag: its run time, and its latencies with the largest cost first.
func (s *Study) latencies(tag int) []Target {
	base := s.Outcomes[Variant{}]
	run := Target{Tag: tag, RunTime: true, Material: true, Packets: s.packets(Variant{})}
	run.MeanNs = over(s.times(Variant{}, run)).Value
	s.split(&run)
	var list []Target
	total := 0.0
	for _, c := range base[0].Programs[tag].Cells {
		t := Target{Tag: tag, Class: c.Class, Stage: c.Stage}
		excess := s.times(Variant{}, t)
		if excess == nil {
			continue // not in the runs of all seeds
		}
		t.Excess = over(excess)
		var baseline float64
		for _, o := range base {
			own := o.Programs[tag].cell(c.Class, c.Stage)
			t.Packets += float64(own.Count) / float64(len(base))
			baseline += own.BaselineNs / float64(len(base))
		}
		t.MeanNs = baseline + t.Excess.Value
		t.Material = t.Excess.Lo.OK && t.Excess.Lo.Value > 0.1*math.Abs(baseline) || !t.Excess.Lo.OK && t.Excess.Value > 0.1*math.Abs(baseline)
		if c.Stage != trace.NetMinusLANai {
			total += max(t.cost(), 0)
		}
		s.split(&t)
		list = append(list, t)
	}
	for i := range list {
		list[i].Material = list[i].Material && list[i].cost() > 0.01*total
	}
	slices.SortStableFunc(list, func(a, b Target) int { return cmp.Compare(b.cost(), a.cost()) })
	return append([]Target{run}, list...)
}

// cost returns the excess of all packets of the target in a run, in ns.
func (t Target) cost() float64 { return float64(t.Excess.Value * t.Packets) }

// split fills in the effects and interactions of a target, each a mean of differences between runs of the same
// seed. A change that was not run has no effect. For a run time it also sets Excess: what everything free
// saves.
func (s *Study) split(t *Target) {
	add := func(part int, name string, how How, from, to Variant) []float64 {
		a, b := s.times(from, *t), s.times(to, *t)
		if a == nil || b == nil {
			return nil
		}
		d := less(a, b)
		t.Effects = append(t.Effects, Effect{part, name, how, over(d)})
		return d
	}
	asItIs, n := Variant{}, len(s.Parts)
	free := Variant{Free: First(n)}
	if !s.Single() {
		if all := add(-1, everything, All, asItIs, free); all != nil && t.RunTime {
			t.Excess = over(all)
		}
	}
	for i := range s.Parts {
		name := s.name(i)
		alone := add(i, name, Free, asItIs, Alone(i))
		if s.Single() {
			continue
		}
		last := add(i, name, AllButOne, Last(i, n), free)
		add(i, name, TwiceAsFast, asItIs, Fast(i))
		if alone != nil && last != nil {
			t.Interactions = append(t.Interactions, Interaction{i, name, over(alone).Value, over(last).Value, over(less(alone, last))})
		}
	}
	for i, name := range s.Programs {
		if i != t.Tag {
			add(-1, name, Absent, asItIs, Gone(i))
		}
		add(-1, name, TwiceAsFast, asItIs, Quick(i))
	}
	t.Effects = append(t.Effects, s.shares(*t)...)
}

// shares returns the Shapley values of the parts in Shared and of the rest, with intervals over seeds. It
// returns none if a set of them was not run.
func (s *Study) shares(t Target) (out []Effect) {
	if s.Shared == nil {
		return nil
	}
	n := len(s.Shared) + 1
	shares := make([][]float64, n)
	for seed := range s.Seeds {
		for i, v := range shapley(n, func(set Set) float64 {
			times := s.times(Variant{Free: s.Union(set)}, t)
			if times == nil {
				return math.NaN()
			}
			return -times[seed]
		}) {
			shares[i] = append(shares[i], v)
		}
	}
	for i, v := range shares {
		e := Effect{Part: -1, Name: theRest, How: Share, Estimate: over(v)}
		if math.IsNaN(e.Value) {
			return nil
		}
		if i < len(s.Shared) {
			e.Part, e.Name = s.Shared[i], s.Parts[s.Shared[i]].Name()
		}
		out = append(out, e)
	}
	return out
}

// Union returns the parts that a set of players frees. Player i is the part Shared[i]; player len(Shared) is
// all parts outside Shared.
func (s *Study) Union(players Set) Set {
	var out Set
	if players.Has(len(s.Shared)) {
		out = First(len(s.Parts))
	}
	for i, part := range s.Shared {
		if out = out.Without(part); players.Has(i) {
			out = out.With(part)
		}
	}
	return out
}

// Leading returns at most n parts with the largest shown effect, alone or last, as a share of an excess. Run
// times count in full. A latency counts by its cost over the largest cost of a latency in its program.
func (x Explanation) Leading(n int) []int {
	most := make([]float64, len(x.Parts))
	worst := map[int]float64{} // by program
	for _, t := range x.Targets {
		if !t.RunTime {
			worst[t.Tag] = max(worst[t.Tag], t.cost())
		}
	}
	for _, t := range x.Targets {
		weight := 1.0
		if !t.RunTime {
			weight = t.cost() / worst[t.Tag]
		}
		for _, e := range t.Effects {
			if share := t.Share(e.Value); t.Material && e.Part >= 0 && (e.How == Free || e.How == AllButOne) && share.OK && e.Shown() {
				most[e.Part] = max(most[e.Part], weight*share.Value)
			}
		}
	}
	var parts []int
	for i, share := range most {
		if share > leastShare {
			parts = append(parts, i)
		}
	}
	slices.SortStableFunc(parts, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	return parts[:min(n, len(parts))]
}

// leastShare is the smallest share of an excess that is mentioned.
const leastShare = 0.1

// times returns for each seed the run time or the excess of the latency, in ns. It returns nil if the variant
// was not run, leaves the program out, or has a run without such packets.
func (s *Study) times(v Variant, t Target) []float64 {
	runs := s.Outcomes[v]
	if len(runs) == 0 || v.Absent == t.Tag+1 {
		return nil
	}
	tag := t.Tag
	if v.Absent > 0 && v.Absent-1 < tag {
		tag-- // programs after the absent one have the tag before theirs
	}
	var out []float64
	for _, o := range runs {
		p := o.Programs[tag]
		if t.RunTime {
			out = append(out, p.RunTimeNs)
			continue
		}
		c := p.cell(t.Class, t.Stage)
		if c == nil {
			return nil
		}
		out = append(out, c.ExcessNs)
	}
	return out
}

// cell returns the latency of a stage for a class, nil if the run has no such packets.
func (p Program) cell(class string, stage trace.Stage) *Cell {
	i := slices.IndexFunc(p.Cells, func(c Cell) bool { return c.Class == class && c.Stage == stage })
	if i < 0 {
		return nil
	}
	return &p.Cells[i]
}

// packets returns the packets of a run of a variant, as the mean over seeds.
func (s *Study) packets(v Variant) float64 {
	var sum float64
	for _, o := range s.Outcomes[v] {
		sum += float64(o.Packets)
	}
	return sum / float64(max(len(s.Outcomes[v]), 1))
}

// otherWork is the share by which a changed run may send more or fewer packets and still count as the same
// work.
const otherWork = 0.02

// doubts returns warnings: for a single seed, for variants that send more or fewer packets, and for wrong
// results.
func (s *Study) doubts() (out []string) {
	if len(s.Seeds) < 2 {
		out = append(out, "one seed: no effect has an interval, and none is shown to differ from zero; two seeds are the least")
	}
	base := s.packets(Variant{})
	for _, v := range slices.SortedFunc(s.variants(), order) {
		if n := s.packets(v); v.Absent == 0 && math.Abs(n-base) > otherWork*base {
			out = append(out, fmt.Sprintf("%s: the runs send %+.1f%% packets, so that their means are of other work", s.Label(v), 100*(n/base-1)))
		}
		for i, o := range s.Outcomes[v] {
			if o.Wrong != "" {
				out = append(out, fmt.Sprintf("%s, seed %d: the result is wrong: %s", s.Label(v), s.Seeds[i], o.Wrong))
			}
		}
	}
	return out
}

// variants iterates over the variants that were run, in no order.
func (s *Study) variants() func(func(Variant) bool) {
	return func(yield func(Variant) bool) {
		for v := range s.Outcomes {
			if !yield(v) {
				return
			}
		}
	}
}

// order compares variants: by the free parts, then the faster part, then the absent program, then the faster one.
func order(a, b Variant) int {
	return cmp.Or(cmp.Compare(a.Free, b.Free), cmp.Compare(a.Faster, b.Faster), cmp.Compare(a.Absent, b.Absent), cmp.Compare(a.Quick, b.Quick))
}
