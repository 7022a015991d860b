package svmcheck

import "fmt"

// Oracle is the sequential memory. It learns of every operation when the
// operation takes effect. Synchronization orders the conflicting accesses of a
// race-free program, so a load must return the value last stored, whatever the
// schedule. The oracle checks with its own vector clocks that the program is
// race-free.
type Oracle struct {
	words  []uint32
	next   uint32
	clock  [][]uint32 // by node
	locks  map[int][]uint32
	meet   map[int][]*meeting // by barrier: its rounds
	round  map[[2]int]int     // by node and barrier: rounds passed
	last   []access           // by word: its last store
	reads  [][]uint32         // by word: each node's clock at its last load
	Loads  int
	Stores int
}

type access struct {
	node int
	at   uint32
}

// meeting is one round of a barrier. A node may arrive at the next round
// before all have left this one.
type meeting struct {
	here  int
	clock []uint32
}

// NewOracle returns a memory of zeros.
func NewOracle(nodes, words int) *Oracle {
	o := &Oracle{words: make([]uint32, words), locks: map[int][]uint32{}, meet: map[int][]*meeting{}, round: map[[2]int]int{},
		last: make([]access, words), reads: make([][]uint32, words)}
	for n := range nodes {
		o.clock = append(o.clock, make([]uint32, nodes))
		o.clock[n][n] = 1
	}
	return o
}

// Store returns the value to store in a word: a new one, or with restore the
// present one. It fails if the store races with another access.
func (o *Oracle) Store(node, word int, restore bool) (uint32, error) {
	o.Stores++
	if err := o.ordered(node, word, "store"); err != nil {
		return 0, err
	}
	for other, at := range o.reads[word] {
		if at > o.clock[node][other] {
			return 0, fmt.Errorf("the program is wrong: node %d stores word %d unordered with a load of node %d", node, word, other)
		}
	}
	o.last[word] = access{node, o.clock[node][node]}
	if !restore {
		o.next++
		o.words[word] = o.next * 0x9e3779b1 // all bytes change
	}
	return o.words[word], nil
}

// Load checks a value that was read.
func (o *Oracle) Load(node, word int, got uint32) error {
	o.Loads++
	if err := o.ordered(node, word, "load"); err != nil {
		return err
	}
	if o.reads[word] == nil {
		o.reads[word] = make([]uint32, len(o.clock))
	}
	o.reads[word][node] = o.clock[node][node]
	if want := o.words[word]; got != want {
		return fmt.Errorf("node %d read %#x from word %d, want %#x", node, got, word, want)
	}
	return nil
}

func (o *Oracle) ordered(node, word int, what string) error {
	l := o.last[word]
	if l.at > o.clock[node][l.node] {
		return fmt.Errorf("the program is wrong: %s of word %d at node %d is unordered with a store of node %d", what, word, node, l.node)
	}
	return nil
}

// Locked records that node holds the lock now.
func (o *Oracle) Locked(node, lock int) { o.join(node, o.locks[lock]) }

// Unlocking records that node is about to release the lock.
func (o *Oracle) Unlocking(node, lock int) {
	o.locks[lock] = append(o.locks[lock][:0], o.clock[node]...)
	o.clock[node][node]++
}

// Arriving records that node is about to enter the barrier.
func (o *Oracle) Arriving(node, barrier int) {
	r := o.round[[2]int{node, barrier}]
	if r == len(o.meet[barrier]) {
		o.meet[barrier] = append(o.meet[barrier], &meeting{clock: make([]uint32, len(o.clock))})
	}
	m := o.meet[barrier][r]
	m.here++
	for i, c := range o.clock[node] {
		m.clock[i] = max(m.clock[i], c)
	}
	o.clock[node][node]++
}

// Passed records that node has left the barrier. It fails if not all nodes had
// arrived.
func (o *Oracle) Passed(node, barrier int) error {
	m := o.meet[barrier][o.round[[2]int{node, barrier}]]
	if m.here != len(o.clock) {
		return fmt.Errorf("node %d passed barrier %d when %d of %d nodes had arrived", node, barrier, m.here, len(o.clock))
	}
	o.round[[2]int{node, barrier}]++
	o.join(node, m.clock)
	return nil
}

func (o *Oracle) join(node int, clock []uint32) {
	for i, c := range clock {
		o.clock[node][i] = max(o.clock[node][i], c)
	}
}
