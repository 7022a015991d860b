package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/logp"
)

// FunctionsView returns the table of the parameters at powers of two, with the gap by saturation if it was
// measured.
func FunctionsView(x *LogP) analysis.View {
	var rows []Size
	saturated := false
	for _, s := range x.Sizes {
		if logp.First(s.SizeBytes) {
			rows = append(rows, s)
		}
		saturated = saturated || s.Saturation != nil
	}
	cols := []analysis.Col[Size]{
		size(),
		figure("o_s", func(s Size) logp.Estimate { return s.Os }),
		figure("o_r", func(s Size) logp.Estimate { return s.Or }),
		figure("g", func(s Size) logp.Estimate { return s.G }),
	}
	note := fmt.Sprintf("Times in µs by message size, 0 for an empty message; %d sizes between these are in the files. Rounds are pairs of round trips.", len(x.Sizes)-len(rows))
	if saturated {
		cols = append(cols,
			figure("saturation", func(s Size) logp.Estimate { return maybe(s.Saturation) }),
			analysis.Text("off", func(s Size) string {
				if off, ok := s.OffPct(); ok {
					return fmt.Sprintf("%+.1f%%", off)
				}
				return analysis.None
			}))
		note += " Saturation is the gap of long trains, off how far it lies above g."
	}
	cols = append(cols,
		figure("RTT", func(s Size) logp.Estimate { return s.RTT }),
		analysis.Text("rounds", func(s Size) string { return strconv.Itoa(s.Rounds) }))
	return analysis.Tabulate(rows, cols...).Noted(note)
}

// OffPct returns the relative difference of the gap by saturation from that by round trips, in per cent. ok is
// false if either is not known.
func (s Size) OffPct() (pct float64, ok bool) {
	if s.Saturation == nil || !s.Saturation.OK() || s.Params == nil || !s.G.OK() || s.G.Value == 0 {
		return 0, false
	}
	return 100 * (s.Saturation.Value/s.G.Value - 1), true
}

// CostsView returns the table of what the parts of a measurement took.
func CostsView(all []Cost) analysis.View {
	return analysis.Tabulate(all,
		analysis.Text("<part", func(c Cost) string { return c.Part }),
		analysis.Text("simulated, s", func(c Cost) string { return strconv.FormatFloat(c.TookS, 'g', 4, 64) }),
		analysis.Text("messages", func(c Cost) string { return analysis.Digits(c.Messages) }),
		analysis.Text("bytes", func(c Cost) string { return analysis.Digits(c.Bytes) }),
	).Noted("Time on the measured machine, and the messages of both sides.")
}

// Gain returns the time that saturation takes for the gap of the first sizes over the time that the fast method
// takes for all their parameters. It is 0 without saturation.
func (p *Parameterized) Gain() float64 {
	if len(p.Costs) < 4 {
		return 0
	}
	return p.Costs[3].TookS / (p.Costs[0].TookS + p.Costs[1].TookS)
}

// SwappedView returns the table of the parameters at powers of two with the roles of the nodes swapped.
func SwappedView(p *Parameterized) analysis.View {
	rows := slices.DeleteFunc(slices.Clone(p.Swapped.Sizes), func(s Size) bool { return !logp.First(s.SizeBytes) })
	return analysis.Tabulate(rows, size(),
		figure("o_s", func(s Size) logp.Estimate { return s.Os }),
		figure("o_r", func(s Size) logp.Estimate { return s.Or }),
		figure("g", func(s Size) logp.Estimate { return s.G }),
	).Noted("The same with the roles of the two nodes swapped.")
}

// Asymmetry returns the largest relative difference of g between the two directions, and its message size. Only
// sizes count at which the intervals of both do not overlap.
func (x *LogP) Asymmetry() (part float64, bytes int) {
	for _, s := range x.Sizes {
		i := slices.IndexFunc(x.Parameterized.Swapped.Sizes, func(o Size) bool { return o.SizeBytes == s.SizeBytes })
		if i < 0 || !s.G.OK() || s.G.Value == 0 {
			continue
		}
		if other := x.Parameterized.Swapped.Sizes[i].G; other.OK() && (other.Lo > s.G.Hi || other.Hi < s.G.Lo) {
			if d := math.Abs(other.Value/s.G.Value - 1); d > part {
				part, bytes = d, s.SizeBytes
			}
		}
	}
	return part, bytes
}
