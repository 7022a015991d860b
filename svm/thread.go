package svm

import (
	"fmt"
	"iter"
	"unsafe"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Thread is a program's interface to the shared memory on one node. Only the
// program itself may call its methods.
//
// Slices of shared memory are valid until the thread's next Lock, Unlock or
// Barrier. A slice for reading is also invalid once the thread requests the
// same page for writing, so request writing first when both are needed. A
// System with Check finds most violations.
type Thread struct {
	member  *Member
	context *host.Context
	port    port
	handed  []Page // with Check: pages that slices point into
}

// Node returns the number of the node that the thread runs on.
func (t *Thread) Node() int { return t.member.node.id }

// Nodes returns the number of nodes.
func (t *Thread) Nodes() int { return len(t.member.system.members) }

// Context returns the thread's process on its host.
func (t *Thread) Context() *host.Context { return t.context }

// Now returns the current time.
func (t *Thread) Now() sim.Time { return t.context.Now() }

// Shares returns how the thread has spent its time so far.
func (t *Thread) Shares() host.Shares { return t.context.Shares() }

// Compute spends the time of w on the node's CPU. With Polling it polls for
// requests at intervals.
func (t *Thread) Compute(w host.Work) {
	s := &t.member.system.spec
	if s.Service == Interrupt {
		t.context.Compute(w)
		return
	}
	parts := int64(1)
	if s.Costs.PollEvery > 0 {
		parts += int64(t.member.host.Alone(w) / s.Costs.PollEvery)
	}
	for i := range parts {
		t.context.Compute(part(w, i, parts))
		t.poll()
	}
}

// part returns the i-th of n nearly equal parts of w.
func part(w host.Work, i, n int64) host.Work {
	of := func(v int64) int64 { return v/n*(i+1) - v/n*i + min(v%n, i+1) - min(v%n, i) }
	return host.Work{
		Flops: of(w.Flops), Ints: of(w.Ints), Loads: of(w.Loads), Stores: of(w.Stores),
		Read: of(w.Read), Write: of(w.Write), Cycles: of(w.Cycles), Time: sim.Duration(of(int64(w.Time))),
	}
}

// poll polls for requests once.
func (t *Thread) poll() {
	old := t.context.Enter(host.Service)
	t.context.Spend(t.member.system.spec.Costs.Poll)
	t.member.requests(t.context)
	t.context.Enter(old)
}

// ReadPiece makes the shared memory at a readable and returns it: n bytes, or
// fewer if the page ends first.
func (t *Thread) ReadPiece(a Addr, n int) []byte { return t.piece(a, n, false) }

// WritePiece is ReadPiece for memory that is read and written.
func (t *Thread) WritePiece(a Addr, n int) []byte { return t.piece(a, n, true) }

// Read makes n bytes at a readable and yields them page by page, with the
// offset of each piece from a. A page is fetched when the loop reaches it.
func (t *Thread) Read(a Addr, n int) iter.Seq2[int, []byte] { return t.pieces(a, n, false) }

// Write is Read for memory that is read and written.
func (t *Thread) Write(a Addr, n int) iter.Seq2[int, []byte] { return t.pieces(a, n, true) }

func (t *Thread) pieces(a Addr, n int, write bool) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for off := 0; off < n; {
			b := t.piece(a+Addr(off), n-off, write)
			if !yield(off, b) {
				return
			}
			off += len(b)
		}
	}
}

func (t *Thread) piece(a Addr, n int, write bool) []byte {
	if n <= 0 || !t.member.node.layout.holds(a, n) {
		panic(fmt.Sprintf("svm node %d: access to %d bytes at %d, want them inside the %d pages of shared memory",
			t.Node(), n, a, t.member.node.layout.pages))
	}
	p, off := a.Page(), a.Offset()
	e := t.member.node.pages.at(p)
	if e.state != Write && (write || e.state != Read) {
		t.fault(p, write)
	}
	if t.member.node.pool.Check {
		t.handed = append(t.handed, p)
	}
	end := min(off+n, PageSize)
	return e.frame.Bytes()[off:end:end]
}

// fault handles a page fault.
func (t *Thread) fault(p Page, write bool) {
	m := t.member
	old := t.context.Enter(host.PageWait)
	span := m.system.nextSpan()
	op, missing := m.node.missing(p)
	if missing {
		t.open(span, op, trace.StepTrap)
	}
	t.context.Spend(m.system.spec.Costs.Fault)
	for !m.node.Access(p, write, span, &t.port.out) {
		m.flush(t.context, &t.port)
		if op == trace.OpHomeWait {
			t.port.instrument.Step(span, trace.StepDiffWait)
		}
		t.wait("a page")
	}
	m.flush(t.context, &t.port)
	t.close(span)
	t.context.Enter(old)
}

// wait spins until the node wakes the thread; forever once the system has failed, because
// nobody then takes the answers that have arrived.
func (t *Thread) wait(reason string) {
	m := t.member
	for {
		if m.system.err != nil {
			t.context.Spin(&host.Watch{}, reason)
		}
		m.answers(t.context, &t.port)
		if !m.woken && m.system.spec.Service == Polling {
			m.requests(t.context)
		}
		if m.woken {
			m.woken = false
			return
		}
		m.wire.Wait(t.context, reason)
	}
}

// Lock acquires a lock. Locks need no declaration.
func (t *Thread) Lock(id uint32) {
	m := t.member
	t.end()
	old := t.context.Enter(host.LockWait)
	span := m.system.nextSpan()
	m.stats.Acquires++
	held := m.node.Acquire(id, span, &t.port.out)
	if !held {
		m.stats.Grants++
		t.open(span, trace.OpLockAcquire, trace.StepFlush)
	}
	m.flush(t.context, &t.port)
	if !held {
		t.wait("a lock")
		t.close(span)
	}
	t.context.Enter(old)
}

// Unlock releases a lock, which the thread must hold.
func (t *Thread) Unlock(id uint32) {
	m := t.member
	t.end()
	old := t.context.Enter(host.LockWait)
	span := m.system.nextSpan()
	t.closeInterval(span)
	m.node.Release(id, span, &t.port.out)
	m.flush(t.context, &t.port)
	t.context.Enter(old)
}

// Barrier waits until the threads of all nodes have arrived at the barrier.
func (t *Thread) Barrier(id uint32) {
	m := t.member
	t.end()
	old := t.context.Enter(host.BarrierWait)
	span := m.system.nextSpan()
	m.stats.Barriers++
	t.open(span, trace.OpBarrier, trace.StepFlush)
	t.closeInterval(span)
	passed := m.node.Arrive(id, span, &t.port.out)
	m.flush(t.context, &t.port)
	if !passed {
		if m.node.manager(id) == m.node.id && !m.woken {
			t.port.instrument.Step(span, trace.StepGather)
		}
		t.wait("a barrier")
	}
	t.close(span)
	t.context.Enter(old)
}

// closeInterval sends the diffs of the interval. A release or arrival takes effect only when they
// are sent: until then this node's service neither grants the lock nor opens the barrier.
func (t *Thread) closeInterval(span trace.Span) {
	t.member.node.closeInterval(span, &t.port.out)
	t.member.flush(t.context, &t.port)
}

// end moves the pages that slices point into, in checking mode.
func (t *Thread) end() {
	for _, p := range t.handed {
		if e := t.member.node.pages.at(p); e.frame != nil {
			t.member.node.relocate(e)
		}
	}
	t.handed = t.handed[:0]
}

// finish ends the thread. With Polling no other process of the node serves
// requests, so it stays until all threads have finished and no diff is in flight.
func (t *Thread) finish() {
	m := t.member
	t.end()
	m.system.leave(t.Now())
	if m.system.spec.Service == Polling {
		t.context.Enter(host.BarrierWait)
		for {
			m.requests(t.context)
			if m.system.closed() {
				return
			}
			m.wire.Wait(t.context, "the others' end")
		}
	}
}

// Number is an element type of View.
type Number interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// View returns a piece of shared memory as numbers. It panics unless the piece
// is a sequence of whole, aligned numbers: none may straddle two pages.
func View[T Number](piece []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if len(piece)%size != 0 || uintptr(unsafe.Pointer(unsafe.SliceData(piece)))%unsafe.Alignof(zero) != 0 {
		panic(fmt.Sprintf("svm: a piece of %d bytes is no sequence of aligned %T", len(piece), zero))
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(piece))), len(piece)/size)
}
