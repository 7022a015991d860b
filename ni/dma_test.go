package ni_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// transfers starts DMAs of 100 B (2 µs into the card, 3 µs out of it) in one
// handler and returns when each of them ended, in the order of their start.
func transfers(t *testing.T, free ni.Uncontended, dirs []ni.Direction, also func(*rig), card ...func(*ni.Spec)) (*rig, []sim.Time) {
	r := newRig(t, setup{free: free, card: func(s *ni.Spec) {
		for _, change := range card {
			change(s)
		}
	}})
	n, p := r.nics[0], r.progs[0]
	p.takes("hostdone", 60)
	p.on("timer", func() {
		for i, d := range dirs {
			n.HostDMA(&ni.DMA{Dir: d, Bytes: 100, Arg: uint64(i)})
		}
		if also != nil {
			also(r)
		}
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	ends := make([]sim.Time, len(dirs))
	for _, m := range p.moved {
		if m.arg < uint64(len(ends)) {
			ends[m.arg] = m.look
		}
	}
	return r, ends
}

// TestOneHostDMA: the H engine does one transfer after the other, in order,
// and starts the next one when the loop notices the end, before the program's
// handler.
func TestOneHostDMA(t *testing.T) {
	r, ends := transfers(t, ni.Uncontended{}, []ni.Direction{ni.ToNI, ni.ToHost, ni.ToNI}, nil)
	p := r.progs[0]
	require.Equal(t, []string{"timer", "hostdone", "hostdone", "hostdone"}, p.calls())
	for i, d := range p.dmas {
		require.EqualValues(t, i, d.Arg)
		require.EqualValues(t, i, p.moved[i].arg)
	}
	require.Equal(t, p.log[0].at.Add(5*cycle+2*us), ends[0])
	for i, took := range []sim.Duration{3 * us, 2 * us} {
		noticed := p.log[1+i]
		require.Equal(t, noticed.look.Add(5*cycle+took), ends[i+1], "transfer %d", i+1)
	}
	s := r.nics[0].Stats()
	require.EqualValues(t, 3, s.HostDMAs)
	require.EqualValues(t, 2, s.HostQueued)
}

// TestTwoHostEngines: transfers in both directions run at once, and one that waits
// begins when the loop notices the end of the one in its direction.
func TestTwoHostEngines(t *testing.T) {
	r, ends := transfers(t, ni.Uncontended{SRAM: true}, []ni.Direction{ni.ToNI, ni.ToHost, ni.ToNI}, nil, func(s *ni.Spec) { s.HostEngines = 2 })
	p := r.progs[0]
	at := p.log[0].at
	require.Equal(t, at.Add(5*cycle+2*us), ends[0])
	require.Equal(t, at.Add(10*cycle+3*us), ends[1])
	require.Equal(t, p.log[1].look.Add(5*cycle+2*us), ends[2])
	s := r.nics[0].Stats()
	require.EqualValues(t, 3, s.HostDMAs)
	require.EqualValues(t, 1, s.HostQueued)
}

func TestFreeHostDMA(t *testing.T) {
	r, ends := transfers(t, ni.Uncontended{HostDMA: true, SRAM: true}, []ni.Direction{ni.ToNI, ni.ToHost, ni.ToNI}, nil)
	at := r.progs[0].log[0].at
	for i, took := range []sim.Duration{2 * us, 3 * us, 2 * us} {
		require.Equal(t, at.Add(sim.Duration(i+1)*5*cycle+took), ends[i], "transfer %d starts at once", i)
	}
	require.Zero(t, r.nics[0].Stats().HostQueued)
}

// TestCancelHost takes out those that have not begun, and no others.
func TestCancelHost(t *testing.T) {
	var asked []uint64
	r, _ := transfers(t, ni.Uncontended{}, make([]ni.Direction, 6), func(r *rig) {
		r.nics[0].CancelHost(func(d *ni.DMA) bool {
			asked = append(asked, d.Arg)
			return d.Arg != 2 && d.Arg != 4
		})
		r.nics[0].HostDMA(&ni.DMA{Bytes: 100, Arg: 9})
	})
	require.Equal(t, []uint64{1, 2, 3, 4, 5}, asked)
	var did []uint64
	for _, d := range r.progs[0].dmas {
		did = append(did, d.Arg)
	}
	require.Equal(t, []uint64{0, 2, 4, 9}, did)
}

// TestInternalBus: both network engines at full speed leave a third of the
// internal bus to the H engine; one of them leaves enough.
func TestInternalBus(t *testing.T) {
	took := func(free ni.Uncontended, sending, receiving bool) sim.Duration {
		r := newRig(t, setup{free: free})
		n, p := r.nics[0], r.progs[0]
		if receiving {
			r.inject(1, trace.Data, 4000, sim.Time(41*us))
		}
		p.on("timer", func() {
			if sending {
				n.Send(r.packet(0, trace.Data, 4000), &ni.Record{})
			}
			n.HostDMA(&ni.DMA{Dir: ni.ToNI, Bytes: 1000})
		})
		n.SetTimer(sim.Time(2 * us))
		r.run(t)
		began := p.log[0].at.Add(5 * cycle)
		if sending {
			began = began.Add(7 * cycle)
		}
		return p.moved[0].look.Sub(began) - us // set-up
	}
	alone := sim.MBps(100).Time(1000)
	third := sim.Rate(200_000_000 / 3).Time(1000)
	require.Equal(t, alone, took(ni.Uncontended{}, false, false))
	require.Equal(t, alone, took(ni.Uncontended{}, true, false))
	require.Equal(t, alone, took(ni.Uncontended{}, false, true))
	require.Equal(t, third, took(ni.Uncontended{}, true, true))
	require.Equal(t, alone, took(ni.Uncontended{SRAM: true}, true, true))
}

// owner has transfers of its own.
type owner struct {
	n     *ni.NIC
	moved []sim.Time
	done  []sim.Time
}

func (o *owner) Transferred(*ni.DMA)            { o.moved = append(o.moved, o.n.Engine().Now()) }
func (o *owner) HostDone(_ *ni.DMA, _ sim.Time) { o.done = append(o.done, o.n.Engine().Now()) }

// TestOwnedDMA: the program hears nothing of a transfer that has an owner, and
// cannot cancel it, but waits for the engine behind it.
func TestOwnedDMA(t *testing.T) {
	o := &owner{}
	r, ends := transfers(t, ni.Uncontended{}, make([]ni.Direction, 2), func(r *rig) {
		o.n = r.nics[0]
		require.True(t, o.n.HostBusy())
		o.n.HostDMA(&ni.DMA{Bytes: 100, Arg: 7, Owner: o})
		o.n.HostDMA(&ni.DMA{Bytes: 100, Arg: 9})
		o.n.CancelHost(func(d *ni.DMA) bool { return d.Arg != 9 })
	})
	require.False(t, o.n.HostBusy())
	p := r.progs[0]
	require.Equal(t, []string{"timer", "hostdone", "hostdone"}, p.calls(), "transfers 0 and 9")
	require.Len(t, o.moved, 1)
	require.Len(t, o.done, 1)
	require.Less(t, ends[0], o.moved[0])
	require.Less(t, o.moved[0], p.moved[1].look)
	require.Less(t, o.moved[0], o.done[0])
}

// TestUncontendedKeepsOrder: an engine that is never busy ends the deposits from one
// node in the order in which they began, and others without waiting for them.
func TestUncontendedKeepsOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, setup{free: ni.Uncontended{HostDMA: true, Processor: rapid.Bool().Draw(rt, "processor")}})
		n, p := r.nics[0], r.progs[0]
		sizes := rapid.SliceOfN(rapid.IntRange(1, 4096), 1, 20).Draw(rt, "bytes")
		var ended [2][]int
		p.on("timer", func() {
			for i, bytes := range sizes {
				packet := r.net.NewPacket()
				packet.Src = int32(i % 2)
				n.HostDMA(&ni.DMA{Dir: ni.ToHost, Bytes: bytes, Arg: uint64(i), Packet: packet})
			}
		})
		n.SetTimer(sim.Time(us))
		r.run(t)
		for _, m := range p.moved {
			ended[m.arg%2] = append(ended[m.arg%2], int(m.arg))
		}
		for _, list := range ended {
			require.True(rt, slices.IsSorted(list), "%v", list)
		}
		require.Len(rt, slices.Concat(ended[0], ended[1]), len(sizes))
	})
}

// TestHostStarts: a transfer that the host starts costs the processor nothing until it ends.
// The next one of the list starts when the main loop notices that.
func TestHostStarts(t *testing.T) {
	r := newRig(t, setup{})
	n := r.nics[0]
	o := &owner{n: n}
	r.at(sim.Time(us), func() {
		n.HostStarts(&ni.DMA{Dir: ni.ToNI, Bytes: 100, Owner: o})
		n.HostStarts(&ni.DMA{Dir: ni.ToHost, Bytes: 100, Owner: o})
	})
	r.run(t)
	require.Len(t, o.moved, 2)
	require.Equal(t, sim.Time(us).Add(2*us), o.moved[0], "set-up and bytes")
	require.LessOrEqual(t, o.moved[1].Sub(o.moved[0]), 3*us+loopTime+test+5*cycle)
	require.Greater(t, o.moved[1].Sub(o.moved[0]), 3*us+5*cycle)
	require.Len(t, o.done, 2)
	require.Empty(t, r.progs[0].dmas, "the program does not see them")
	require.EqualValues(t, 1, n.Stats().HostQueued)
}
