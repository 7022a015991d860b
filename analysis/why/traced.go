package why

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Traced is what the trace of one run says of a part, in ns.
type Traced struct {
	OnPathNs float64 // of the critical path, with a wait for the part on it
	SavedNs  float64 // by a replay of the trace in which nobody waits for it
}

// disagreement is the share of the run time from which a difference between replay and runs is mentioned.
const disagreement = 0.05

// Compared says in sentences whether runs and the trace of one of them agree on which part saves most run time,
// and on how much each part saves. If not, it says why. It returns nil without a trace and with several
// programs.
func (x Explanation) Compared() (out []string) {
	if len(x.Traced) != len(x.Parts) || len(x.Programs) != 1 || len(x.Parts) == 0 {
		return nil
	}
	t := x.of(0)[0]
	tested, replayed := x.ranking(t)
	if len(tested) == 0 || x.Traced[replayed[0].Part].SavedNs <= 0 {
		return nil
	}
	first, other := tested[0], replayed[0]
	if first.Part == other.Part || !below(x.effectOf(tested, other.Part), first) {
		out = append(out, fmt.Sprintf("The trace agrees that freeing the %s saves most: %s of the run time in runs, %s in the replay of one (attributed).",
			x.Parts[other.Part].Noun(), share(x.effectOf(tested, other.Part).Value, t), share(x.Traced[other.Part].SavedNs, t)))
	} else {
		out = append(out, fmt.Sprintf("Trace and ablation disagree: freeing the %s saves most in runs, %s of the run time, and the %s in the replay of one run, %s.%s",
			x.Parts[first.Part].Noun(), share(first.Value, t), x.Parts[other.Part].Noun(), share(x.Traced[other.Part].SavedNs, t),
			x.reasons(t, first)+x.reasons(t, x.effectOf(tested, other.Part))))
	}
	for _, e := range tested {
		if d := x.Traced[e.Part].SavedNs - e.Value; math.Abs(d) > disagreement*t.MeanNs && !within(e.Estimate, x.Traced[e.Part].SavedNs) {
			out = append(out, fmt.Sprintf("Trace and ablation disagree about the %s: runs save %s, the replay %s.%s",
				x.Parts[e.Part].Noun(), share(e.Value, t), share(x.Traced[e.Part].SavedNs, t), x.reasons(t, e)))
		}
	}
	return out
}

// ranking returns the effects of freeing each part alone on the run time t, twice: sorted by what runs save,
// and by what the replay saves, the largest first.
func (x Explanation) ranking(t Target) (tested, replayed []Effect) {
	for _, e := range t.Effects {
		if e.How == Free {
			tested = append(tested, e)
		}
	}
	replayed = slices.Clone(tested)
	slices.SortStableFunc(tested, func(a, b Effect) int { return cmp.Compare(b.Value, a.Value) })
	slices.SortStableFunc(replayed, func(a, b Effect) int { return cmp.Compare(x.Traced[b.Part].SavedNs, x.Traced[a.Part].SavedNs) })
	return tested, replayed
}

// effectOf returns the effect of a part, which has to be in the list.
func (x Explanation) effectOf(list []Effect, part int) Effect {
	return list[slices.IndexFunc(list, func(e Effect) bool { return e.Part == part })]
}

// below reports whether effect a is less than b: their intervals do not overlap. Without intervals it compares
// the values.
func below(a, b Effect) bool {
	if !a.Hi.OK || !b.Lo.OK {
		return a.Value < b.Value
	}
	return a.Hi.Value < b.Lo.Value
}

// within reports whether v is in the interval of e. Without an interval it is not.
func within(e Estimate, v float64) bool { return e.Lo.OK && e.Lo.Value <= v && v <= e.Hi.Value }

// share writes ns in per cent of the run time t.
func share(ns float64, t Target) string { return fmt.Sprintf("%.1f%%", 100*ns/t.MeanNs) }

// reasons returns sentences on why runs and trace can disagree about a part: other work, waits that overlap,
// interactions, and transfers that are faster over a free bus.
func (x Explanation) reasons(t Target, e Effect) string {
	var out []string
	traced, noun := x.Traced[e.Part], x.Parts[e.Part].Noun()
	if base, n := x.packets(Variant{}), x.packets(Alone(e.Part)); math.Abs(n-base) > otherWork*base {
		out = append(out, fmt.Sprintf("Without waiting for the %s the runs send %+.1f%% packets: they do other work.", noun, 100*(n/base-1)))
	}
	if most := max(traced.SavedNs, e.Value); traced.OnPathNs > 2*most && traced.OnPathNs-most > 0.01*t.MeanNs {
		out = append(out, fmt.Sprintf("Waiting for the %s has %s of the critical path, most of which overlaps with something longer.", noun, share(traced.OnPathNs, t)))
	}
	for _, i := range t.Interactions {
		if i.Part == e.Part && i.Shown() && math.Abs(i.Value) > 0.01*t.MeanNs {
			out = append(out, fmt.Sprintf("The %s interacts with others: freed alone it saves %s, freed last %s.", noun, share(i.Alone, t), share(i.Last, t)))
		}
	}
	if e.Value > traced.SavedNs && slices.ContainsFunc(x.Parts[e.Part], func(r trace.Resource) bool { return r == trace.PCI || r == trace.MemBus }) {
		out = append(out, fmt.Sprintf("Over a free %s single transfers are faster too, which a trace does not tell.", noun))
	}
	if out == nil {
		return fmt.Sprintf(" For the %s nothing in the runs or the trace shows why.", noun)
	}
	return " " + strings.Join(out, " ")
}
