package ni_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// carrier is a program that sends, deposits and acknowledges packets, with a probe whose work is
// deferred.
type carrier struct {
	*program
	net    *fabric.Net
	sizes  []int
	active int
	slots  int
	sent   int
	owed   int
	left   int // pieces of deferred work
}

func (c *carrier) Ready() bool             { return c.active < c.slots }
func (c *carrier) Private(*ni.Record) bool { return c.owed == 0 }

func (c *carrier) Request() {
	c.note("request", 0, uint64(c.sent))
	c.active++
	size := c.sizes[c.sent%len(c.sizes)]
	r := &ni.Record{Arg: uint64(c.sent), Keep: int32(size % 300)}
	c.sent++
	c.send(trace.Data, size, r)
}

func (c *carrier) send(k trace.Kind, size int, r *ni.Record) {
	p := c.net.NewPacket()
	p.Src, p.Dst = int32(c.nic.ID()), int32(1-c.nic.ID())
	p.Header.Meta.Kind, p.WireBytes = k, size
	c.nic.Send(p, r)
}

func (c *carrier) Received(p *fabric.Packet) {
	c.note("received", 0, uint64(p.WireBytes))
	if !p.Header.Meta.Kind.CarriesRequest() {
		c.nic.Drop(p)
		return
	}
	c.nic.HostDMA(&ni.DMA{Dir: ni.ToHost, Bytes: p.WireBytes, Packet: p})
	if p.WireBytes%5 == 0 {
		c.nic.SetTimer(c.nic.Now()) // when the handler ends and the loop looks again
	}
}

func (c *carrier) Timer() { c.note("timer", 0, 0) }

func (c *carrier) HostDone(d *ni.DMA, at sim.Time) {
	c.note("hostdone", at, uint64(d.Bytes))
	c.nic.Drop(d.Packet)
	if c.nic.Sending() {
		c.owed++
		c.nic.AwaitSend()
		return
	}
	c.send(trace.Ack, 16, nil)
}

func (c *carrier) Sent(r *ni.Record, at sim.Time) {
	c.note("sent", at, r.Arg)
	c.active--
	c.SendIdle()
}

func (c *carrier) SendIdle() {
	if c.owed > 0 && !c.nic.Sending() {
		c.owed--
		c.send(trace.Ack, 16, nil)
	}
	if c.owed > 0 {
		c.nic.AwaitSend()
	}
}

func (c *carrier) Flush() int {
	n := 0
	c.nic.CancelHost(func(d *ni.DMA) bool {
		c.nic.Drop(d.Packet)
		n++
		return true
	})
	return n
}

func (c *carrier) Transferred(d *ni.DMA) {
	c.moved = append(c.moved, noted{what: "moved", look: c.nic.Engine().Now(), arg: uint64(d.Bytes)})
}

// binner is a probe whose deferred work concerns the card alone.
type binner struct {
	probe
	c *carrier
}

func (b *binner) Injected(*ni.Record, sim.Time)      { b.c.left++ }
func (b *binner) Delivered(*fabric.Packet, sim.Time) { b.c.left++ }
func (b *binner) Deferred() bool                     { return b.c.left > 0 }
func (b *binner) Private() bool                      { return true }
func (b *binner) Idle() bool {
	b.c.left--
	b.c.note("idle", 0, 0)
	b.c.nic.Spend(37)
	return true
}

// traffic runs random traffic between two cards and returns what their programs saw, and when.
func traffic(t *testing.T, seed uint64, stepwise bool) (all []string, events uint64) {
	random := rand.New(rand.NewPCG(seed, 0))
	limit := []sim.Duration{50 * sim.Millisecond, 25 * us}[random.IntN(2)]
	engines, switched := random.IntN(3), random.IntN(2) == 0
	r := newRig(t, setup{
		seed: seed,
		card: func(s *ni.Spec) {
			s.ClockHz, s.NetDMAMBps, s.HostDMAToHostMBps, s.HostDMAJitterUs, s.HostEngines = 97e6, 83, 91, 0.7, engines
			s.Loop.InlineChecks, s.ReceiveBuffers = random.IntN(2) == 0, 2+random.IntN(4)
		},
		network: func(s *fabric.Spec) {
			s.BlockLimit, s.LinkRate = limit, sim.MBps(89)
			if switched {
				s.Topology, s.SwitchDelay = fabric.Topology{Nodes: 2}, 100*ns
			}
		},
	})
	var cs [2]*carrier
	for i, n := range r.nics {
		c := &carrier{program: r.progs[i], net: r.net, slots: 1 + random.IntN(2)}
		c.cycles = map[string]int{"request": random.IntN(200), "received": random.IntN(200), "hostdone": random.IntN(60), "sent": random.IntN(60), "demultiplex": random.IntN(100)}
		for range 5 {
			c.sizes = append(c.sizes, 20+random.IntN(400))
		}
		cs[i] = c
		n.Load(c)
		n.Attach(&binner{probe{program: r.progs[i]}, c})
		if stepwise {
			n.Stepwise()
		}
		pool := r.hosts[i].Pool()
		for range 120 {
			at := sim.Time(random.Int64N(int64(600 * us)))
			switch size := random.Int64N(3000); random.IntN(5) {
			case 0:
				r.at(at, func() {
					pool.Start(new(sim.Flow), size, sim.MBps(700), host.OnIOBus|host.OnMemBus, call(func() {}), 0, 0)
				})
			case 1:
				r.at(at, func() { n.Stall(sim.Duration(size) * ns) })
			default:
				r.at(at, func() { all = append(all, fmt.Sprint(i, "seen", n.Post())) })
			}
		}
	}
	r.run(t)
	for i, n := range r.nics {
		stats := n.Stats() // brings the card up to the present
		for _, e := range cs[i].log {
			all = append(all, fmt.Sprint(i, e.what, e.at, e.seen, e.arg))
		}
		for _, e := range cs[i].moved {
			all = append(all, fmt.Sprint(i, e.what, e.look, e.arg))
		}
		bus := r.hosts[i].Pool().Stats(host.SRAM)
		bus.Contended = 0
		all = append(all, fmt.Sprintf("%d %+v %+v", i, stats, bus))
	}
	return append(all, fmt.Sprintf("%+v", r.net.Stats())), r.engine.Events()
}

// TestStepsWithoutEvents: what programs see, and when, does not depend on which steps of the
// cards have events. Packets are refused and lost in forward resets, the buses are used by
// others, and the processor stalls. Of events at the same picosecond another one may come first;
// these seeds have none that matter.
func TestStepsWithoutEvents(t *testing.T) {
	var few, all uint64
	for seed := range uint64(80) {
		want, n := traffic(t, seed, true)
		got, m := traffic(t, seed, false)
		require.Len(t, got, len(want))
		for i := range want {
			require.Equal(t, want[i], got[i], "seed %d, line %d", seed, i)
		}
		few, all = few+m, all+n
	}
	require.Less(t, few, all*9/10)
}
