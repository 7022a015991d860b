package ni_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// pipelined is a card of pipelines behind PCIe.
var pipelined = setup{
	card: func(s *ni.Spec) { s.Pipelined = true },
	host: func(s *host.Spec) {
		s.IOBus, s.PCIe = 0, &host.PCIe{Generation: 3, Lanes: 16, Payload: 256, ReadBytes: 512, Tags: 64, Write: 200 * ns, Read: 400 * ns, Hop: 50 * ns}
	},
}

// worked is the end of a piece of work.
type worked struct {
	at  sim.Time
	op  uint32
	arg uint64
}

type worker struct {
	nic *ni.NIC
	log []worked
}

func (w *worker) Worked(op uint32, arg uint64) {
	w.log = append(w.log, worked{w.nic.Now(), op, arg})
}

// TestHold: later work begins when what holds the unit has ended, and not now.
func TestHold(t *testing.T) {
	r := newRig(t, pipelined)
	w := &worker{nic: r.nics[0]}
	u := w.nic.NewUnit(w)
	u.Do(10*ns, 1, 0)
	u.Hold(5 * ns)
	u.Do(10*ns, 2, 0)
	u.Hold(100 * ns)
	require.Equal(t, 125*ns, u.Busy)
	require.NoError(t, r.engine.Run(sim.Time(50*ns)))
	require.Equal(t, []worked{{sim.Time(10 * ns), 1, 0}, {sim.Time(25 * ns), 2, 0}}, w.log)
	require.False(t, u.Idle())
}

// TestUnits: a unit does one piece of work after the other, beside other units.
func TestUnits(t *testing.T) {
	r := newRig(t, pipelined)
	w := &worker{nic: r.nics[0]}
	one, two := w.nic.NewUnit(w), w.nic.NewUnit(w)
	require.True(t, one.Idle())
	r.at(sim.Time(us), func() {
		one.Do(30*ns, 1, 10)
		one.Do(40*ns, 1, 11)
		two.Do(50*ns, 2, 20)
		require.False(t, one.Idle())
	})
	r.at(sim.Time(2*us), func() {
		require.True(t, one.Idle())
		one.Do(10*ns, 1, 12)
	})
	r.run(t)
	at := func(d sim.Duration) sim.Time { return sim.Time(d) }
	require.Equal(t, []worked{{at(us + 30*ns), 1, 10}, {at(us + 50*ns), 2, 20}, {at(us + 70*ns), 1, 11}, {at(2*us + 10*ns), 1, 12}}, w.log)
	require.Equal(t, 80*ns, one.Busy)
	require.Equal(t, 50*ns, two.Busy)
}

// TestPostAcross: a request comes to the card when its stores have crossed the bus, and is taken at once if the program
// takes any.
func TestPostAcross(t *testing.T) {
	r := newRig(t, pipelined)
	n, p := r.nics[0], r.progs[0]
	var seen []sim.Time
	p.on("request", func() { seen = append(seen, n.TakeArrived().Seen) })
	r.at(0, func() { n.PostAcross() })
	r.at(sim.Time(100*ns), func() { n.PostAcross() })
	r.run(t)
	require.Equal(t, []sim.Time{sim.Time(250 * ns), sim.Time(350 * ns)}, seen)
	require.Equal(t, sim.Time(250*ns), p.first(t, "request").look)
	require.Equal(t, 1, n.Stats().RequestsMax)
}

// TestDeferredWorkOfAPipeline: one core does the probe's deferred work, a piece at a time, and holds up nothing else.
func TestDeferredWorkOfAPipeline(t *testing.T) {
	r := newRig(t, pipelined)
	n := r.nics[0]
	p := &probe{program: r.progs[0], pieces: 3, each: 5}
	n.Attach(p)
	w := &worker{nic: n}
	u := n.NewUnit(w)
	r.at(0, func() {
		for i := range 6 {
			u.Do(10*ns, 0, uint64(i))
		}
	})
	r.run(t)
	require.Len(t, w.log, 6)
	require.Equal(t, sim.Time(60*ns), w.log[5].at)
	require.Equal(t, []sim.Time{sim.Time(10 * ns), sim.Time(60 * ns), sim.Time(110 * ns)}, p.idle)
	require.Equal(t, 15*cycle, n.Stats().Busy)
}
