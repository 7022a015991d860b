package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace/waits"
)

// TestSlackIsTheDelayThatCostsNothing makes each piece longer, by its slack and by more,
// and replays.
func TestSlackIsTheDelayThatCostsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log, g := drawGraph(t)
		actor := waits.ID(rapid.IntRange(1, len(log.Actors)-1).Draw(t, "actor"))
		at := rapid.Int64Range(0, 20).Draw(t, "at")
		slack := g.Slack(actor, at)
		for i := range g.Pieces {
			if slack[i] == unbound {
				require.Equal(t, at, g.delayed(int32(i), 1000, actor, at), "piece %d has no influence", i)
				continue
			}
			require.GreaterOrEqual(t, slack[i], int64(0))
			require.Equal(t, at, g.delayed(int32(i), slack[i], actor, at), "piece %d", i)
			require.Equal(t, at+1, g.delayed(int32(i), slack[i]+1, actor, at), "piece %d", i)
		}
	})
}

// delayed returns when an instant is if a piece takes longer.
func (g *Graph) delayed(piece int32, by int64, actor waits.ID, at int64) int64 {
	r := newReplay(g)
	r.change(Change{})
	for _, i := range g.order {
		r.end[i] = r.finish(i)
		if i == piece {
			r.end[i] += by
		}
	}
	if e := edgeTo(g.Account, actor, at); e.piece >= 0 {
		return r.instant(e)
	}
	return at
}
