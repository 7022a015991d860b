package microbench_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/microbench"
)

// faked builds nodes whose layer is the fake one, of which change may change
// something.
func faked(t testing.TB, nodes int, change func(*fake)) (*fake, []microbench.End) {
	c := clusterOf(t, "vmmc", nodes, 1)
	var hosts []*host.Host
	var frames []*host.Frames
	for _, n := range c.Nodes {
		hosts, frames = append(hosts, n.Host), append(frames, n.Frames)
	}
	f, ends := newFake(c.Engine, hosts, frames)
	if change != nil {
		change(f)
	}
	return f, ends
}

// notice is what a spinning CPU of the platform needs to see an arrival.
func notice(ends []microbench.End) sim.Duration { return ends[0].Host.Spec().PollNotice }

// cost takes n samples and returns the last one.
func cost(t require.TestingT, r *microbench.Requests, b microbench.Burst, n int) (last []sim.Duration) {
	for sample, err := range r.Costs(b) {
		require.NoError(t, err)
		if n--; n == 0 {
			last = slices.Clone(sample)
			break
		}
	}
	return last
}

func trip(t require.TestingT, r *microbench.Requests) (last []sim.Duration) {
	for sample, err := range r.RoundTrips(microbench.Ask, 0) {
		require.NoError(t, err)
		last = slices.Clone(sample)
		break
	}
	return last
}

// TestSignature: planted parameters come out as the model of the paper says
// (logp, section 3.1).
func TestSignature(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string, least, most int) sim.Duration {
			return sim.Duration(rapid.IntRange(least, most).Draw(rt, name)) * us / 10
		}
		f, ends := faked(t, 2, nil)
		f.os, f.or, f.latency = draw("os", 1, 50), draw("or", 1, 50), draw("L", 10, 200)
		f.g = f.os + f.or + notice(ends) + draw("g", 1, 100)
		r, err := microbench.NewRequests(ends, microbench.OneToOne, 0, 0)
		require.NoError(rt, err)
		require.Equal(rt, 1, r.Askers())
		rtt := 2*(f.os+f.latency+f.or) + 2*notice(ends)
		require.Equal(rt, rtt, trip(rt, r)[0])
		for _, m := range []int{1, 2, 5} {
			if first := rtt - f.or - notice(ends); sim.Duration(m)*f.os < first { // no reply has come
				require.Equal(rt, f.os, cost(rt, r, microbench.Burst{M: m}, 2)[0], "M = %d", m)
			}
		}
		// Once the window is full another message takes g, or what the asker
		// itself needs for it. What came before is a head start.
		f.window = 4 + int(2*rtt/f.g)
		another := func(spin sim.Duration) float64 {
			const m = 200
			one := cost(rt, r, microbench.Burst{M: m, Spin: spin}, 1)[0]
			return float64(2*cost(rt, r, microbench.Burst{M: 2 * m, Spin: spin}, 1)[0] - one)
		}
		require.InEpsilon(rt, float64(f.g), another(0), 0.01)
		spin := f.g + draw("spin", 0, 500)
		require.InEpsilon(rt, float64(f.os+f.or+spin), another(spin), 0.01)
	})
}

// TestPatterns: one receiver that is the bottleneck serves K requesters at the
// K-fold gap, several serve one at a smaller gap, and pairs beside one another
// measure what one does (logp, section 3.5).
func TestPatterns(t *testing.T) {
	slow := func(f *fake) { f.g, f.serving, f.window = 0, 15*us, 32 }
	gap := func(p microbench.Pattern, nodes, peers int) []sim.Duration {
		_, ends := faked(t, nodes, slow)
		r, err := microbench.NewRequests(ends, p, peers, 0)
		require.NoError(t, err)
		return cost(t, r, microbench.Burst{M: 1000}, 1)
	}
	one := gap(microbench.OneToOne, 2, 0)
	require.Len(t, one, 1)
	require.InEpsilon(t, float64(20*us), float64(one[0]), 0.05, "o_r, serving and o_s")
	require.Equal(t, one, gap(microbench.OneToOne, 5, 0), "the others do nothing")
	for k, want := range map[int]sim.Duration{1: 20 * us, 2: 10 * us, 3: 20 * us / 3, 7: 5 * us} {
		got := gap(microbench.OneToMany, 8, k)
		require.Len(t, got, 1)
		require.InEpsilon(t, float64(want), float64(got[0]), 0.06, "one to %d", k)
	}
	for _, k := range []int{1, 2, 5} {
		got := gap(microbench.ManyToOne, 8, k)
		require.Len(t, got, k)
		for _, d := range got {
			require.InEpsilon(t, float64(one[0])*float64(k), float64(d), 0.06, "%d to one", k)
		}
	}
	pairs := gap(microbench.AllPairs, 6, 0)
	require.Len(t, pairs, 3)
	for _, d := range pairs {
		require.Equal(t, one[0], d)
	}
}

// TestAtRest: between samples nothing is outstanding, and when there are
// enough nothing goes on.
func TestAtRest(t *testing.T) {
	f, ends := faked(t, 6, nil)
	r, err := microbench.NewRequests(ends, microbench.AllPairs, 0, 0)
	require.NoError(t, err)
	began, n := f.engine.Now(), 0
	for sample, err := range r.Costs(microbench.Burst{M: 20}) {
		require.NoError(t, err)
		require.Len(t, sample, 3)
		n++
		require.Equal(t, 3*20*2*n, f.calls, "every request has been answered")
		for _, ep := range f.eps {
			require.Zero(t, ep.outstanding)
			require.Empty(t, ep.arrived)
		}
		require.Greater(t, f.engine.Now(), began)
		began = f.engine.Now()
		if n == 7 {
			break
		}
	}
	require.Equal(t, 7, n)
	require.NoError(t, f.engine.Run(sim.Never), "no process is left")
	require.Equal(t, began, f.engine.Now(), "and no event")
}

// TestCutStores: data longer than one call takes goes in several.
func TestCutStores(t *testing.T) {
	f, ends := faked(t, 2, func(f *fake) { f.traits.MaxBytes = 100 })
	r, err := microbench.NewRequests(ends, microbench.OneToOne, 0, 1000)
	require.NoError(t, err)
	b := microbench.Burst{M: 1, Operation: microbench.Store, Bytes: 250}
	require.Equal(t, 3*f.os, cost(t, r, b, 1)[0])
	require.Equal(t, []string{"store 0 0 100", "store 100 100 100", "store 200 200 50"}, f.stores)
	f.stores = nil
	b.Operation, b.M = microbench.Get, 2
	require.Equal(t, 3*f.os, cost(t, r, b, 1)[0], "per get")
	require.Len(t, f.stores, 6)
	require.Equal(t, 2*3+2*6, f.calls)
}

// TestLostReply: a sample that cannot end is an error that says what was lost.
func TestLostReply(t *testing.T) {
	_, ends := faked(t, 2, func(f *fake) { f.loseFrom = 200 })
	r, err := microbench.NewRequests(ends, microbench.OneToOne, 0, 0)
	require.NoError(t, err)
	good := 0
	for _, err = range r.Costs(microbench.Burst{M: 10}) {
		if err == nil {
			good++
		}
	}
	require.Equal(t, 9, good)
	require.ErrorContains(t, err, "no progress")
	require.ErrorContains(t, err, "lost: 1 dropped at node 1")
	require.NotContains(t, err.Error(), "node 0")
	require.NotContains(t, err.Error(), "refused")
	for _, again := range r.RoundTrips(microbench.Ask, 0) {
		require.Equal(t, err, again)
	}
}

// TestClaims: a layer that is not what it claims, or not to be had, is refused.
func TestClaims(t *testing.T) {
	_, ends := faked(t, 2, func(f *fake) { f.bare = true })
	_, err := microbench.NewRequests(ends, microbench.OneToOne, 0, 0)
	require.ErrorContains(t, err, "layer fake claims requests but has none")
	_, err = microbench.NewRequests(ends, microbench.OneToOne, 0, 0)
	require.ErrorContains(t, err, "node 0: fake: node 0 has a process")
	_, ends = faked(t, 2, nil)
	pair, err := microbench.NewPair([2]microbench.End(ends), 10)
	require.NoError(t, err)
	_, err = pair.Stream(10, 3)
	require.ErrorContains(t, err, "fake: no messages")
}

// TestRealRequests: the layers of the model behave as the paper says: cost is
// o_s for short bursts, g for long ones, and a spin that lifts it adds o_s + o_r.
func TestRealRequests(t *testing.T) {
	for _, layer := range []string{"gam", "amii", "rpc"} {
		t.Run(layer, func(t *testing.T) {
			r, err := clusterOf(t, layer, 8, 1).Requests(microbench.AllPairs, 0, 4096)
			require.NoError(t, err)
			at := func(b microbench.Burst) sim.Duration {
				all := cost(t, r, b, 3)
				require.Len(t, all, 4)
				for _, d := range all {
					require.InEpsilon(t, float64(all[0]), float64(d), 0.04, "pairs do not disturb one another")
				}
				return all[0]
			}
			rtt := trip(t, r)[0]
			send, gap := at(microbench.Burst{M: 1}), at(microbench.Burst{M: 400})
			require.Less(t, 3*send/2, gap)
			require.Less(t, gap, rtt)
			require.InEpsilon(t, float64(send), float64(at(microbench.Burst{M: 3})), 0.05)
			busy := at(microbench.Burst{M: 400, Spin: 100 * us}) - 100*us
			require.Greater(t, busy, send)
			require.LessOrEqual(t, busy, gap+gap/50)
			long := microbench.Burst{M: 4, Operation: microbench.Store, Bytes: 1000} // several, because the set-up of a DMA varies
			require.Greater(t, at(long), send+send/10, "the processor moves the data")
			long.Operation = microbench.Get
			require.Less(t, at(long), 3*send/2, "or asks for it")
		})
	}
}
