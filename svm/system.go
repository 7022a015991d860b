package svm

import (
	"fmt"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec describes a shared memory.
type Spec struct {
	Layout  *Layout
	Costs   Costs
	Service Service
	Check   bool // frames are private and poisoned when dropped: finds slices that are kept too long
}

// System is the shared memory of one program on all its nodes.
type System struct {
	spec    Spec
	pool    *Pool
	members []*Member
	running int // threads that have not returned
	flying  int // differences that are on their way home
	started bool
	begun   sim.Time
	ended   sim.Time
	span    trace.Span
	tell    func(node int, c *host.Context) trace.Instrument
	err     error
	done    func()
}

// Member is a node's part of a system.
type Member struct {
	system *System
	node   *Node
	host   *host.Host
	wire   Transport
	serve  *host.Context // with Interrupt: the service process
	served port
	in     Message
	thread *Thread
	woken  bool
	coming []page // replies on their way here, with the home's frame
	named  []page // frames that wait for a page
	stats  Stats
	open   trace.Span // operation that the thread waits for, when that is told of
}

// page is a page and a frame that is held for it.
type page struct {
	page  Page
	frame *Frame
}

// port is what one process needs to run protocol steps.
type port struct {
	out  Out
	wire []byte
	tell trace.Instrument
}

// Stats counts what a node's protocol did.
type Stats struct {
	Fetches   uint64 // pages fetched from other homes
	Acquires  uint64 // locks
	Grants    uint64 // of them, those that another node granted
	Barriers  uint64
	Twins     uint64
	Diffs     uint64
	DiffBytes uint64 // encoded
	Applied   uint64 // differences merged at this home
	Notices   uint64 // runs of write notices processed
	Damaged   uint64 // pages that did not arrive as their home sent them
	Messages  [trace.NumKinds]uint64
	Bytes     [trace.NumKinds]uint64
}

// NewSystem returns a shared memory whose members wait to be attached.
func NewSystem(spec Spec) (*System, error) {
	if spec.Layout == nil {
		return nil, fmt.Errorf("svm: spec.Layout is missing")
	}
	if err := bounds.Check("svm", &spec.Costs); err != nil {
		return nil, err
	}
	if spec.Service > Polling {
		return nil, bounds.Wrong("svm.service", spec.Service, "interrupt or polling")
	}
	if spec.Service == Polling && spec.Costs.PollEvery <= 0 {
		return nil, bounds.Wrong("svm.poll_every_us", spec.Costs.PollEvery.Us(), "more than 0 for polling")
	}
	s := &System{spec: spec, pool: NewPool()}
	s.pool.Check = spec.Check
	for i := range spec.Layout.nodes {
		n, err := NewNode(i, spec.Layout, s.pool)
		if err != nil {
			return nil, err
		}
		s.members = append(s.members, &Member{system: s, node: n})
	}
	return s, nil
}

// Member returns node i's part.
func (s *System) Member(i int) *Member { return s.members[i] }

// Layout returns the address space.
func (s *System) Layout() *Layout { return s.spec.Layout }

// Pool returns the counters of the memory that holds all nodes' pages.
func (s *System) Pool() PoolStats { return s.pool.Stats() }

// Attach gives a member its host and its way to the others.
func (m *Member) Attach(h *host.Host, wire Transport) { m.host, m.wire = h, wire }

// Stats returns the member's counters.
func (m *Member) Stats() Stats { return m.stats }

// Thread returns the member's thread, nil before Start.
func (m *Member) Thread() *Thread { return m.thread }

// Start runs program as one thread on each node. Done, which may be nil, is
// called when the last thread has returned and all differences have reached
// their homes, or at the first error.
func (s *System) Start(program func(*Thread), done func()) error {
	for i, m := range s.members {
		if m.host == nil || m.wire == nil {
			return fmt.Errorf("svm: node %d is not attached to a host and a transport", i)
		}
	}
	if s.started {
		return fmt.Errorf("svm: started twice")
	}
	s.started, s.done = true, done
	s.running = len(s.members)
	s.begun = s.members[0].host.Engine().Now()
	for i, m := range s.members {
		m.thread = &Thread{member: m}
		if s.spec.Service == Interrupt {
			m.serve = m.host.Go(fmt.Sprintf("svm service %d", i), host.Handler, m.service)
		}
		m.thread.context = m.host.Go(fmt.Sprintf("svm thread %d", i), host.Application, func(c *host.Context) {
			m.thread.port.tell = m.bind(c)
			if m.serve == nil {
				m.served.tell = m.thread.port.tell
			}
			program(m.thread)
			m.thread.finish()
		})
		if m.serve != nil {
			m.serve.Bind(m.thread.context)
		}
	}
	return nil
}

// Err returns the first error: a message that made no sense, or a send that
// failed.
func (s *System) Err() error { return s.err }

// Elapsed returns the time from the start to the end of the last thread, and
// whether all have ended.
func (s *System) Elapsed() (sim.Duration, bool) {
	return s.ended.Sub(s.begun), s.started && s.running == 0 && s.err == nil
}

func (s *System) fail(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	if s.done != nil {
		s.done()
	}
}

// closed reports whether services may end: no thread is left, and the homes
// have all that the threads have written and released.
func (s *System) closed() bool { return s.running == 0 && s.flying == 0 || s.err != nil }

func (s *System) nextSpan() trace.Span {
	s.span++
	return s.span
}

// leave ends a thread.
func (s *System) leave(now sim.Time) {
	s.running--
	if s.running == 0 {
		s.ended = now
		s.close()
	}
}

// landed notes that differences have reached their home.
func (s *System) landed(diffs int) {
	s.flying -= diffs
	if diffs > 0 {
		s.close()
	}
}

// close ends the services when there is nothing left for them to do.
func (s *System) close() {
	if !s.closed() || s.err != nil {
		return
	}
	for _, m := range s.members {
		m.Notify()
	}
	if s.done != nil {
		s.done()
	}
}
