package verbs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/comm/verbs/dcqcn"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// outcome is what an incast leads to.
type outcome struct {
	took             sim.Duration
	stats            fabric.Stats
	repeated, marked uint64
	flows            []comm.Flow // of the senders
}

// incast lets eight nodes write to one, so many times 64 KB each.
func incast(t *testing.T, count int, changes ...testbed.Change) outcome {
	const senders, bytes = 8, 65536
	r := testbed.New(t, on, "verbs", senders+1, 4, changes...)
	var programs []func(*host.Context, *testbed.Process)
	programs = append(programs, nil)
	space := host.NewSpace("receiver", r.Nodes[0].Frames)
	receiver := r.Nodes[0].Layer.(deposit.Native).OpenPort(space, 0)
	come, failed := 0, error(nil)
	for i := 1; i <= senders; i++ {
		at := space.Alloc(bytes)
		x, err := receiver.Export(at, bytes, func(deposit.Arrival) { come++ })
		require.NoError(t, err)
		p := r.Nodes[i].Layer.(deposit.Native).OpenPort(host.NewSpace("sender", r.Nodes[i].Frames), 0)
		m, err := p.Import(x)
		require.NoError(t, err)
		from := p.Space().Alloc(bytes)
		programs = append(programs, func(c *host.Context, _ *testbed.Process) {
			for i := 0; i < count && failed == nil; i++ {
				failed = p.Send(c, from, m, 0, bytes, data, true)
			}
		})
	}
	var end sim.Time
	began := r.Engine.Now()
	programs[0] = func(c *host.Context, _ *testbed.Process) {
		for come < senders*count && failed == nil && r.Lost() == 0 {
			c.Sleep(20 * us)
		}
		end = c.Now()
	}
	r.Go(programs...)
	require.NoError(t, failed)
	require.Equal(t, senders*count, come) // each once
	require.Zero(t, r.Lost())
	out := outcome{took: end.Sub(began), stats: r.Net.Stats()}
	for _, n := range r.Nodes {
		s := n.Layer.(*verbs.Node).Stats()
		out.repeated, out.marked = out.repeated+s.Repeated, out.marked+s.Marked
		out.flows = append(out.flows, n.Layer.(comm.Flows).Flows()...)
	}
	return out
}

// TestIncast: with pause frames nothing is lost; without, a small switch drops packets and going back costs time; and
// DCQCN takes most of the pauses away.
func TestIncast(t *testing.T) {
	const count = 40
	paused := incast(t, count)
	require.Zero(t, paused.stats.Dropped)
	require.Zero(t, paused.repeated)
	require.NotZero(t, paused.stats.Pauses)
	// The link into the receiver is full: that many bytes at the rate of packets of 1 KB.
	require.InEpsilon(t, 8*count*65536*(1024+82)/1024/12.5e3, paused.took.Us(), 0.05)

	lossy := incast(t, count, with(func(s *verbs.Spec) { s.Timeout = 6 }), func(s *cluster.Spec) {
		b := *s.Profile.Network.Buffer
		b.Control, b.Headroom, b.XonGap, b.Reaction, b.SwitchBytes = fabric.Lossy, 0, 0, 0, 1<<20
		s.Profile.Network.Buffer = &b
	})
	require.NotZero(t, lossy.stats.Overflowed)
	require.Zero(t, lossy.stats.Pauses)
	require.NotZero(t, lossy.repeated)
	require.Greater(t, lossy.took, paused.took*11/10)
	require.Len(t, lossy.flows, 8, "a pair of each sender")
	sum, longest := uint64(0), sim.Duration(0)
	for i, f := range lossy.flows {
		require.GreaterOrEqual(t, f.Packets+f.Repeated, uint64(count*65536/1024))
		require.EqualValues(t, count*65536/1024, paused.flows[i].Packets)
		require.EqualValues(t, count*65536, f.Bytes, "each byte once")
		require.Equal(t, 1024*f.Repeated, f.RepeatedBytes)
		require.Zero(t, f.NotReady)
		require.Equal(t, f.Repeated == 0, f.Gaps+f.Timeouts == 0)
		require.Equal(t, f.Repeated == 0, f.Again == 0)
		require.Equal(t, sim.Duration(0), paused.flows[i].Again)
		sum, longest = sum+f.Repeated, max(longest, f.Again)
	}
	require.Equal(t, lossy.repeated, sum)
	require.Greater(t, longest, (lossy.took-paused.took)/2)
	require.Less(t, longest, lossy.took)

	controlled := incast(t, count, func(s *cluster.Spec) {
		b := *s.Profile.Network.Buffer
		b.ECN = &fabric.ECN{Min: 100_000, Max: 400_000, Share: 0.2}
		d := dcqcn.Paper()
		s.Profile.Network.Buffer, s.Profile.Verbs.DCQCN = &b, &d
	})
	require.Zero(t, controlled.stats.Dropped)
	require.NotZero(t, controlled.marked)
	require.Less(t, 2*controlled.stats.Pauses, paused.stats.Pauses)
	t.Logf("pause frames: %v, %d pauses; lossy: %v, %d dropped, %d again; DCQCN: %v, %d pauses, %d marked", paused.took, paused.stats.Pauses,
		lossy.took, lossy.stats.Overflowed, lossy.repeated, controlled.took, controlled.stats.Pauses, controlled.marked)
}
