package shrimp

import (
	"math"

	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// latencies holds the rows that say what each latency is: between which two
// instants it runs. The check holds the recorded means against the true
// instants, the counter-experiment the same against another reading.
func (r *rows) latencies() {
	traffic := once(r, testbed.Spec{Nodes: 3}, bursts)
	for _, d := range []struct {
		id      string
		stage   trace.Stage
		is      truth
		counter string
		not     truth
	}{
		{"src", trace.Source, between(1, 2), "the DMA alone, without waiting in the queue", func(p packet) sim.Duration { return p.fetch }},
		{"lanai", trace.LANai, between(2, 4), "up to the start of the insertion", between(2, 3)},
		{"net", trace.Net, between(3, 5), "from the end of the insertion", between(4, 5)},
		{"dest", trace.Dest, between(5, 6), "the DMA alone, without waiting for the engine", func(p packet) sim.Duration { return p.deposit }},
	} {
		r.Versus("sh-def-"+d.id, "recorded against true instants, bursts to one node", judge.Using(traffic, agree(d.stage, d.is)),
			d.counter, judge.Using(traffic, agree(d.stage, d.not)), "means agree within what the firmware needs to notice an event and to read the clock")
	}
}

// packet is when what happened to one packet.
type packet struct {
	t              [7]sim.Time  // T1 to T6
	fetch, deposit sim.Duration // its host DMAs alone, on idle buses
}

// truth reads a latency.
type truth func(packet) sim.Duration

// between is the latency from one instant to another.
func between(from, to int) truth {
	return func(p packet) sim.Duration { return p.t[to].Sub(p.t[from]) }
}

// witnessed is what the monitor recorded of packets, and the true instants.
type witnessed struct {
	recorded [trace.NumStages]float64 // mean, µs
	packets  []packet
	lateUs   float64
}

// agree tells whether the recorded mean of a latency is the true one.
func agree(stage trace.Stage, reading truth) func(*witnessed) judge.Measured {
	return func(w *witnessed) judge.Measured {
		var sum sim.Duration
		for _, p := range w.packets {
			sum += reading(p)
		}
		truth := sum.Us() / float64(len(w.packets))
		return holds(math.Abs(w.recorded[stage]-truth) < w.lateUs, "%.2f µs recorded, %.2f µs by true instants, %d packets, %.1f µs allowed",
			w.recorded[stage], truth, len(w.packets), w.lateUs)
	}
}

// bursts sends four messages of 2 KB at a time from each of two nodes to one,
// so that packets wait at every stage. Every message is one packet that is
// fetched by DMA, and nothing is sent again.
func bursts(b *testbed.Bed) *witnessed {
	const n, burst, times = 2048, 4, 50
	w := b.Watch()
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
			b.Fail("%v of %d packets recorded, want %d", stage, m.Count, 2*burst*times)
		}
		out.recorded[stage] = m.MeanNs / 1000
	}
	card := b.Nodes[0].NIC.Spec()
	setup := sim.Microseconds(card.HostDMASetupUs)
	next := make([]int, len(b.Nodes))
	for _, p := range w.Packets {
		k, posted, dmas := next[p.Src], b.Depositor(p.Src).Posted, w.DMAs[p.Src]
		next[p.Src]++
		if k >= len(posted) || k >= len(dmas) || dmas[k].Dir != ni.ToNI {
			b.Fail("packet %d of node %d has no request or no DMA", k, p.Src)
			break
		}
		out.packets = append(out.packets, packet{
			t:       [7]sim.Time{1: posted[k], 2: dmas[k].End, 3: p.T3, 4: p.T4, 5: p.T5, 6: p.T6},
			fetch:   setup + sim.MBps(card.HostDMAToNIMBps).Time(p.Bytes),
			deposit: setup + sim.MBps(card.HostDMAToHostMBps).Time(p.Bytes),
		})
	}
	return out
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
