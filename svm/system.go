package svm

import (
	"fmt"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Spec describes a shared memory.
type Spec struct {
	Layout  *Layout
	Costs   Costs
	Service Service
	Migrate bool // homes follow their users
	Check   bool // frames are private and poisoned when dropped, to find slices that are kept too long
}

// System is the shared memory of one program on all its nodes.
type System struct {
	spec       Spec
	pool       *Pool
	members    []*Member
	running    int // threads that have not returned
	flying     int // diffs in flight
	started    bool
	begun      sim.Time
	ended      sim.Time
	span       trace.Span
	migrations []Migration
	instrument func(node int, c *host.Context) trace.Instrument
	err        error
	done       func()
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
	coming []page // page replies in flight to this node, with the home's frame
	named  []page // frames named for requested pages
	stats  Stats
	open   trace.Span // operation that the thread waits for, if it is reported
}

// Migration describes the pages that a node, as their home, gave up at a barrier.
type Migration struct {
	At   sim.Time
	Node int
	Misplaced
}

// page is a page with its frame.
type page struct {
	page  Page
	frame *Frame
	span  trace.Span // operation that has requested it
}

// port holds what one process needs to run protocol steps.
type port struct {
	out        Out
	wire       []byte
	instrument trace.Instrument
}

// Stats counts the work of a node's protocol.
type Stats struct {
	Fetches   uint64 // pages fetched from other homes
	Acquires  uint64 // locks
	Grants    uint64 // of Acquires: granted by another node
	Barriers  uint64
	Twins     uint64
	Diffs     uint64
	DiffBytes uint64 // encoded
	Applied   uint64 // diffs merged at this home
	Notices   uint64 // pages in write notices processed
	Damaged   uint64 // pages that arrived corrupted
	Messages  [trace.NumKinds]uint64
	Bytes     [trace.NumKinds]uint64
}

// NewSystem returns a shared memory whose members are not yet attached. It
// fails if the specification is not valid.
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
		if spec.Migrate {
			n.Migrate()
		}
		s.members = append(s.members, &Member{system: s, node: n})
	}
	return s, nil
}

// Member returns node i's part.
func (s *System) Member(i int) *Member { return s.members[i] }

// Layout returns the address space.
func (s *System) Layout() *Layout { return s.spec.Layout }

// Migrations returns the moves of homes so far, with Migrate.
func (s *System) Migrations() []Migration { return s.migrations }

// Pool returns the counters of the frame pool that all nodes share.
func (s *System) Pool() PoolStats { return s.pool.Stats() }

// Attach gives a member its host and its transport.
func (m *Member) Attach(h *host.Host, wire Transport) { m.host, m.wire = h, wire }

// Stats returns the member's counters.
func (m *Member) Stats() Stats { return m.stats }

// Thread returns the member's thread, nil before Start.
func (m *Member) Thread() *Thread { return m.thread }

// Start runs program as one thread on each node. Done, which may be nil, is
// called when the last thread has returned and all diffs have reached
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
			m.thread.port.instrument = m.bind(c)
			if m.serve == nil {
				m.served.instrument = m.thread.port.instrument
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

// Err returns the first error: an invalid message or a failed send.
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

// closed reports whether services may end: all threads have returned and no
// diff is in flight, or there was an error.
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

// landed counts diffs that have reached their home.
func (s *System) landed(diffs int) {
	s.flying -= diffs
	if diffs > 0 {
		s.close()
	}
}

// close ends the services once closed reports true.
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
