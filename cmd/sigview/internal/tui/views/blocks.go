package views

import (
	"math"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/trace"
)

// mostBlocks is how many blocks there are in a line at first, and in a line of a block that is entered.
const mostBlocks = 16

// blocks are all blocks of senders, each with all blocks of receivers.
type blocks struct {
	nodes, side int // nodes of a block, and blocks in a line
	how         summed
	list        []block
}

// summed says what the figure of a block is.
type summed uint8

const (
	asMean     summed = iota // of all packets
	asNumber                 // of them
	asFarthest               // of signed figures the one farthest from zero
)

// block is a figure of pairs of nodes. Times are in µs.
type block struct {
	value    trace.Opt[float64]
	half     trace.Opt[float64] // of its 95 % interval
	weak     bool
	pairs    int
	packets  int64
	sum      float64            // of the times of all packets
	far      trace.Opt[float64] // the farthest figure of a pair
	from, to int                // that pair
}

// newBlocks returns the blocks of so many nodes each, without packets.
func newBlocks(nodes, of int, how summed) blocks {
	side := (nodes + of - 1) / of
	return blocks{of, side, how, make([]block, side*side)}
}

func (b blocks) at(from, to int) *block { return &b.list[from*b.side+to] }

// add adds a pair of nodes with its figure and the latency of its packets.
func (b blocks) add(from, to int, x trace.Opt[float64], packets int64, st trace.Stat) {
	k, n := b.at(from/b.nodes, to/b.nodes), float64(packets)
	first := k.pairs == 0
	half := trace.Opt[float64]{Value: (st.CIHiNs.Value - st.CILoNs.Value) / 2000, OK: st.CILoNs.OK && st.CIHiNs.OK && b.how != asNumber}
	before := square(k.half.Value * float64(k.packets))
	k.pairs++
	k.packets += packets
	k.sum += float64(st.MeanNs.Value / 1000 * n)
	k.weak = (first || k.weak) && st.Weak
	farther := first || math.Abs(x.Value) > math.Abs(k.far.Value)
	if farther {
		k.far, k.from, k.to = x, from, to
	}
	switch {
	case first || b.how == asFarthest && farther:
		k.value, k.half = x, half
	case b.how == asNumber:
		k.value.Value += x.Value
	case b.how == asMean:
		k.value.Value = k.mean()
		k.half = trace.Opt[float64]{Value: math.Sqrt(before+square(half.Value*n)) / float64(k.packets), OK: k.half.OK && half.OK}
	}
}

func square(x float64) float64 { return float64(x * x) }

func (k *block) mean() float64 { return k.sum / float64(max(k.packets, 1)) }

// chosen returns the block of the selected pair, or if none is selected the one with the farthest figure.
func (b blocks) chosen(s *data.Selection) *block {
	if s.Sender != data.Everyone && s.Receiver != data.Everyone {
		k := b.at(s.Sender/b.nodes, s.Receiver/b.nodes)
		if k.pairs == 0 {
			k.from, k.to = s.Sender, s.Receiver
		}
		return k
	}
	most := &b.list[0]
	for i := range b.list {
		if k := &b.list[i]; math.Abs(k.far.Value) > math.Abs(most.far.Value) {
			most = k
		}
	}
	return most
}
