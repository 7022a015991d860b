package analysis

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/trace"
)

// ChangesView shows how each latency of each size class changed.
func ChangesView(list []Change) View {
	tagged := false
	for _, x := range list {
		tagged = tagged || x.Tag != list[0].Tag
	}
	count := func(name, key string, of func(Change) int64) Col[Change] {
		return Col[Change]{Column{Name: name, Key: key, Room: Wide}, func(x Change) Cell { return Cell{Text: strconv.FormatInt(of(x), 10), Value: of(x)} }}
	}
	return Tabulate(list,
		Hidden("tag", func(x Change) any { return x.Tag }),
		Col[Change]{Column{Name: "class", Key: "class", Left: true, Once: true}, func(x Change) Cell { return Cell{Text: x.where(tagged), Value: x.Class} }},
		Col[Change]{Column{Name: "stage", Key: "stage", Left: true}, func(x Change) Cell { return Cell{Text: x.StageName(), Value: x.Stage.String()} }},
		us("A", "mean_a_us", Us, func(x Change) trace.Opt[float64] { return x.MeanANs }),
		us("B", "mean_b_us", Us, func(x Change) trace.Opt[float64] { return x.MeanBNs }),
		us("diff", "difference_us", SignedUs, func(x Change) trace.Opt[float64] { return x.DiffNs }),
		Text("", func(x Change) string {
			if !x.DiffNs.OK {
				return None
			}
			return fmt.Sprintf("%+.0f%%", 100*x.Share())
		}),
		Col[Change]{Column{Key: "level", Left: true}, func(x Change) Cell { return Cell{Text: x.Level.Mark(), Value: x.Level, Level: x.Level} }},
		us("from", "ci_lo_us", SignedUs, func(x Change) trace.Opt[float64] { return x.CILoNs }),
		us("to", "ci_hi_us", SignedUs, func(x Change) trace.Opt[float64] { return x.CIHiNs }),
		Col[Change]{Column{Name: "effect", Key: "effect_size"}, func(x Change) Cell {
			if !x.Effect.OK {
				return Cell{Text: None}
			}
			return Cell{Text: fmt.Sprintf("%+.2f", x.Effect.Value), Value: x.Effect.Value}
		}},
		us("by sizes", "by_sizes_us", SignedUs, func(x Change) trace.Opt[float64] { return trace.Some(x.MixNs) }).In(Wide),
		count("packets A", "count_a", func(x Change) int64 { return x.CountA }),
		count("packets B", "count_b", func(x Change) int64 { return x.CountB }),
		said("warnings", func(x Change) (any, bool) { return x.Warnings, len(x.Warnings) > 0 }),
	).Noted("Times in µs. diff is B's mean minus what A's mean would be with B's packet sizes; from and to bound its 95% interval; effect is its size in standard deviations of one packet (Hedges' g): " +
		marks("up", "down") + ".")
}
