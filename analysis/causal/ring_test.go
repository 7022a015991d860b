package causal

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

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
type passage struct{ sent, in, come, moving, out int64 }

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
		p.come = p.in + f.rest
		p.moving = p.come
		if n > 0 {
			p.moving = max(p.come, out[n-1].out)
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
		line{}.serve(log, id, waits.SEngine, p.sent-f.engine, f.engine)
		log.Turn(id, waits.Interval{Resource: waits.Port, Instance: port, Begin: p.sent}, 0)
		if p.in > p.sent+f.lead {
			refused = true
			log.Turn(id, waits.Interval{Resource: waits.Ring, Instance: 1, What: waits.Waiting, Begin: p.sent + f.lead}, 0)
			log.Turn(id, waits.Interval{Resource: waits.Port, Instance: port, Begin: p.in}, id-waits.ID(f.depth))
		}
		log.Turn(id, waits.Interval{Resource: waits.HostDMA, Instance: 1, What: waits.Waiting, Begin: p.come}, 0)
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
		g, of := resolved(t, log), stretch{last: last, to: log.Actors[last].End}
		require.Equal(t, refused, g.depth[1] == f.depth)
		require.Equal(t, now[n].out+1, newReplay(g).whatIf(Change{}, of).Length)
		require.Equal(t, free[n].out+1, newReplay(g).whatIf(Change{Free: []waits.Resource{waits.SEngine}}, of).Length)
	})
}

// TestRefusedPacketsDecide: a packet that waits for a port behind one that is refused waits for
// the receive ring.
func TestRefusedPacketsDecide(t *testing.T) {
	log := waits.NewLog()
	packet := func(first waits.Interval) waits.ID { return log.Begin(waits.Actor{Peer: 1}, first) }
	full := packet(waits.Interval{Resource: waits.HostDMA, Instance: 1})
	head := packet(waits.Interval{Resource: waits.Ring, Instance: 1, What: waits.Waiting, Begin: 1})
	behind := packet(waits.Interval{Resource: waits.Port, Instance: 7, What: waits.Waiting, Begin: 2})
	log.Hold(waits.Hold{Resource: waits.Port, Instance: 7, Actor: head, End: 15})
	log.End(full, 10)
	log.Turn(head, waits.Interval{Resource: waits.Port, Instance: 7, Begin: 10}, full)
	log.End(head, 15)
	log.Turn(behind, waits.Interval{Resource: waits.Port, Instance: 7, Begin: 15}, 0)
	log.End(behind, 20)
	reader := log.Begin(waits.Actor{Type: waits.Process, Node: 1}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	log.Turn(reader, waits.Interval{Resource: waits.CPU, Begin: 20}, behind)
	log.End(reader, 25)
	e := Explain(resolved(t, log), 0)
	require.Len(t, e.Queues, 2)
	require.Equal(t, waits.Ring, e.Queues[0].Resource)
	require.EqualValues(t, 9+8, e.Queues[0].Waited, "the head and the one behind it")
	require.EqualValues(t, 8, e.Queues[0].OnPath, "since the one behind waits")
	require.Equal(t, 1, e.Queues[0].At[0].Node)
	require.Equal(t, waits.Port, e.Queues[1].Resource)
	require.EqualValues(t, 5, e.Queues[1].Waited, "while the head passes")
}
