package firmware

import (
	"fmt"

	"github.com/sigview/sigview/sim/host"
)

// Quiet reports whether no request waits and no packet is kept in a queue that
// is not in use.
func (q *Queue) Quiet() bool { return len(q.requests) == 0 && q.kept == 0 }

// Full reports whether Post would wait.
func (p *Program) Full(q *Queue) bool { return len(q.requests) >= p.spec.RequestSlots }

// Len returns how many requests wait.
func (q *Queue) Len() int { return len(q.requests) }

// Room fires when an entry of the queue is free, for libraries that work while
// they wait.
func (q *Queue) Room() *host.Watch { return &q.room }

// Settled reports whether no packet is being made, fetched or injected. Kept packets may remain.
func (p *Program) Settled() bool { return p.current == nil && p.moving == 0 }

// Use replaces the sending side of the present process by that of another one.
// Kept packets leave SRAM with it. The program must be settled.
func (p *Program) Use(q *Queue) {
	if !p.Settled() {
		panic(fmt.Sprintf("firmware: node %d at %v: another process gets the interface with %d outgoing packets", p.nic.ID(), p.Now(), p.moving))
	}
	p.queue.kept = p.active
	p.queue, p.active = q, q.kept
	q.kept = 0
}

// In assigns the request to a process's queue, instead of the one in use.
func (r *Request) In(q *Queue) { r.queue = q }
