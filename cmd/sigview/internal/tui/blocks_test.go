package tui

import (
	"fmt"
	"math"
	"testing"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/stretchr/testify/require"
)

// TestBlocksLeadToAPair: the matrix of many nodes shows blocks; enter goes into them until it is at a pair, esc comes back,
// and + and - halve and double them.
func TestBlocksLeadToAPair(t *testing.T) {
	r := newRig(t, newShell(t))
	r.state.Look = look(t, "mono", cell.Braille, cell.NoColour)
	r.state.Add(withBadNode(t, 64, 37))
	r.Keys("3")
	v := func() *views.MatrixView { return viewOf[*views.MatrixView](r) }
	require.Equal(t, 4, v().Block(64))
	require.Contains(t, r.Text(), "4×4 nodes: mean latency")
	for _, size := range sizes {
		checkSize(t, Draw(r.state, size[0], size[1]), size)
	}
	r.Keys("+")
	require.Equal(t, 2, v().Block(64))
	r.Keys("-", "-", "-", "-", "-", "-")
	require.Equal(t, 32, v().Block(64), "two blocks are the least")
	require.False(t, r.state.does(action.ZoomOut))
	r.Keys("a")
	require.Equal(t, 4, v().Block(64))

	r.Keys("j", "j", "l")
	require.Equal(t, [2]int{4, 4}, [2]int{r.state.Sel.Sender, r.state.Sel.Receiver}, "the first step chooses one, the others go on by blocks")
	require.Contains(t, r.Text(), "4–7 to 4–7: 12 packets of 12 pairs")
	r.Keys("a", "enter")
	require.Equal(t, 1, v().Block(64))
	require.Equal(t, 37, r.state.Sel.Receiver, "without a cursor enter goes to where the figure is farthest")
	most := 0.0
	for from := range 64 {
		for to := range 64 {
			most = max(most, math.Abs(v().Value(&r.state.Scene, from, to).Value))
		}
	}
	require.Equal(t, most, v().Value(&r.state.Scene, r.state.Sel.Sender, r.state.Sel.Receiver).Value)
	require.Contains(t, r.line2(), "matrix › each pair")
	r.Keys("enter")
	require.Equal(t, "signature", views.Kinds[r.state.View].Name)
	r.Keys("esc", "esc")
	require.Equal(t, 4, v().Block(64))
}

// TestBlocksAreOfTheirPairs: the mean of a block is of all its packets, and packets are counted.
func TestBlocksAreOfTheirPairs(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("3", "-", "l")
	require.Equal(t, 2, viewOf[*views.MatrixView](r).Block(4))
	packets, sum := int64(0), 0.0
	for from := range 2 {
		for to := range 2 {
			if c, ok := r.state.Sel.OfPair(r.state.Data(), from, to); ok {
				packets += c.Count()
				sum += c.Stat(r.state.Sel.Stage).MeanNs.Value * float64(c.Count())
			}
		}
	}
	require.Contains(t, r.Text(), fmt.Sprintf("0–1 to 0–1: %s packets of 2 pairs, mean Net %.2f µs", analysis.Digits(packets), sum/float64(packets)/1000))
}
