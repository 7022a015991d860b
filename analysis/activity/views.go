package activity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
)

// Activity is the phases and bursts of a run.
type Activity struct {
	Phases []Phase   // in order of time
	ByRate bool      // they are by the rate of packets, because the run has no barriers
	Bursts []Burst   // those with the most packets beyond the mean, of which is known what they are
	More   int       // bursts beside these
	Length int64     // of the run in ns
	Dir    string    // how commands call the run's directory
	Silent []Silence `json:"-"` // in which a node may have stopped
}

// Part returns the begin and the end of phase number in ps. 0 is the whole run. It returns an error for a
// number that no phase has.
func (a Activity) Part(number int) (from, to int64, err error) {
	const ns = 1000
	switch {
	case number == 0:
		return 0, math.MaxInt64, nil
	case number < 0 || number > len(a.Phases):
		return 0, 0, bounds.Wrong("phase", number, "1 to %d, the phases of the run, or 0 for all of it", len(a.Phases))
	}
	p := a.Phases[number-1]
	return ns * p.From, ns * p.To, nil
}

// Ends returns when the phases end, in ps. It returns nothing for phases by rate, which another run has not alike.
func (a Activity) Ends() (out []int64) {
	if a.ByRate {
		return nil
	}
	for _, p := range a.Phases {
		out = append(out, 1000*p.To)
	}
	return out
}

// PhasesView returns the table of the top longest phases, in order of time.
func (a Activity) PhasesView(top int) analysis.View {
	longest := slices.Clone(a.Phases)
	slices.SortStableFunc(longest, func(x, y Phase) int { return cmp.Compare(y.To-y.From, x.To-x.From) })
	longest = longest[:min(len(longest), top)]
	slices.SortFunc(longest, func(x, y Phase) int { return cmp.Compare(x.Number, y.Number) })
	cols := []analysis.Col[Phase]{
		analysis.Number("phase", "number", func(p Phase) int64 { return int64(p.Number) }),
		milliseconds("begin, ms", "begin_us", func(p Phase) int64 { return p.From }),
		milliseconds("length, ms", "length_us", func(p Phase) int64 { return p.To - p.From }),
		analysis.Share("share", "share_of_run_time", func(p Phase) float64 { return float64(p.To-p.From) / float64(max(a.Length, 1)) }),
		analysis.Number("packets", "packets", func(p Phase) int64 { return p.Packets }),
		analysis.Float("per ms", "packets_per_ms", 1, func(p Phase) float64 { return float64(p.Packets) / (float64(max(p.To-p.From, 1)) / 1e6) }),
		analysis.Keyed("last to come", "last", func(p Phase) analysis.Cell {
			if p.Last < 0 {
				return analysis.Cell{Text: "—"}
			}
			return analysis.Cell{Text: fmt.Sprint("node ", p.Last), Value: p.Last}
		}),
		analysis.Keyed("others wait, ms", "others_wait_us", func(p Phase) analysis.Cell {
			if p.Last < 0 {
				return analysis.Cell{Text: "—"}
			}
			return analysis.Cell{Text: strconv.FormatFloat(float64(p.Wait)/1e6, 'f', 3, 64), Value: float64(p.Wait) / 1e3}
		}),
	}
	note := "A phase ends when the last node comes to a barrier. Others wait: on average, for that node."
	if a.ByRate {
		cols, note = cols[:6], "Without barriers phases are by the rate of packets: it changes by half or more, and by more than it scatters."
	}
	v := analysis.Tabulate(longest, cols...)
	v.Title = "Phases"
	if len(longest) < len(a.Phases) {
		note = fmt.Sprintf("The longest of %d. %s", len(a.Phases), note)
	}
	return v.Noted(note)
}

// BurstsView returns the table of bursts. program returns the name of a program.
func (a Activity) BurstsView(program func(trace.Tag) string) analysis.View {
	v := analysis.Tabulate(a.Bursts,
		analysis.Keyed("port", "side", func(b Burst) analysis.Cell {
			return analysis.Cell{Text: fmt.Sprintf("node %d, %s", b.Node, b.Side), Value: b.Side.String()}
		}),
		analysis.Hidden("node", func(b Burst) any { return b.Node }),
		milliseconds("begin, ms", "begin_us", func(b Burst) int64 { return b.From }),
		milliseconds("length, ms", "length_us", func(b Burst) int64 { return b.To - b.From }),
		analysis.Number("packets", "packets", func(b Burst) int64 { return b.Packets }),
		analysis.Number("KB", "bytes", func(b Burst) int64 { return b.Bytes }),
		analysis.Float("times the mean", "times_mean", 1, func(b Burst) float64 { return b.Times }),
		analysis.Keyed("mostly", "peer", func(b Burst) analysis.Cell {
			way := "to"
			if b.Side == Received {
				way = "from"
			}
			return analysis.Cell{Text: fmt.Sprintf("%s node %d (%.0f %%)", way, b.Peer, 100*b.PeerShare), Value: b.Peer}
		}),
		analysis.Hidden("peer_share", func(b Burst) any { return b.PeerShare }),
		analysis.Keyed("kind", "kind", func(b Burst) analysis.Cell {
			return analysis.Cell{Text: fmt.Sprintf("%s (%.0f %%)", b.Kind, 100*b.KindShare), Value: b.Kind}
		}),
		analysis.Hidden("kind_share", func(b Burst) any { return b.KindShare }),
		analysis.Hidden("program", func(b Burst) any { return program(b.Program) }),
		analysis.Hidden("command", func(b Burst) any { return a.command(b) }),
	)
	for i := range v.Rows {
		v.Rows[i][5].Text = strconv.FormatFloat(float64(a.Bursts[i].Bytes)/1e3, 'f', 1, 64)
	}
	v.Title, v.Fold = "Bursts", true
	note := fmt.Sprintf("Times in which a port has packets at %d times its mean rate or more, those first that have the most beyond it.", much)
	if a.More > 0 {
		note = fmt.Sprintf("%d more are not shown. %s", a.More, note)
	}
	if len(a.Bursts) > 0 {
		note += " The first: " + a.command(a.Bursts[0])
	}
	return v.Noted(note)
}

// command returns the sigview command that shows a burst in the timeline.
func (a Activity) command(b Burst) string {
	return fmt.Sprintf("sigview view %s --view timeline --select 'row=%d from=%d to=%d'", a.Dir, b.Node, max(b.From, 0), max(b.To, 1))
}

// milliseconds makes a column of times in ns, shown in ms and written to documents in µs.
func milliseconds[T any](name, key string, of func(T) int64) analysis.Col[T] {
	return analysis.Milli(name, key, func(r T) float64 { return float64(of(r)) / 1e3 })
}
