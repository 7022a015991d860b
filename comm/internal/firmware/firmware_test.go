package firmware

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

func TestSpecRefuses(t *testing.T) {
	s := spec()
	require.Equal(t, 15, boundstest.Refuses(t, "x.firmware", &s, func() error { return bounds.Check("x.firmware", &s) }))
}

// TestMessageArrives: data that the host stored and data that are fetched come
// whole, cut into packets, in order, the first one marked.
func TestMessageArrives(t *testing.T) {
	for _, c := range []struct {
		bytes, packets int
		inline         bool
	}{{0, 1, true}, {0, 1, false}, {1, 1, true}, {100, 1, true}, {1, 1, false}, {1024, 1, false}, {1025, 2, false}, {5000, 5, false}} {
		r := newRig(t, nil)
		var m *Request
		r.run(t, 0, func(c2 *host.Context) {
			m = r.ends[0].message(c.bytes, c.inline, "abcdefg")
			m.Hold()
			r.ends[0].program.Post(c2, m, us, host.Combining)
			require.False(t, m.Left)
			m.Wait(c2, true)
			require.True(t, m.Gone && m.Left)
		})
		got := ""
		for i, l := range r.ends[1].landed {
			require.Equal(t, i == 0, l.first)
			require.EqualValues(t, len(got), l.offset)
			got += l.data
		}
		require.Len(t, r.ends[1].landed, c.packets)
		want := make([]byte, c.bytes)
		r.ends[0].space.ReadAt(m.From, want)
		require.Equal(t, string(want), got)
		there := make([]byte, c.bytes)
		r.ends[1].space.ReadAt(r.ends[1].region, there)
		require.Equal(t, want, there)
		for _, x := range r.ends {
			require.True(t, x.program.Quiet())
		}
		s := r.ends[0].program.Stats()
		require.EqualValues(t, c.packets, s.Packets)
		require.EqualValues(t, c.packets, r.ends[1].program.Stats().Delivered)
		require.Zero(t, r.net.InUse())
	}
}

// TestFetchOverlapsInjection: a long message takes one stage per packet, not
// the sum of all, once packets overlap.
func TestFetchOverlapsInjection(t *testing.T) {
	took := func(slots int) sim.Duration {
		r := newRig(t, func(s *Spec, _ *ni.Spec) { s.SendPackets = slots })
		r.run(t, 0, func(c *host.Context) {
			r.ends[0].program.Post(c, r.ends[0].message(16<<10, false, "x"), 0, host.Combining)
		})
		l := r.ends[1].landed
		return l[len(l)-1].at.Sub(l[0].at) / sim.Duration(len(l)-1)
	}
	// A packet: fetch 1 + 10.24 µs, injection 10.40 µs, deposit 11.24 µs.
	require.InDelta(t, 21.8*float64(us), float64(took(1)), float64(us))
	require.InDelta(t, 11.6*float64(us), float64(took(2)), float64(us))
}

// TestCutThrough: the wire starts while the fetch goes on, which saves the
// time of a packet on it, and the monitor's instants keep their order.
func TestCutThrough(t *testing.T) {
	arrives := func(through bool) (sim.Time, []string) {
		r := newRig(t, func(s *Spec, _ *ni.Spec) { s.CutThrough = through })
		p := &probe{nic: r.ends[0].program.NIC()}
		r.ends[0].program.NIC().Attach(p)
		r.run(t, 0, func(c *host.Context) {
			r.ends[0].program.Post(c, r.ends[0].message(1024, false, "xy"), 0, host.Combining)
		})
		require.Equal(t, "xyxy", r.ends[1].landed[0].data[:4])
		require.Zero(t, r.ends[0].program.Stats().Underruns)
		return r.ends[1].landed[0].at, p.log
	}
	stored, storedLog := arrives(false)
	through, throughLog := arrives(true)
	require.InDelta(t, 10.24*float64(us), float64(stored.Sub(through)), float64(us/2))
	require.Equal(t, []string{"requested", "fetched", "injecting", "injected"}, storedLog)
	require.Equal(t, []string{"requested", "injecting", "fetched", "injected"}, throughLog)
}

// TestOrder: what the host has stored into the queue does not overtake what is
// being fetched, nor does a message without data.
func TestOrder(t *testing.T) {
	r := newRig(t, func(s *Spec, card *ni.Spec) { s.SendPackets, card.ReceiveBuffers = 8, 8 })
	x := r.ends[0]
	r.ends[1].way = Keep
	r.run(t, 0, func(c *host.Context) {
		for _, m := range []*Request{
			x.message(1500, false, "a"), x.message(8, true, "b"), x.message(1000, false, "c"), x.message(0, false, "d"), x.message(20, false, "e"),
		} {
			x.program.Post(c, m, 0, host.Combining)
		}
	})
	got := ""
	for _, l := range r.ends[1].landed {
		got += (l.data + "-")[:1]
	}
	require.Equal(t, "aabc-e", got)
}

// TestCutThroughWantsASlowWire: a wire that is faster than what feeds it would
// run dry.
func TestCutThroughWantsASlowWire(t *testing.T) {
	r := newRig(t, nil)
	s := spec()
	s.CutThrough = true
	card := *r.ends[0].program.NIC().Spec()
	card.NetDMAMBps = 200
	require.ErrorContains(t, s.fits(&card, "x.firmware"), "x.firmware.cut_through with an S engine of 200 MB/s and an H engine of 100 MB/s")
	s.PacketBytes = 4096
	require.ErrorContains(t, s.fits(&card, "x.firmware"), "packets of 4096 B")
}

// TestQueueFills: the library waits for an entry, in order, and nothing is lost.
func TestQueueFills(t *testing.T) {
	r := newRig(t, nil)
	r.ends[0].closed = true
	const n = 9
	r.engine.At(sim.Time(300*us), opener{r.ends[0]}, 0, 0)
	posted := []sim.Time{}
	r.run(t, 0, func(c *host.Context) {
		for i := range n {
			m := r.ends[0].message(4, true, string(rune('a'+i)))
			r.ends[0].program.Post(c, m, us, host.Combining)
			posted = append(posted, c.Now())
		}
	})
	require.Len(t, r.ends[1].landed, n)
	for i, l := range r.ends[1].landed {
		require.Equal(t, string(rune('a'+i)), l.data[:1])
	}
	require.Less(t, posted[3], sim.Time(300*us))
	require.Greater(t, posted[4], sim.Time(300*us), "four entries")
}

// opener lets an end take requests up again; a packet that arrives makes its
// main loop look.
type opener struct{ x *end }

func (o opener) Act(uint32, uint64) {
	o.x.closed = false
	o.x.program.nic.SetTimer(o.x.program.Now())
}

// TestKept: packets stay in the receive ring until they are released, and hold
// the sender back when it is full.
func TestKept(t *testing.T) {
	r := newRig(t, func(s *Spec, c *ni.Spec) { c.ReceiveBuffers = 3 })
	r.ends[1].way = Keep
	r.run(t, 0, func(c *host.Context) {
		for range 5 {
			r.ends[0].program.Post(c, r.ends[0].message(64, true, "k"), 0, host.Combining)
		}
		c.Sleep(sim.Millisecond)
		require.Len(t, r.ends[1].landed, 3)
		for range 5 {
			k := r.ends[1].kept[0]
			r.ends[1].kept = r.ends[1].kept[1:]
			r.ends[1].program.Release(k)
			c.Sleep(100 * us)
		}
	})
	require.Len(t, r.ends[1].landed, 5)
	require.Zero(t, r.net.InUse())
}

// TestLosses: damaged packets and those that a forward reset takes are told of.
func TestLosses(t *testing.T) {
	r := newRig(t, nil)
	r.net.DropWhen(func(p *fabric.Packet) bool { p.CRCError = len(r.ends[1].lost) == 0; return false })
	r.run(t, 0, func(c *host.Context) {
		for range 2 {
			r.ends[0].program.Post(c, r.ends[0].message(64, true, "d"), 0, host.Combining)
			c.Sleep(100 * us)
		}
	})
	require.Equal(t, []Loss{Damaged}, r.ends[1].lost)
	require.Len(t, r.ends[1].landed, 1)
	require.EqualValues(t, 1, r.ends[1].program.Stats().Damaged)
	require.Zero(t, r.net.InUse())

	r = newRig(t, func(_ *Spec, c *ni.Spec) { c.HostDMAToHostMBps = 10 }) // 100 µs each
	x := r.ends[1].program
	r.run(t, 0, func(c *host.Context) {
		for range 4 {
			r.ends[0].program.Post(c, r.ends[0].message(1000, false, "f"), 0, host.Combining)
		}
		c.Sleep(150 * us) // all have arrived, the second is being deposited
		require.Len(t, r.ends[1].landed, 1)
		x.nic.Reset()
	})
	require.Len(t, r.ends[1].landed, 2)
	require.Equal(t, []Loss{Flushed, Flushed}, r.ends[1].lost)
	require.EqualValues(t, 2, x.nic.Stats().Flushed)
	require.Zero(t, r.net.InUse())
}

// TestControl: packets of the control program's own go without a request, and
// are dropped once the layer has seen them.
func TestControl(t *testing.T) {
	r := newRig(t, nil)
	p := r.ends[0].program
	send := func() { p.Control(1, func(h *fabric.Header) { h.Meta.Kind = trace.Ack }) }
	r.ends[0].timer = send
	p.nic.SetTimer(sim.Time(us))
	require.NoError(t, r.engine.Run(sim.Never))
	require.Equal(t, 1, r.ends[1].control)
	require.Empty(t, r.ends[1].landed)
	require.EqualValues(t, 1, p.Stats().Control)
	require.Zero(t, r.net.InUse())
	require.Panics(t, func() { p.Control(1, func(h *fabric.Header) { h.Meta.Kind = trace.Message }) })
}

// TestQueuesInHostMemory: the interface processor pays for reaching across the
// bus, for what it reads of a request and what it writes for the host.
func TestQueuesInHostMemory(t *testing.T) {
	busy := func(place string, way Action) [2]sim.Duration {
		r := newRig(t, func(_ *Spec, c *ni.Spec) {
			c.Queues = ni.Queues{Place: place, UnitBytes: 8, ReadNs: 300, WriteNs: 100}
		})
		r.ends[1].way = way
		r.run(t, 0, func(c *host.Context) { r.ends[0].program.Post(c, r.ends[0].message(20, true, "q"), 0, host.Combining) })
		return [2]sim.Duration{r.ends[0].program.nic.Stats().Busy, r.ends[1].program.nic.Stats().Busy}
	}
	sram, there := busy("sram", Keep), busy("host", Keep)
	require.Equal(t, 5*300*ns, there[0]-sram[0], "a descriptor of four words and 20 B")
	require.Equal(t, 5*100*ns, there[1]-sram[1], "a header of 16 B and 20 B")
	require.Equal(t, busy("sram", Deposit)[1], busy("host", Deposit)[1], "the H engine writes")
}

// probe notes what the monitor is told.
type probe struct {
	nic *ni.NIC
	log []string
}

func (p *probe) note(what string)                     { p.log = append(p.log, what) }
func (p *probe) Requested(*ni.Record, sim.Time)       { p.note("requested") }
func (p *probe) Fetched(*ni.Record, sim.Time)         { p.note("fetched") }
func (p *probe) Injecting(*ni.Record, *fabric.Packet) { p.note("injecting") }
func (p *probe) Injected(*ni.Record, sim.Time)        { p.note("injected") }
func (p *probe) Arriving(*fabric.Packet)              { p.note("arriving") }
func (p *probe) Delivered(*fabric.Packet, sim.Time)   { p.note("delivered") }
func (p *probe) Idle() bool                           { return false }
func (p *probe) Deferred() bool                       { return false }
func (p *probe) Private() bool                        { return false }
func (p *probe) Words() (descriptor int, header int)  { return 2, 2 }
