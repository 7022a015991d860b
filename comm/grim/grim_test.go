package grim_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const on = "grim-p3-lanai4"

// set changes the options of the layer.
func set(f func(*grim.Spec)) testbed.Change {
	return func(s *cluster.Spec) {
		g := *s.Profile.GRIM
		f(&g)
		s.Profile.GRIM = &g
	}
}

// options draws a valid set of options.
func options(t *rapid.T) testbed.Change {
	return set(func(s *grim.Spec) {
		s.Overlap = rapid.Bool().Draw(t, "overlap")
		s.ReceiverCutThrough = s.Overlap && rapid.Bool().Draw(t, "receiver")
		s.SenderCutThrough = rapid.Bool().Draw(t, "sender")
		s.FragmentBytes = rapid.SampledFrom([]int{256, 1000, 4096, 16384}).Draw(t, "fragment")
		s.SegmentBytes = rapid.IntRange(16, s.FragmentBytes/2).Draw(t, "segment")
		s.Channels = rapid.IntRange(1, 4).Draw(t, "channels")
		s.ChannelBytes = rapid.SampledFrom([]int{1, 3}).Draw(t, "fragments of a channel") * (s.FragmentBytes + s.HeaderBytes)
		s.Scoreboard = rapid.SampledFrom([]int{1, 2, 32}).Draw(t, "scoreboard")
		s.ReceiveBuffers = rapid.SampledFrom([]int{1, 2, 16}).Draw(t, "buffers")
		s.FIFOBytes = rapid.SampledFrom([]int{2, 5, 20}).Draw(t, "fragments of the FIFO") * (s.FragmentBytes + 16)
		s.CachePages = rapid.SampledFrom([]int{6, 256}).Draw(t, "pages")
		s.Timeout = 2 * sim.Millisecond
		s.VirtualDeposits = rapid.Bool().Draw(t, "virtual")
	})
}

// faulty draws how often packets are lost, damages some, and draws whether host DMAs wait for
// one another.
func faulty(t *rapid.T) (testbed.Change, func(*testbed.Test)) {
	percent := rapid.SampledFrom([]int{0, 0, 3, 10}).Draw(t, "percent lost")
	rate := rapid.SampledFrom([]float64{0, 2e-5}).Draw(t, "errors")
	draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	free := rapid.Bool().Draw(t, "a host DMA engine for each transfer")
	return func(s *cluster.Spec) { s.Faults.ErrorPerByte, s.Cards.HostDMA = rate, free },
		func(r *testbed.Test) { r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent }) }
}

// TestDelivery: with every valid set of options, messages arrive once, whole and in order,
// also over a network that loses and damages packets, through full queues and a full
// scoreboard.
func TestDelivery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		errors, drops := faulty(t)
		r := testbed.New(t, on, "grim", 2, 40000, options(t), errors)
		drops(r)
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 40000)), 1, 12).Draw(t, "sizes")
		r.Deliver(rapid.Uint64().Draw(t, "pattern"), rapid.IntRange(1, 5).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		for i, n := range r.Nodes {
			require.True(t, n.Layer.Quiet(), "node %d", i)
		}
		require.Zero(t, r.Net.InUse())
	})
}

// TestRefused: combinations of options that make no sense are refused with their rule.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*grim.Spec)
		want   string
	}{
		{func(s *grim.Spec) { s.FragmentBytes = s.MTUBytes + 1 }, "grim.fragment_bytes is 65025, want at most mtu_bytes = 65024"},
		{func(s *grim.Spec) { s.SegmentBytes = s.FragmentBytes/2 + 1 }, "leaves nothing to send while the rest comes"},
		{func(s *grim.Spec) { s.Overlap = false }, "grim.receiver_cut_through is true, want overlap = true"},
		{func(s *grim.Spec) { s.ChannelBytes = s.FragmentBytes }, "grim.channel_bytes is 16384, want at least a fragment and its header, 16416 B"},
		{func(s *grim.Spec) { s.FIFOBytes = 2 * s.FragmentBytes }, "grim.fifo_bytes"},
		{func(s *grim.Spec) { s.CachePages = 4 }, "grim.cache_pages is 4, want at least the 5 pages of a fragment"},
	} {
		p, err := platform.Load(on)
		require.NoError(t, err)
		s := *p.GRIM
		require.NoError(t, s.Validate())
		c.change(&s)
		require.ErrorContains(t, s.Validate(), c.want)
	}
}

// TestBothSend: processes that send more than all queues hold, and receive afterwards, do
// not wait for one another.
func TestBothSend(t *testing.T) {
	const messages, bytes = 60, 9000
	r := testbed.New(t, on, "grim", 2, bytes, set(func(s *grim.Spec) { s.FIFOBytes = 40000 }))
	both := func(c *host.Context, p *testbed.Process) {
		out := p.Space.Alloc(bytes)
		for i := range messages {
			p.Space.WriteAt(out, testbed.Pattern(uint64(p.Number*1000+i), bytes))
			require.NoError(t, p.Endpoint.Send(c, 1-p.Number, out, bytes, trace.Meta{Kind: trace.Message}))
		}
		b := make([]byte, bytes)
		for i := range messages {
			m, err := p.Endpoint.Receive(c, 1-p.Number, 0, bytes)
			require.NoError(t, err)
			p.Space.ReadAt(m.At, b)
			require.Equal(t, testbed.Pattern(uint64((1-p.Number)*1000+i), bytes), b, "message %d", i)
		}
	}
	r.Go(both, both)
	require.Positive(t, r.Count(0, "moved"))
	require.Positive(t, r.Count(0, "no room"))
	require.Zero(t, r.Lost())
}
