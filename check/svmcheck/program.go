package svmcheck

import (
	"fmt"
	"math/rand/v2"
)

// Kind is what an operation does.
type Kind uint8

// Operations.
const (
	Load Kind = iota
	Store
	Restore // store the present value again
	Lock
	Unlock
	Meet // barrier of all nodes
)

// Op is one operation of a node's program. At is a word index for Load,
// Store and Restore, and the number of the lock or barrier otherwise.
type Op struct {
	Kind Kind
	At   int
}

// String returns the name of the operation.
func (o Op) String() string {
	return fmt.Sprintf("%s %d", [...]string{"load", "store", "restore", "lock", "unlock", "meet"}[o.Kind], o.At)
}

// Program is a list of operations per node.
type Program struct {
	Nodes, Pages, Words, Locks int // Words of shared memory, over all pages
	Ops                        [][]Op
}

// Shape bounds the programs of Random.
type Shape struct {
	Nodes, Pages, Locks, Phases, Ops int // at most; Ops per node and phase
	WordsPerPage                     int
	// Owned makes most pages in each phase belong to one node alone.
	Owned bool
}

// guard is the access rule of a word during a phase.
type guard struct {
	lock   int // -1 for none
	writer int // the only writer if lock < 0; -1 if all may read
}

// hot is how many words of each page a program uses: few, to make nodes
// conflict on them.
const hot = 12

// Random generates a program without data races. Barriers separate its phases.
// In each phase a word is guarded by one lock, belongs to one node, or is
// read-only. Neighbouring words have independent guards, which causes false
// sharing and pages with several writers.
func Random(rng *rand.Rand, s Shape) Program {
	p := Program{
		Nodes: 2 + rng.IntN(s.Nodes-1),
		Pages: 1 + rng.IntN(s.Pages),
		Locks: 1 + rng.IntN(s.Locks),
	}
	p.Words = p.Pages * s.WordsPerPage
	p.Ops = make([][]Op, p.Nodes)
	words := make([]int, 0, p.Pages*hot)
	for page := range p.Pages {
		for range hot {
			words = append(words, page*s.WordsPerPage+rng.IntN(s.WordsPerPage))
		}
	}
	guards := make(map[int]guard, len(words))
	for phase := range 1 + rng.IntN(s.Phases) {
		for _, w := range words {
			guards[w] = randomGuard(rng, &p)
		}
		if s.Owned {
			own(rng, &p, s.WordsPerPage, words, guards)
		}
		for node := range p.Ops {
			p.phase(rng, node, words, guards, rng.IntN(s.Ops+1))
			p.Ops[node] = append(p.Ops[node], Op{Meet, phase % 3})
		}
	}
	for node := range p.Ops {
		for _, w := range words {
			p.Ops[node] = append(p.Ops[node], Op{Load, w})
		}
	}
	return p
}

// own gives most pages to one node each, mostly to the same one.
func own(rng *rand.Rand, p *Program, perPage int, words []int, guards map[int]guard) {
	for page := range p.Pages {
		if rng.IntN(4) == 0 {
			continue
		}
		owner := (page + 1) % p.Nodes
		if rng.IntN(4) == 0 {
			owner = rng.IntN(p.Nodes)
		}
		for _, w := range words {
			if w/perPage == page {
				guards[w] = guard{lock: -1, writer: owner}
			}
		}
	}
}

func randomGuard(rng *rand.Rand, p *Program) guard {
	switch rng.IntN(5) {
	case 0, 1:
		return guard{lock: rng.IntN(p.Locks), writer: -1}
	case 2, 3:
		return guard{lock: -1, writer: rng.IntN(p.Nodes)}
	default:
		return guard{lock: -1, writer: -1}
	}
}

func (p *Program) phase(rng *rand.Rand, node int, words []int, guards map[int]guard, n int) {
	add := func(k Kind, at int) { p.Ops[node] = append(p.Ops[node], Op{k, at}) }
	for range n {
		if rng.IntN(3) > 0 {
			first := rng.IntN(p.Locks)
			add(Lock, first)
			second := -1
			if first+1 < p.Locks && rng.IntN(4) == 0 {
				second = first + 1 + rng.IntN(p.Locks-first-1)
				add(Lock, second)
			}
			for range 1 + rng.IntN(5) {
				p.touch(rng, node, words, guards, first, second)
			}
			if second >= 0 {
				add(Unlock, second)
				p.touch(rng, node, words, guards, first, -1)
			}
			add(Unlock, first)
		}
		for range rng.IntN(3) {
			p.touch(rng, node, words, guards, -1, -1)
		}
	}
}

// touch adds an access that the guards allow to a node holding these locks.
func (p *Program) touch(rng *rand.Rand, node int, words []int, guards map[int]guard, held ...int) {
	for range 8 {
		w := words[rng.IntN(len(words))]
		g := guards[w]
		write := false
		switch {
		case g.lock >= 0 && (g.lock == held[0] || g.lock == held[1]):
			write = rng.IntN(3) > 0
		case g.lock >= 0:
			continue
		case g.writer == node:
			write = rng.IntN(3) > 0
		case g.writer >= 0:
			continue
		}
		k := Load
		if write {
			k = Store
			if rng.IntN(12) == 0 {
				k = Restore
			}
		}
		p.Ops[node] = append(p.Ops[node], Op{k, w})
		return
	}
}
