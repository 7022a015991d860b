package svmcheck

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/sigview/sigview/svm"
)

// Schedule is one way to run a program on the protocol core: seeds, the
// homes of the pages, and a defect that was planted on purpose.
type Schedule struct {
	Seed  uint64
	Homes svm.Homes
	Moves bool // homes follow their users
	Check bool // poisoned frames
	Plant svm.Fault
}

// driver runs a program operation by operation and message by message, in a
// random order that keeps each link's messages in sequence. Pages may overtake
// messages and be overtaken.
type driver struct {
	program Program
	rng     *rand.Rand
	oracle  *Oracle
	nodes   []*svm.Node
	next    []int // by node: next operation
	asleep  []bool
	links   []link // from*nodes + to: of messages, then of pages
	flying  int
	wire    []byte
	moved   int // homes
}

// link is a queue of messages; a heavy one is slow.
type link struct {
	queue []svm.Message
	slow  bool
}

// Run executes the program under a schedule, and returns how many homes have moved. The error of a wrong read or a
// protocol that gets stuck names the operation.
func Run(p Program, s Schedule) (*Oracle, int, error) {
	d := &driver{
		program: p, rng: rand.New(rand.NewPCG(s.Seed, 0x5eed)),
		oracle: NewOracle(p.Nodes, p.Words),
		next:   make([]int, p.Nodes), asleep: make([]bool, p.Nodes),
		links: make([]link, 2*p.Nodes*p.Nodes),
	}
	layout, err := svm.NewLayout(p.Nodes)
	if err != nil {
		return nil, 0, err
	}
	if _, err := layout.Alloc(p.Pages*svm.PageSize, s.Homes); err != nil {
		return nil, 0, err
	}
	pool := svm.NewPool()
	pool.Check = s.Check
	for i := range p.Nodes {
		n, err := svm.NewNode(i, layout, pool)
		if err != nil {
			return nil, 0, err
		}
		n.Plant(s.Plant)
		if s.Moves {
			n.Migrate()
		}
		d.nodes = append(d.nodes, n)
	}
	for i := range d.links {
		d.links[i].slow = d.rng.IntN(3) == 0
	}
	err = d.run()
	return d.oracle, d.moved, err
}

func (d *driver) run() error {
	eager := d.rng.IntN(8) // how much the programs run ahead of the messages
	for {
		node := d.ready()
		if d.flying > 0 && (node < 0 || d.rng.IntN(8) >= eager) {
			if err := d.deliver(); err != nil {
				return err
			}
			continue
		}
		if node < 0 {
			break
		}
		if err := d.operate(node); err != nil {
			return fmt.Errorf("operation %d of node %d: %w", d.next[node], node, err)
		}
	}
	for node, next := range d.next {
		if next < len(d.program.Ops[node]) {
			return fmt.Errorf("node %d waits forever in operation %d (%v)", node, next, d.program.Ops[node][next])
		}
	}
	return nil
}

// ready picks a node that can go on, or -1.
func (d *driver) ready() int {
	first := d.rng.IntN(len(d.next))
	for i := range d.next {
		n := (first + i) % len(d.next)
		if !d.asleep[n] && d.next[n] < len(d.program.Ops[n]) {
			return n
		}
	}
	return -1
}

func (d *driver) operate(node int) error {
	op := d.program.Ops[node][d.next[node]]
	n := d.nodes[node]
	var out svm.Out
	done, err := true, error(nil)
	switch op.Kind {
	case Load, Store, Restore:
		done, err = d.access(node, op, &out)
	case Lock:
		done = n.Acquire(uint32(op.At), 0, &out)
	case Unlock:
		d.oracle.Unlocking(node, op.At)
		n.Release(uint32(op.At), 0, &out)
	case Meet:
		d.oracle.Arriving(node, op.At)
		done = n.Arrive(uint32(op.At), 0, &out)
	}
	if err != nil {
		return err
	}
	d.take(&out)
	if !done {
		d.asleep[node] = true
		return nil
	}
	return d.finish(node, op)
}

// finish tells the oracle that an operation is complete. Accesses have told
// it themselves.
func (d *driver) finish(node int, op Op) error {
	d.next[node]++
	switch op.Kind {
	case Lock:
		d.oracle.Locked(node, op.At)
	case Meet:
		return d.oracle.Passed(node, op.At)
	}
	return nil
}

func (d *driver) access(node int, op Op, out *svm.Out) (bool, error) {
	byteAt := op.At * svm.WordSize
	page, at := svm.Page(byteAt/svm.PageSize), byteAt%svm.PageSize
	if !d.nodes[node].Access(page, op.Kind != Load, 0, out) {
		return false, nil
	}
	word := d.nodes[node].Frame(page).Bytes()[at : at+svm.WordSize]
	if op.Kind == Load {
		return true, d.oracle.Load(node, op.At, binary.NativeEndian.Uint32(word))
	}
	v, err := d.oracle.Store(node, op.At, op.Kind == Restore)
	binary.NativeEndian.PutUint32(word, v)
	return true, err
}

func (d *driver) take(out *svm.Out) {
	for _, m := range out.Misplaced {
		d.moved += m.Pages
	}
	for _, m := range out.Messages {
		i := m.From*len(d.nodes) + m.To
		if m.Frame != nil {
			i += len(d.links) / 2
		}
		l := &d.links[i]
		l.queue = append(l.queue, m)
		d.flying++
	}
}

// deliver moves the first message of a random link; slow links are used when
// nothing else is left, or rarely.
func (d *driver) deliver() error {
	slowToo := d.rng.IntN(20) == 0
	for range 2 {
		first := d.rng.IntN(len(d.links))
		for i := range d.links {
			l := &d.links[(first+i)%len(d.links)]
			if len(l.queue) == 0 || l.slow && !slowToo {
				continue
			}
			m := l.queue[0]
			l.queue = l.queue[1:]
			d.flying--
			return d.arrive(&m)
		}
		slowToo = true
	}
	return fmt.Errorf("%d messages are lost", d.flying)
}

func (d *driver) arrive(m *svm.Message) error {
	in := *m
	if m.Frame == nil { // a page is sent by itself
		d.wire = m.Append(d.wire[:0])
		in = svm.Message{}
		if err := in.Decode(append([]byte(nil), d.wire...), m.From, m.To, len(d.nodes)); err != nil {
			return err
		}
	}
	var out svm.Out
	if err := d.nodes[m.To].Step(&in, &out); err != nil {
		return err
	}
	d.take(&out)
	if !out.Wake {
		return nil
	}
	node := m.To
	d.asleep[node] = false
	switch op := d.program.Ops[node][d.next[node]]; op.Kind {
	case Lock, Meet:
		return d.finish(node, op)
	}
	return nil // an access tries again
}
