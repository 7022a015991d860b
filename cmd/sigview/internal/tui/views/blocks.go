package views

import (
	"math"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/trace"
)

// mostBlocks is how many blocks there are in a line at first, and in a line of a block that is entered.
const mostBlocks = 16

// Block returns how many of the nodes are a block: a single one unless there are many.
func (v *MatrixView) Block(nodes int) int {
	if v.block > 0 {
		return min(v.block, max(nodes, 1))
	}
	b := 1
	for nodes > 2*mostBlocks && nodes > b*mostBlocks {
		b *= 2
	}
	return b
}

// blocks are all blocks of senders, each with all blocks of receivers.
type blocks struct {
	side int
	list []block
}

func (b blocks) at(from, to int) *block { return &b.list[from*b.side+to] }

// block is a figure of pairs of nodes. Times are in µs.
type block struct {
	value    trace.Opt[float64] // that is shown: the mean of all packets or their number, or of signed figures the farthest
	half     trace.Opt[float64] // of its 95 % interval
	weak     bool
	pairs    int
	packets  int64
	sum      float64            // of the times of all packets
	far      trace.Opt[float64] // the farthest figure of a pair
	from, to int                // that pair
}

func (k *block) mean() float64 { return k.sum / float64(max(k.packets, 1)) }

// blocks sums up the pairs that have packets.
func (v *MatrixView) blocks(s *scene.Scene) blocks {
	b := v.Block(s.Nodes())
	out := blocks{side: (s.Nodes() + b - 1) / b}
	out.list = make([]block, out.side*out.side)
	for _, pair := range s.Sel.Linked(s.Data()) {
		from, to := int(pair.Sender), int(pair.Receiver)
		x := v.Value(s, from, to)
		if !x.OK {
			continue
		}
		col, _ := s.Sel.OfPair(s.Data(), from, to, s.Sel.Stage)
		st, n := col.Stat(s.Sel.Stage), float64(col.Count())
		k := out.at(from/b, to/b)
		first := k.pairs == 0
		squared := square(k.half.Value * float64(k.packets))
		k.pairs++
		k.packets += col.Count()
		k.sum += float64(st.MeanNs.Value / 1000 * n)
		k.weak = (first || k.weak) && st.Weak
		half := trace.Opt[float64]{Value: (st.CIHiNs.Value - st.CILoNs.Value) / 2000, OK: st.CILoNs.OK && st.CIHiNs.OK && v.Metric.Of(pairMetrics) != pairPackets}
		if first || math.Abs(x.Value) > math.Abs(k.far.Value) {
			k.far, k.from, k.to = x, from, to
			if v.signed() {
				k.value, k.half = x, half
			}
		}
		switch metric := v.Metric.Of(pairMetrics); {
		case v.signed():
		case first:
			k.value, k.half = x, half
		case metric == pairPackets:
			k.value.Value += x.Value
		default:
			k.value.Value = k.mean()
			k.half = trace.Opt[float64]{Value: math.Sqrt(squared+square(half.Value*n)) / float64(k.packets), OK: k.half.OK && half.OK}
		}
	}
	return out
}

func square(x float64) float64 { return float64(x * x) }

// chosen returns the block at the cursor, or without a cursor the one with the farthest figure.
func (v *MatrixView) chosen(s *scene.Scene, all blocks) *block {
	b := v.Block(s.Nodes())
	if from, to := s.Sel.Sender, s.Sel.Receiver; from >= 0 && to >= 0 {
		k := all.at(from/b, to/b)
		if k.pairs == 0 {
			k.from, k.to = from, to
		}
		return k
	}
	most := &all.list[0]
	for i := range all.list {
		if k := &all.list[i]; math.Abs(k.far.Value) > math.Abs(most.far.Value) {
			most = k
		}
	}
	return most
}
