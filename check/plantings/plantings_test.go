package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/cluster/platform"
)

// TestEveryKindRuns: a planting of each kind makes a run that ends with the right result, in one of a few draws.
func TestEveryKindRuns(t *testing.T) {
	for i, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			d := draw{rand.New(rand.NewPCG(1, uint64(i)))}
			for range 4 {
				c := Case{base: k.base(d)}
				base, err := run(t.Context(), c.base, platform.Overlay{}, "")
				require.NoError(t, err)
				if base == 0 {
					continue
				}
				c.spec, c.node = c.base, d.node(c.base)
				k.plant(&c, d, base)
				require.NotEmpty(t, c.what)
				if us, err := run(t.Context(), c.spec, c.change, ""); us > 0 {
					require.NoError(t, err)
					return
				}
			}
			t.Fatal("all runs are refused or go wrong")
		})
	}
}

func TestTrialsRepeat(t *testing.T) {
	one, err := tryMany(t.Context(), []int{0}, 3, "stall", "")
	require.NoError(t, err)
	again, err := tryMany(t.Context(), []int{0}, 3, "stall", "")
	require.NoError(t, err)
	require.Equal(t, one, again)
	require.True(t, one[0].Matters)
	require.Contains(t, text(one), "| stall | 1 |")
	require.NoError(t, part(one, 1, 3).Write(t.TempDir()+"/plantings.toml"))
}

func TestJudge(t *testing.T) {
	three, five := 3, 5
	k := kind{resources: []string{"io_bus"}, words: []string{"late"}}
	all := []causal.Finding{
		{Resource: "io_bus", At: &five},
		{Resource: "port", Port: "node 3 > switch 0"},
		{Resource: "event", Cause: "late sender", Node: &three, CostUs: 90, LeastUs: 80, MostUs: 95},
	}
	v := k.judge(all, 3, 100)
	require.Equal(t, []any{3, 2, true}, []any{v.Rank, v.Place, v.Cost})
	require.False(t, k.judge(all, 3, 150).Cost)
	require.Zero(t, k.judge(all, 4, 100).Place)
	require.Equal(t, 1, k.judge(all, -1, 100).Rank, "of the whole program")
	require.False(t, at(causal.Finding{Port: "node31>switch0"}, 3))
}
