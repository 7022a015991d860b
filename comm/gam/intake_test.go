package gam_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func platformOf(t *testing.T, name string) *platform.Profile {
	p, err := platform.Load(name)
	require.NoError(t, err)
	return p
}

func tokens(n int) testbed.Change { return func(s *cluster.Spec) { s.Profile.GAM.Tokens = n } }

// Long data wait on the card until the receiver polls, whose receive includes their DMA.
// Short data are in memory before.
func TestAPollTakesDataIn(t *testing.T) {
	const away = sim.Millisecond
	for _, bytes := range []int{64, 4096} {
		var before uint64
		var took sim.Duration
		r := testbed.New(t, "ppro", "gam", 2, 4096)
		r.Go(func(c *host.Context, p *testbed.Process) {
			must(p.Endpoint.Send(c, 1, p.Endpoint.Buffer(bytes), bytes, trace.Meta{Kind: trace.Message}))
		}, func(c *host.Context, p *testbed.Process) {
			into := p.Space.Alloc(int64(bytes))
			c.Spend(away)
			before = p.Node.NIC.Stats().HostDMAs
			begin := c.Now()
			receive(c, p, 0, into, bytes)
			took = c.Now().Sub(begin)
		})
		card := platformOf(t, "ppro").NI
		dma := sim.Microseconds(card.HostDMASetupUs + float64(bytes)/card.HostDMAToHostMBps)
		if bytes > 128 {
			require.Zero(t, before)
			require.Greater(t, took, dma+r.Procs[1].Node.Host.Spec().CopyHit.Time(bytes))
		} else {
			require.EqualValues(t, 1, before)
			require.Less(t, took, dma)
		}
	}
}

// One message at a time is taken in, in the order of arrival, also while later and shorter
// ones of the same sender are in memory already.
func TestMessagesAreTakenInInOrder(t *testing.T) {
	sizes := []int{4096, 8, 4096, 2000, 16, 4096}
	r := testbed.New(t, "ppro", "gam", 2, 4096)
	var dmas []uint64
	r.Go(func(c *host.Context, p *testbed.Process) {
		a := p.Endpoint.Buffer(4096)
		for i, n := range sizes {
			p.Space.WriteAt(a, testbed.Pattern(uint64(i), n))
			must(p.Endpoint.Send(c, 1, a, n, trace.Meta{Kind: trace.Message}))
		}
	}, func(c *host.Context, p *testbed.Process) {
		into := p.Space.Alloc(4096)
		c.Spend(sim.Millisecond)
		for i, n := range sizes {
			got, err := p.Endpoint.Receive(c, 0, into, 4096)
			must(err)
			require.Equal(t, n, got.Bytes)
			data := make([]byte, n)
			p.Space.ReadAt(into, data)
			require.Equal(t, testbed.Pattern(uint64(i), n), data)
			dmas = append(dmas, p.Node.NIC.Stats().HostDMAs)
		}
	})
	require.Less(t, dmas[0], dmas[2], "the second long message is taken in by a later poll")
}

// The bandwidth of a stream follows from the busier host. With a single token it follows
// from the round trip, and with enough tokens their number has no effect.
func TestStreamsFollowFromBuffersAndTurns(t *testing.T) {
	const n = 4096
	p := platformOf(t, "ppro")
	dma := p.NI.HostDMASetupUs + p.NI.HostDMAJitterUs/2 + n/p.NI.HostDMAToHostMBps
	copied := (p.Host.CopyHit.Time(n/2) + p.Host.CopyMiss.Time(n/2)).Us() // the source is cold, the destination is not
	one, four, eight := stream(t, "ppro", 64<<10, 8, tokens(1)), stream(t, "ppro", 64<<10, 8, tokens(4)), stream(t, "ppro", 64<<10, 8)
	require.Less(t, eight, n/(dma+copied))
	near(t, n/(dma+copied), eight, 0.1, "the receiver's DMA and copy")
	near(t, four, eight, 0.01, "four and eight tokens")
	require.Less(t, one, 0.6*eight)
	near(t, n/oneWay(t, "ppro", n, 20), one, 0.1, "one message at a time")
}
