package nx

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New connects the processes of a program, in no simulated time: daemons do it
// before the program starts. It fails if the specification or the number of
// nodes is out of range, or if the layer does not support the broadcast.
func New(spec Spec, nodes []deposit.Node) (*System, error) {
	spec.setDefaults()
	if err := spec.validate(); err != nil {
		return nil, err
	}
	if len(nodes) < minNodes || len(nodes) > maxNodes {
		return nil, fmt.Errorf("nx: %d nodes, want %d to %d", len(nodes), minNodes, maxNodes)
	}
	ports, err := deposit.Open(nodes, "nx", spec.Tag)
	if err != nil {
		return nil, err
	}
	if _, can := ports[0].(deposit.Multicaster); spec.Broadcast == Firmware && !can {
		return nil, fmt.Errorf("nx: broadcast %v on layer %s, whose interface has no multicast, want %v or %v", spec.Broadcast, nodes[0].Layer.Traits().Name, Separate, Tree)
	}
	s := &System{spec: spec, reaching: map[trace.Span]int{}}
	for i, n := range nodes {
		p := newProcess(s, i, len(nodes), n.Host, ports[i])
		s.processes = append(s.processes, p)
		if err := p.export(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Nodes returns the number of processes.
func (s *System) Nodes() int { return len(s.processes) }

// Process returns the process on a node.
func (s *System) Process(node int) *Process { return s.processes[node] }

// SetInstrument sets the function that makes a process's instrument, with which it
// reports broadcasts. It is called before Start.
func (s *System) SetInstrument(instrument func(node int, c *host.Context) trace.Instrument) {
	s.instrument = instrument
}

// Start runs program on every node. Done, which may be nil, is called when the
// last one has returned, or at the first error.
func (s *System) Start(program func(*Process) error, done func()) error {
	if s.started {
		return fmt.Errorf("nx: started a second time")
	}
	s.started, s.done, s.running = true, done, len(s.processes)
	s.begun = s.processes[0].host.Engine().Now()
	for _, p := range s.processes {
		p.host.Go(fmt.Sprintf("nx process %d", p.me), host.Application, func(c *host.Context) {
			p.context = c
			if s.instrument != nil {
				p.instrument = s.instrument(p.me, c)
			}
			if err := program(p); err != nil {
				s.fail(fmt.Errorf("node %d: %w", p.me, err))
			}
			p.shares = c.Shares()
			p.leave()
		})
	}
	return nil
}

// Elapsed returns the time from the start to the end of the last process, and
// whether all have ended without an error.
func (s *System) Elapsed() (sim.Duration, bool) {
	return s.ended.Sub(s.begun), s.started && s.running == 0 && s.err == nil
}

// Err returns the first error: of a program, or of an invalid message.
func (s *System) Err() error { return s.err }

// fail stops the program: from now on every call returns errStopped, and Err the error.
func (s *System) fail(err error) {
	if s.err != nil {
		return
	}
	s.err = err
	for _, p := range s.processes {
		p.watch.Fire()
	}
	if s.done != nil {
		s.done()
	}
}

// leave ends a process: it receives and forwards messages until all processes
// have ended.
func (p *Process) leave() {
	s := p.sys
	s.running--
	if s.running == 0 && s.err == nil {
		s.ended = p.context.Now()
		for _, q := range s.processes {
			q.watch.Fire()
		}
		if s.done != nil {
			s.done()
		}
	}
	p.context.Enter(host.MessageWait)
	// An error needs no handling here: it stops this process like all others.
	_ = p.wait("the end of the other processes", func() bool { return s.running == 0 })
}

// export allocates the memory that other processes deposit into, and exports what is for
// all of them.
func (p *Process) export() error {
	spec := &p.sys.spec
	p.heap.base = p.space.Alloc(spec.HeapBytes)
	usable := min(spec.HeapBytes, math.MaxInt&^(pageBytes-1)) // 2 GB where an int has 32 bits
	p.heap.next, p.heap.end = p.heap.base, p.heap.base+host.Addr(usable)
	p.scratch = p.space.Alloc(entryBytes)
	p.rings = p.space.Alloc(int64(len(p.peers)-1) * spec.share())
	s := deposit.Setup{Port: p.port}
	p.heap.export = s.Export(p.heap.base, int(usable), nil, p.landed)
	return s.Err
}

// peer returns the connection to another node, and connects on first use, in no simulated
// time.
func (p *Process) peer(j int) *peer {
	if q := p.peers[j]; q != nil {
		return q
	}
	other := p.sys.processes[j]
	q, r := &peer{}, &peer{}
	p.peers[j], other.peers[p.me] = q, r
	out, in := deposit.Setup{Port: p.port}, deposit.Setup{Port: other.port}
	q.init(p, j, &out)
	r.init(other, p.me, &in)
	q.connect(&out, r, other.heap.export)
	r.connect(&in, q, p.heap.export)
	if err := errors.Join(out.Err, in.Err); err != nil {
		panic(fmt.Sprintf("nx: nodes %d and %d: %v", p.me, j, err)) // only a defect of nx itself
	}
	return q
}

// others yields the peers in the order of nodes after this one, all of them or those that
// are connected.
func (p *Process) others(all bool) iter.Seq[*peer] {
	return func(yield func(*peer) bool) {
		for k := 1; k < len(p.peers); k++ {
			node := (p.me + k) % len(p.peers)
			if p.peers[node] == nil && !all {
				continue
			}
			if !yield(p.peer(node)) {
				return
			}
		}
	}
}
