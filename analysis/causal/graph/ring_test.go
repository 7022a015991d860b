package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace/waits"
)

// inflow is packets through an engine into the receive ring of node 1, from which they are
// moved one after another.
type inflow struct {
	gap               []int64 // computation before each packet
	engine            int64   // service of the engine
	lead, rest, moved int64   // flight until a packet is accepted or not, flight after, service out of the ring
	depth             int     // of the ring
}

// passage is when a packet leaves the engine, is accepted, has come, is moved and leaves.
type passage struct{ sent, in, happened, moving, out int64 }

func (f inflow) run(freeEngine bool) (out []passage) {
	var ready int64
	for n, gap := range f.gap {
		ready += gap
		p := passage{sent: ready}
		if n > 0 && !freeEngine {
			p.sent = max(ready, out[n-1].sent)
		}
		p.sent += f.engine
		p.in = p.sent + f.lead
		if n >= f.depth {
			p.in = max(p.in, out[n-f.depth].out)
		}
		p.happened = p.in + f.rest
		p.moving = p.happened
		if n > 0 {
			p.moving = max(p.happened, out[n-1].out)
		}
		p.out = p.moving + f.moved
		out = append(out, p)
	}
	return out
}

// log writes down the packets, which are actors 2 and up, and whether any is refused. Each has
// a port of its own, so that only the engine and the ring hold it up.
func (f inflow) log() (log *waits.Log, refused bool) {
	log = waits.NewLog()
	host := log.Begin(waits.Actor{Type: waits.Process}, waits.Interval{Resource: waits.CPU})
	var ready int64
	for n, p := range f.run(false) {
		ready += f.gap[n]
		port := int32(n)
		id := log.Begin(waits.Actor{Cause: host, Peer: 1}, waits.Interval{Resource: waits.SEngine, What: waits.Waiting, Begin: ready})
		synth.Line{}.Serve(log, id, waits.SEngine, p.sent-f.engine, f.engine)
		log.Turn(id, waits.Interval{Resource: waits.Port, Instance: port, Begin: p.sent}, 0)
		if p.in > p.sent+f.lead {
			refused = true
			log.Turn(id, waits.Interval{Resource: waits.Ring, Instance: 1, What: waits.Waiting, Begin: p.sent + f.lead}, 0)
			log.Turn(id, waits.Interval{Resource: waits.Port, Instance: port, Begin: p.in}, id-waits.ID(f.depth))
		}
		log.Turn(id, waits.Interval{Resource: waits.HostDMA, Instance: 1, What: waits.Waiting, Begin: p.happened}, 0)
		log.Turn(id, waits.Interval{Resource: waits.HostDMA, Instance: 1, Begin: p.moving}, 0)
		log.Hold(waits.Hold{Resource: waits.HostDMA, Instance: 1, Actor: id, Begin: p.moving, End: p.out})
		log.Turn(id, waits.Interval{Resource: waits.Processor, Instance: 1, Begin: p.out}, 0)
		log.End(id, p.out+1)
	}
	log.Finish(ready)
	return log, refused
}

// TestReplayKeepsRoom: packets that come earlier because nobody waits for the engine are
// refused, even those that were not.
func TestReplayKeepsRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.Int64Range(1, 30)
		f := inflow{
			gap:    rapid.SliceOfN(time, 1, 12).Draw(t, "gap"),
			engine: time.Draw(t, "engine"), lead: time.Draw(t, "lead"), rest: time.Draw(t, "rest"), moved: time.Draw(t, "moved"),
			depth: rapid.IntRange(1, 3).Draw(t, "depth"),
		}
		log, refused := f.log()
		last := waits.ID(len(log.Actors) - 1)
		if !refused {
			f.depth = len(f.gap) // nobody knows it
		}
		now, free := f.run(false), f.run(true)
		n := len(now) - 1
		g, of := resolved(t, log), Stretch{Last: last, To: log.Actors[last].End}
		require.Equal(t, refused, g.Depth[1] == f.depth)
		require.Equal(t, now[n].out+1, newReplay(g).WhatIf(Change{}, of).Length)
		require.Equal(t, free[n].out+1, newReplay(g).WhatIf(Change{Free: []waits.Resource{waits.SEngine}}, of).Length)
	})
}
