package shrimp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// witnessed are bursts from two nodes to one, so that packets wait at every
// stage: what the monitor recorded of them, and the true instants.
type witnessed struct {
	recorded [trace.NumStages]float64 // mean, µs
	packets  []packetTruth
	lateUs   float64
}

// packetTruth is when what happened to one packet.
type packetTruth struct {
	t1, t2, t3, t4, t5, t6 sim.Time
	fetch, deposit         sim.Duration // its host DMAs alone, on idle buses
}

// latencies holds the rows that say what each latency is: between which two
// instants it runs. The check holds the recorded means against the true
// instants, the counter-experiment the same against another reading.
func (r *rows) latencies() {
	bursts := judge.Once(func(context.Context) (*witnessed, error) { return r.bursts() })
	for _, d := range []struct {
		id, counter string
		stage       trace.Stage
		is, not     func(packetTruth) sim.Duration
	}{
		{"src", "the DMA alone, without waiting in the queue", trace.Source,
			func(p packetTruth) sim.Duration { return p.t2.Sub(p.t1) },
			func(p packetTruth) sim.Duration { return p.fetch }},
		{"lanai", "up to the start of the insertion", trace.LANai,
			func(p packetTruth) sim.Duration { return p.t4.Sub(p.t2) },
			func(p packetTruth) sim.Duration { return p.t3.Sub(p.t2) }},
		{"net", "from the end of the insertion", trace.Net,
			func(p packetTruth) sim.Duration { return p.t5.Sub(p.t3) },
			func(p packetTruth) sim.Duration { return p.t5.Sub(p.t4) }},
		{"dest", "the DMA alone, without waiting for the engine", trace.Dest,
			func(p packetTruth) sim.Duration { return p.t6.Sub(p.t5) },
			func(p packetTruth) sim.Duration { return p.deposit }},
	} {
		against := func(reading func(packetTruth) sim.Duration) judge.Measure {
			return judge.Read(bursts, func(w *witnessed) (judge.Measured, error) { return w.agree(d.stage, reading) })
		}
		r.Versus("sh-def-"+d.id, "recorded against true instants, bursts to one node", against(d.is), d.counter, against(d.not))
	}
}

// turnUs is how late firmware notices an event, on average over packets that
// keep it busy.
const turnUs = 1

// lateUs is how late it reads an instant at most: for the arrival, the
// header's handling comes before the clock is read.
func lateUs(b *testbed.Bed) float64 {
	c, f := &b.Place.Monitor.Cycles, &b.Place.VMMC.Firmware
	cycles := f.Demultiplex + c.StripHeader + c.Convert + c.NoteArrived + c.Observe
	return float64(cycles)/(float64(b.Place.NI.ClockHz)/1e6) + turnUs
}

func (w *witnessed) agree(stage trace.Stage, reading func(packetTruth) sim.Duration) (judge.Measured, error) {
	var sum sim.Duration
	for _, p := range w.packets {
		sum += reading(p)
	}
	truth := sum.Us() / float64(len(w.packets))
	return holds(math.Abs(w.recorded[stage]-truth) < w.lateUs, "%.2f µs recorded, %.2f µs by true instants, %d packets, %.1f µs allowed",
		w.recorded[stage], truth, len(w.packets), w.lateUs), nil
}

// bursts runs the traffic: four messages of 2 KB at a time from each of two
// nodes.
func (r *rows) bursts() (*witnessed, error) {
	b, err := r.open(testbed.Spec{Nodes: 3})
	if err != nil {
		return nil, err
	}
	defer b.Engine.Close()
	w := b.Watch()
	const n, burst, times = 2048, 4, 50
	source := func(node int) testbed.Program {
		return testbed.On(node, func(c *host.Context) {
			for range times {
				for range burst {
					b.Depositor(node).Send(c, 2, n)
				}
				c.Sleep(sim.Millisecond)
			}
		})
	}
	b.Run(source(0), source(1))
	out := &witnessed{lateUs: lateUs(b)}
	for stage := range trace.NumStages {
		m := b.Moments(histo.Query{Stage: stage})
		if m.Count != 2*burst*times {
			return nil, fmt.Errorf("%v of %d packets recorded, want %d", stage, m.Count, 2*burst*times)
		}
		out.recorded[stage] = m.MeanNs / 1000
	}
	if !b.OK() {
		return nil, b.Err()
	}
	out.packets, err = truths(w, b)
	return out, err
}

// truths puts together what host, card and network know of each packet. Every
// message is one packet that is fetched by DMA, and nothing is sent again.
func truths(w *testbed.Witness, b *testbed.Bed) ([]packetTruth, error) {
	next := make([]int, len(b.Nodes))
	var out []packetTruth
	for _, p := range w.Packets {
		k := next[p.Src]
		next[p.Src]++
		posted, dmas := b.Depositor(p.Src).Posted, w.DMAs[p.Src]
		if k >= len(posted) || k >= len(dmas) || dmas[k].Dir != ni.ToNI {
			return nil, fmt.Errorf("packet %d of node %d has no request or no DMA", k, p.Src)
		}
		card := b.Nodes[p.Src].NIC.Spec()
		setup := sim.Microseconds(card.HostDMASetupUs)
		out = append(out, packetTruth{
			t1: posted[k], t2: dmas[k].End, t3: p.T3, t4: p.T4, t5: p.T5, t6: p.T6,
			fetch:   setup + sim.MBps(card.HostDMAToNIMBps).Time(p.Bytes),
			deposit: setup + sim.MBps(card.HostDMAToHostMBps).Time(p.Bytes),
		})
	}
	return out, nil
}
