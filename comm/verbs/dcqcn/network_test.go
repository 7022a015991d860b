package dcqcn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
)

// card sends packets of one flow to node 0 at the rate of its sender, and node 0 notifies senders of marks.
type card struct {
	all      []*card
	engine   *sim.Engine
	net      *fabric.Net
	node     int32
	spec     *Spec
	sender   Sender
	receiver []Receiver // of node 0, by sender
	limited  bool       // by DCQCN
	began    sim.Time
	received []float64 // by sender, in the second half
}

const (
	packetBytes = 1106
	span        = sim.Time(100 * sim.Millisecond)
)

func (c *card) Accept(*fabric.Packet) bool { return true }
func (c *card) Reset()                     {}

// Sent waits until the flow's rate allows the next packet.
func (c *card) Sent(p *fabric.Packet) {
	now := c.engine.Now()
	c.sender.Sent(now, p.WireBytes)
	if next := c.began.Add(c.sender.Rate(now).Time(p.WireBytes)); c.limited && next > now {
		c.engine.At(next, c, 0, 0)
		return
	}
	c.Act(0, 0)
}

// Act sends a packet (0) or takes a notice (1).
func (c *card) Act(op uint32, _ uint64) {
	now := c.engine.Now()
	if op == 1 {
		c.sender.Notified(now)
		return
	}
	if c.began = now; now < span {
		p := c.net.NewPacket()
		p.Src, p.WireBytes, p.WantSent = c.node, packetBytes, true
		c.net.Inject(p, now, sim.MBps(5000))
	}
}

func (c *card) Arrived(p *fabric.Packet) {
	if now := c.engine.Now(); p.Marked && c.receiver[p.Src].Marked(c.spec, now) {
		c.engine.After(sim.Microsecond, c.all[p.Src], 1, 0)
	}
	if p.T5 > span/2 && p.T5 <= span {
		c.received[p.Src] += float64(p.WireBytes) / (sim.Duration(span/2).Seconds() * 5e9)
	}
	c.net.Free(p)
}

// incast lets eight nodes send to node 0 through a switch with pause frames. It returns their shares of the link,
// and how many pause frames there have been in all and until the middle.
func incast(t *testing.T, limited bool) (shares []float64, pauses, before uint64) {
	e, spec := sim.New(1), Paper()
	net, err := fabric.New(e, fabric.Spec{
		Topology: fabric.Topology{Nodes: 9, Radix: 16}, LinkRate: sim.MBps(5000), WireDelay: 10 * sim.Nanosecond, SwitchDelay: 300 * sim.Nanosecond,
		Buffer: &fabric.Buffer{
			Control: fabric.PFC, LargestPacket: packetBytes, SwitchBytes: 4_000_000, Alpha: 0.125, Headroom: 6000, XonGap: 2000,
			Reaction: 100 * sim.Nanosecond, ECN: &fabric.ECN{Min: 5000, Max: 200_000, Share: 0.01},
		},
	})
	require.NoError(t, err)
	all := make([]*card, 9)
	for i := range all {
		all[i] = &card{all: all, engine: e, net: net, node: int32(i), spec: &spec, sender: NewSender(&spec, sim.MBps(5000)), limited: limited}
		all[i].receiver, all[i].received = make([]Receiver, 9), make([]float64, 9)
		net.Attach(i, all[i])
		if i > 0 {
			e.At(0, all[i], 0, 0)
		}
	}
	require.NoError(t, e.Run(span/2))
	before = net.Stats().Pauses
	require.NoError(t, e.Run(sim.Never))
	require.Zero(t, net.Stats().Dropped)
	return all[0].received[1:], net.Stats().Pauses, before
}

// TestIncastWithoutPauses: eight flows at full rate make a switch pause their senders. With DCQCN it does so only at
// first; then marks keep the queue short, the link is full and the shares are alike.
func TestIncastWithoutPauses(t *testing.T) {
	shares, pauses, before := incast(t, false)
	t.Logf("without: shares %.3f, %d pauses until the middle, then %d", shares, before, pauses-before)
	require.Greater(t, pauses-before, uint64(10_000))
	shares, pauses, before = incast(t, true)
	t.Logf("with: shares %.3f, %d pauses until the middle, then %d", shares, before, pauses-before)
	require.Equal(t, before, pauses)
	require.Positive(t, before)
	sum := 0.
	for _, s := range shares {
		require.InEpsilon(t, 1./8, s, 0.25)
		sum += s
	}
	require.Greater(t, sum, 0.9)
}
