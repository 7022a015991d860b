package causal

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace/waits"
)

// TestLongIsTheWhole: windows of any size have the sums of waiting of one account. Their critical paths follow each other, so
// that they sum to the run time.
func TestLongIsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := synth.RandomLog(t)
		log.Actors[1].Type = waits.Process
		whole, err := account.Resolve(log)
		require.NoError(t, err)
		want := Explain(graph.New(whole), 0)
		causes, lasting := []waits.ID{}, map[waits.ID]bool{}
		for id, x := range whole.Actors {
			causes = append(causes, x.Cause)
			lasting[waits.ID(id)] = !x.Type.IsPacket() && x.Type != waits.Task
		}
		part := func(of account.Period, only []waits.ID) *account.Account {
			r := account.PartOf(of, causes, lasting)
			if only != nil {
				m := r.Only()
				for _, id := range only {
					m.Add(id)
				}
			}
			require.NoError(t, r.Waits(slices.Collect(whole.WaitRows())))
			require.NoError(t, r.Holds(slices.Collect(whole.HoldRows())))
			r.Close()
			require.NoError(t, r.Actors(slices.Collect(whole.ActorRows())))
			a, err := r.Account()
			require.NoError(t, err)
			return a
		}
		const end = 24
		margin := rapid.Int64Range(0, 4).Draw(t, "margin")
		l := NewLong(1, 0, 0)
		for to := int64(end); to > 0; {
			from := max(to-rapid.Int64Range(1, 12).Draw(t, "window"), 0)
			l.Add(part(account.Period{From: from - margin, To: to + margin}, nil), from, to, true)
			to = from
		}
		if l.Windows == 0 {
			require.Empty(t, want.Near)
			return
		}
		got := l.Explanation(part(account.Period{From: -end, To: end}, l.Close()))
		require.Equal(t, want.To, got.To)
		require.Equal(t, want.Waited, got.Waited)
		require.Equal(t, want.Known, got.Known)
		path := int64(0)
		for _, u := range got.Path {
			path += u.Length()
		}
		require.Equal(t, want.Length(), path)
		for _, q := range want.Queues {
			i := slices.IndexFunc(got.Queues, func(x Queue) bool { return x.Resource == q.Resource })
			require.GreaterOrEqual(t, i, 0)
			require.Equal(t, q.Waited, got.Queues[i].Waited)
			require.Equal(t, q.Unknown, got.Queues[i].Unknown)
		}
	})
}
