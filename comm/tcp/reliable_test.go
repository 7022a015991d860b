package tcp_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/tcp"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// with changes the layer's section of the profile.
func with(change func(*tcp.Spec)) testbed.Change {
	return func(s *cluster.Spec) {
		p, own := *s.Profile, *s.Profile.TCP
		change(&own)
		p.TCP = &own
		s.Profile = &p
	}
}

func bed(t testbed.T, most int, changes ...testbed.Change) *testbed.Test {
	return testbed.New(t, "das-wan", "tcp", 2, most, changes...)
}

// count returns the sum of a counter over the nodes.
func count(r *testbed.Test, name string) (n uint64) {
	for i := range r.Nodes {
		n += r.Count(i, name)
	}
	return n
}

func quiet(t testbed.T, r *testbed.Test) {
	r.Rest(1000 * sim.Second) // the last acknowledgement may have been lost several times
	require.Zero(t, r.Lost())
	for _, n := range r.Nodes {
		require.True(t, n.Layer.Quiet())
	}
}

// TestLosses: frames are lost at random; the streams arrive whole and in order.
func TestLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.IntRange(0, 20).Draw(t, "percent")
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "draws"), 0))
		sizes := rapid.SliceOfN(rapid.IntRange(0, 60000), 1, 12).Draw(t, "sizes")
		r := bed(t, 60000, with(func(s *tcp.Spec) {
			s.Firmware.PacketBytes = rapid.SampledFrom([]int{536, 1460, 9140}).Draw(t, "segment")
		}))
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 6).Draw(t, "turn"), sizes...)
		quiet(t, r)
		if r.Net.Stats().Dropped == 0 {
			require.Zero(t, count(r, "repeated"))
		}
	})
}

// TestDamage: damaged frames are sent again, also those whose damage the CRC does not
// show.
func TestDamage(t *testing.T) {
	sizes := make([]int, 300)
	for i := range sizes {
		sizes[i] = 20000
	}
	small := with(func(s *tcp.Spec) { s.Firmware.PacketBytes = 1460 })
	r := bed(t, 20000, small, func(s *cluster.Spec) { s.Faults = fabric.Faults{ErrorPerByte: 1e-4, BurstBytes: 64} })
	r.Deliver(1, 5, sizes...)
	quiet(t, r)
	require.NotZero(t, count(r, "damaged"))
	require.NotZero(t, count(r, "wrong checksum"))
	require.NotZero(t, count(r, "repeated"))
}

// stream sends bytes from node 0 to node 1, which reads them after a delay. It returns
// the time from the first send to the end, s.
func stream(r *testbed.Test, bytes int, late sim.Duration) float64 {
	var end sim.Time
	r.Go(func(c *host.Context, p *testbed.Process) {
		must(p.Endpoint.Send(c, 1, p.Endpoint.Buffer(bytes), bytes, trace.Meta{Kind: trace.Message}))
	}, func(c *host.Context, p *testbed.Process) {
		c.Sleep(late)
		_, err := p.Endpoint.Receive(c, 0, p.Endpoint.Buffer(bytes), bytes)
		must(err)
		end = c.Now()
	})
	quiet(r.T, r)
	return sim.Duration(end).Seconds()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TestFastRetransmit: one lost segment of a long stream is sent again after three
// acknowledgements, before any timeout.
func TestFastRetransmit(t *testing.T) {
	lose := func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{{Kind: trace.Message, Nth: 20}} }
	small := with(func(s *tcp.Spec) { s.Firmware.PacketBytes = 1460 })
	r := bed(t, 200000, lose, small)
	lost := stream(r, 200000, 0)
	require.Equal(t, []uint64{1, 1, 0}, []uint64{count(r, "repeated"), count(r, "fast"), count(r, "timeouts")})
	whole := stream(bed(t, 200000, small), 200000, 0)
	require.InDelta(t, whole, lost, 0.02, "s")
	require.InEpsilon(t, 200000/0.75e6, whole, 0.1, "the circuit is full")
}

// TestTimeout: a lost segment with nothing behind it costs a timeout, which is the
// first one until a round trip has been timed.
func TestTimeout(t *testing.T) {
	r := bed(t, 100, func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{{Kind: trace.Message, Nth: 1}} })
	require.InDelta(t, 3, stream(r, 100, 0), 0.01, "s")
	require.Equal(t, []uint64{1, 0, 1}, []uint64{count(r, "repeated"), count(r, "fast"), count(r, "timeouts")})
}

// TestFullSocket: a receiver that does not read stops its sender; the window opens
// again, also if the message that says so is lost.
func TestFullSocket(t *testing.T) {
	const bytes = 400000
	for _, lost := range []uint64{0, 1} {
		r := bed(t, bytes)
		opened := sim.Time(0)
		r.Net.DropWhen(func(p *fabric.Packet) bool {
			late := p.Header.Meta.Kind == trace.Credit && r.Engine.Now() >= sim.Time(20*sim.Second) && p.Src == 1
			if late && opened == 0 {
				opened = r.Engine.Now()
				return lost == 1
			}
			return false
		})
		took := stream(r, bytes, 20*sim.Second)
		require.Greater(t, took, 20.0)
		require.Zero(t, count(r, "socket full"))
		require.NotZero(t, count(r, "probes"))
		require.NotZero(t, opened)
		require.Zero(t, count(r, "repeated"))
	}
}

// TestBothSend: two processes that send more than their sockets hold before they
// receive do not wait for each other.
func TestBothSend(t *testing.T) {
	const bytes = 300000
	r := bed(t, bytes)
	var got [2][]byte
	side := func(c *host.Context, p *testbed.Process) {
		out, in := p.Endpoint.Buffer(bytes), p.Endpoint.Buffer(bytes)
		p.Space.WriteAt(out, testbed.Pattern(uint64(p.Number), bytes))
		must(p.Endpoint.Send(c, 1-p.Number, out, bytes, trace.Meta{Kind: trace.Message}))
		_, err := p.Endpoint.Receive(c, 1-p.Number, in, bytes)
		must(err)
		got[p.Number] = make([]byte, bytes)
		p.Space.ReadAt(in, got[p.Number])
	}
	r.Go(side, side)
	for i := range got {
		require.Equal(t, testbed.Pattern(uint64(1-i), bytes), got[i])
	}
	quiet(t, r)
}

// TestNobodyAnswers: a connection fails after its last try, and the program is told.
func TestNobodyAnswers(t *testing.T) {
	r := bed(t, 100, with(func(s *tcp.Spec) { s.Tries = 3 }))
	r.Net.DropWhen(func(*fabric.Packet) bool { return true })
	r.Go(func(c *host.Context, p *testbed.Process) {
		must(p.Endpoint.Send(c, 1, p.Endpoint.Buffer(100), 100, trace.Meta{Kind: trace.Message}))
		_, err := p.Endpoint.Receive(c, 1, p.Endpoint.Buffer(100), 100)
		require.ErrorContains(t, err, "the connection to node 1 has failed: 1 segments had no answer after 3 tries")
		require.InDelta(t, 3*(1+2+4+8), sim.Duration(c.Now()).Seconds(), 0.1)
		require.ErrorContains(t, p.Endpoint.Send(c, 1, p.Endpoint.Buffer(100), 100, trace.Meta{Kind: trace.Message}), "has failed")
	})
	require.EqualValues(t, 1, r.Lost())
}

// TestSlowStart: the first segments of a stream wait for acknowledgements; a window of
// the size of the way would not.
func TestSlowStart(t *testing.T) {
	small := func(first int) testbed.Change {
		return with(func(s *tcp.Spec) { s.Firmware.PacketBytes, s.FirstWindow = 536, first })
	}
	slow, fast := stream(bed(t, 20000, small(1)), 20000, 0), stream(bed(t, 20000, small(64)), 20000, 0)
	require.Greater(t, slow, fast+0.004, "s: more than two round trips")
	require.Less(t, slow, fast+0.05)
}

// TestOvertaking: short segments that overtake long ones are put in order. Few are sent
// again, because that takes three that have overtaken one.
func TestOvertaking(t *testing.T) {
	overtaken := uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 9000), 2, 30).Draw(t, "sizes")
		r := bed(t, 9000, func(s *cluster.Spec) { s.Ports, s.Cards = true, ni.Uncontended{NetDMA: true, Slots: true} })
		r.Deliver(rapid.Uint64().Draw(t, "seed"), len(sizes)+1, sizes...)
		quiet(t, r)
		require.LessOrEqual(t, count(r, "repeated"), count(r, "out of order")/3)
		overtaken += count(r, "out of order")
	})
	require.NotZero(t, overtaken)
}

// TestSpecRefuses: a socket that does not hold two segments is an error, and a limit below what it limits.
func TestSpecRefuses(t *testing.T) {
	p, err := platform.Load("das-wan")
	require.NoError(t, err)
	own := *p.TCP
	own.ReceiveBytes = 2*own.Firmware.PacketBytes - 1
	require.ErrorContains(t, own.Validate(), "tcp.receive_bytes is 18279, want at least two segments, 18280")
	own = *p.TCP
	own.MostTimeout = own.FirstTimeout - 1
	require.ErrorContains(t, own.Validate(), "tcp.most_timeout_us is 2.999999999999e+06, want at least first_timeout_us and least_timeout_us, 3e+06")
}
