package dfs

import (
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/waits"
)

// platter is the disk of one server. Blocks of an earlier program are read from
// it when they are first needed. From then on they are in the server's memory,
// which holds all blocks that a run touches. Changes are written back in idle
// time, which the model neglects.
type platter struct {
	server *server
	cold   map[uint32]bool // places that have not been read; looked up only
	queue  ring.Ring[fetch]
	next   uint32 // place after the last one read
	flow   sim.Flow
	done   ring.Ring[fetch] // not yet taken by the server's process
	reads  uint64
}

// fetch is a block that a session waits for, or with nil the client of the same
// node.
type fetch struct {
	place   uint32
	session *session
	actor   waits.ID // in a log
}

// Events of a disk.
const (
	opThere uint32 = iota // the head has arrived
	opRead
)

// want requests a block from the disk. It reports whether the block is in memory already.
func (p *platter) want(f fetch) (inMemory bool) {
	if !p.cold[f.place] {
		return true
	}
	h := p.server.context.Host()
	f.actor = h.Begins("disk read")
	if k := p.queue.Len(); k > 0 {
		h.Behind(f.actor, p.queue.At(k-1).actor, h.Engine().Now())
	}
	p.queue.Push(f)
	if p.queue.Len() == 1 {
		p.start()
	}
	return false
}

// start begins the oldest request.
func (p *platter) start() {
	h, access := p.server.context.Host(), sim.Duration(diskAccess)
	f := p.queue.At(0)
	p.flow.Owner = uint32(f.actor)
	h.Works(f.actor, h.Engine().Now())
	switch {
	case !p.cold[f.place]: // already read for another request
		p.Act(opRead, 0)
		return
	case f.place == p.next:
		access = 0
	}
	h.Engine().After(access, p, opThere, 0)
}

// Act makes the next step of a read.
func (p *platter) Act(op uint32, _ uint64) {
	if op == opThere {
		p.server.context.Host().DMA(&p.flow, false, blockBytes, diskRate, host.OnIOBus|host.OnMemBus, p, opRead, 0)
		return
	}
	f := p.queue.Pop()
	if p.cold[f.place] {
		p.reads++
		delete(p.cold, f.place)
		p.next = f.place + 1
	}
	p.server.context.Host().Ends(f.actor, func() {
		p.done.Push(f)
		p.server.context.Interrupt()
	})
	if p.queue.Len() > 0 {
		p.start()
	}
}
