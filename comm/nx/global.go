package nx

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sigview/sigview/sim/host"
)

// Types of the messages of global operations. No receive of the program matches
// them.
const (
	typeUp = iota
	typeDown
	typeSync
	typeCollect
)

// Gsync waits until all processes have called it. In round k each process sends
// a message to the one 2^k after it.
func (p *Process) Gsync() error {
	defer p.context.Enter(p.enter())
	old := p.context.Enter(host.BarrierWait)
	defer p.context.Enter(old)
	n := len(p.peers)
	for d := 1; d < n; d *= 2 {
		if err := p.give(typeSync, (p.me+d)%n, nil); err != nil {
			return err
		}
		if _, err := p.get(typeSync, (p.me-d+n)%n, 0); err != nil {
			return err
		}
	}
	return nil
}

// Gdsum stores in x the sum of all processes' x, element by element. The order
// of addition is the same on all nodes.
func (p *Process) Gdsum(x []float64) error {
	return p.floats(x, func(a, b float64) float64 { return a + b })
}

// Gdhigh stores in x the maximum of all processes' x, element by element.
func (p *Process) Gdhigh(x []float64) error { return p.floats(x, math.Max) }

// Gdlow stores in x the minimum of all processes' x, element by element.
func (p *Process) Gdlow(x []float64) error { return p.floats(x, math.Min) }

// Gisum is Gdsum for integers.
func (p *Process) Gisum(x []int32) error {
	return p.ints(x, func(a, b int32) int32 { return a + b })
}

// Gihigh is Gdhigh for integers.
func (p *Process) Gihigh(x []int32) error {
	return p.ints(x, func(a, b int32) int32 { return max(a, b) })
}

// Gilow is Gdlow for integers.
func (p *Process) Gilow(x []int32) error {
	return p.ints(x, func(a, b int32) int32 { return min(a, b) })
}

func (p *Process) floats(x []float64, with func(a, b float64) float64) error {
	n := int64(len(x))
	return elements(p, x, host.Work{Flops: n, Loads: 2 * n, Stores: n, Ints: n}, with)
}

func (p *Process) ints(x []int32, with func(a, b int32) int32) error {
	n := int64(len(x))
	return elements(p, x, host.Work{Loads: 2 * n, Stores: n, Ints: 2 * n}, with)
}

// elements combines all processes' x element by element; w is the work of one
// combination.
func elements[T float64 | int32](p *Process, x []T, w host.Work, with func(a, b T) T) error {
	to, from := make([]T, len(x)), make([]T, len(x))
	b, err := p.reduce(encode(nil, x), w, func(b, part []byte) {
		decode(b, to)
		decode(part, from)
		for i := range to {
			to[i] = with(to[i], from[i])
		}
		encode(b[:0], to)
	})
	if err == nil {
		decode(b, x)
	}
	return err
}

// encode appends numbers to b and decode reads them. Neither can fail on
// numbers of a fixed size.
func encode[T float64 | int32](b []byte, x []T) []byte {
	b, err := binary.Append(b, binary.LittleEndian, x)
	if err != nil {
		panic("nx: " + err.Error())
	}
	return b
}

func decode[T float64 | int32](b []byte, x []T) {
	if _, err := binary.Decode(b, binary.LittleEndian, x); err != nil {
		panic("nx: " + err.Error())
	}
}

// reduce combines all processes' b up a binomial tree to node 0 and sends the
// result back down it.
func (p *Process) reduce(b []byte, w host.Work, with func(to, from []byte)) ([]byte, error) {
	defer p.context.Enter(p.enter())
	below := children(0, p.me, len(p.peers))
	for i := len(below) - 1; i >= 0; i-- { // the smallest subtree is ready first
		part, err := p.get(typeUp, below[i], len(b))
		if err != nil {
			return nil, err
		}
		if len(part) != len(b) {
			return nil, fmt.Errorf("nx: a global operation has %d B at node %d but %d B at node %d", len(b), p.me, len(part), below[i])
		}
		with(b, part)
		p.context.Compute(w)
	}
	if p.me != 0 {
		if err := p.give(typeUp, parent(p.me), b); err != nil {
			return nil, err
		}
	}
	return p.spread(b)
}

// parent returns the parent of me in the binomial tree of node 0.
func parent(me int) int { return me & (me - 1) }

// spread sends node 0's b to all nodes down the tree.
func (p *Process) spread(b []byte) ([]byte, error) {
	if p.me != 0 {
		var err error
		if b, err = p.get(typeDown, parent(p.me), len(b)); err != nil {
			return nil, err
		}
	}
	for _, node := range children(0, p.me, len(p.peers)) {
		if err := p.give(typeDown, node, b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Gcolx concatenates the contributions of all processes into y, in the order of
// nodes. Lens holds their lengths, the same on all nodes; x has the length of
// this node's. It fails if a length is wrong or y is too short.
func (p *Process) Gcolx(x []byte, lens []int, y []byte) error {
	total := 0
	for _, n := range lens {
		if n < 0 {
			return fmt.Errorf("nx: node %d: a contribution of %d B, want 0 or more", p.me, n)
		}
		total += n
	}
	switch {
	case len(lens) != len(p.peers):
		return fmt.Errorf("nx: node %d: %d lengths, want one for each of %d nodes", p.me, len(lens), len(p.peers))
	case len(x) != lens[p.me]:
		return fmt.Errorf("nx: node %d contributes %d B, want %d", p.me, len(x), lens[p.me])
	case len(y) < total:
		return fmt.Errorf("nx: node %d: room for %d B, want %d", p.me, len(y), total)
	}
	defer p.context.Enter(p.enter())
	all := make([]byte, total)
	if p.me != 0 {
		if err := p.give(typeCollect, 0, x); err != nil {
			return err
		}
	} else {
		at := copy(all, x)
		for node := 1; node < len(lens); node++ {
			part, err := p.get(typeCollect, node, lens[node])
			if err != nil {
				return err
			}
			if len(part) != lens[node] {
				return fmt.Errorf("nx: node %d contributes %d B, want %d", node, len(part), lens[node])
			}
			at += copy(all[at:], part)
		}
	}
	all, err := p.spread(all)
	copy(y, all)
	return err
}

// give sends bytes to a node within a global operation.
func (p *Process) give(typ, node int, b []byte) error {
	buf := p.sysAlloc(max(1, len(b)))
	p.space.WriteAt(buf, b)
	p.context.Copy(len(b), true)
	id, err := p.submit(typ, buf, len(b), node, flagSystem)
	err = p.ended(id, err, "a message of a global operation to be sent")
	p.sysFree(buf, max(1, len(b)))
	return err
}

// get receives at most n bytes from a node within a global operation.
func (p *Process) get(typ, node, n int) ([]byte, error) {
	buf := p.sysAlloc(max(1, n))
	id, err := p.receive(typ, buf, n, node, true)
	if err != nil {
		return nil, err
	}
	r := p.requests[id].recv
	last := p.last
	err = p.finish(id, "a message of a global operation")
	p.last = last
	b := make([]byte, r.info.Count)
	if err == nil {
		p.space.ReadAt(buf, b)
		p.context.Copy(len(b), true)
	}
	p.sysFree(buf, max(1, n))
	return b, err
}
