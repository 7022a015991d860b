package operations

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
)

// Memory plays shared virtual memory: page fetches, locks, diffs and barriers.
type Memory struct {
	layout *svm.Layout
	seed   uint64
}

const (
	nodes   = 2
	turns   = 96 // of each node
	fetches = 3  // pages in a turn that nobody has fetched before
	locks   = 4
)

// NewMemory lays out the pages: the first half has its home on node 0.
func NewMemory(seed uint64) (*Memory, error) {
	l, err := svm.NewLayout(nodes)
	if err != nil {
		return nil, err
	}
	_, err = l.Alloc(nodes*turns*fetches*svm.PageSize, svm.Blocks)
	return &Memory{l, seed}, err
}

// page returns page k of those that node fetches in one of its turns.
func page(node, turn, k int) svm.Addr {
	home := 1 - node
	return svm.Addr((home*turns+turn)*fetches+k) * svm.PageSize
}

// Layout returns the shared memory.
func (m *Memory) Layout() *svm.Layout { return m.layout }

// Progress returns zeros: the operations of all turns take little time.
func (m *Memory) Progress() (done, total int64) { return 0, 0 }

// Load leaves the memory zero: its numbers do not matter.
func (m *Memory) Load(*svm.System) error { return nil }

// Run is the program of a node. The node that has no turn waits at the barrier, or
// in every other turn for the lock before.
func (m *Memory) Run(t *svm.Thread) {
	random := sim.NewStream(m.seed, fmt.Sprintf("workloads/operations/memory%d", t.Node()))
	for i := range nodes * turns {
		turn, began := i/nodes, t.Now()
		if t.Node() == i%nodes {
			m.play(t, turn, began.Add(handOver), &random)
		} else {
			m.wait(t, turn, began.Add(handOver-gap))
		}
		t.Barrier(uint32(turn % nodes))
	}
}

// play plays each operation once. Half of the changes are some words, the others more and
// more of a page. Some are sent when the lock is released, some at the barrier, some at
// both. There is one page at a time: to compare a page while the difference of another
// one is sent is contention for the memory bus.
func (m *Memory) play(t *svm.Thread, turn int, release sim.Time, random *sim.Stream) {
	me := t.Node()
	if turn > 0 { // so that the other node fetches them again
		for k := range fetches {
			t.WritePiece(page(1-me, turn-1, k), 8)[0]++
		}
	}
	for k := range fetches {
		pause(t.Context(), random)
		t.ReadPiece(page(me, turn, k), 8)
		if turn > 1 {
			pause(t.Context(), random)
			t.ReadPiece(page(me, turn-2, k), 8)
		}
	}
	lock := uint32(turn % locks)
	pause(t.Context(), random)
	t.Lock(lock)
	if turn%4 < 2 {
		m.change(t, turn)
	}
	sleepUntil(t, release)
	t.Unlock(lock)
	if turn%4 > 0 {
		m.change(t, turn)
	}
	if turn/8%2 == 0 { // otherwise the barrier follows the release at once
		pause(t.Context(), random)
	}
}

// handOver is when a lock is released, later than everything before it in a turn.
const handOver = 24 * gap

// sleepUntil does not sleep where the operations before have taken longer.
func sleepUntil(t *svm.Thread, at sim.Time) { t.Context().Sleep(max(0, at.Sub(t.Now()))) }

// wait asks for the lock in half of the turns, before it is released.
func (m *Memory) wait(t *svm.Thread, turn int, ask sim.Time) {
	if turn/4%2 == 0 {
		t.Context().Sleep(gap / 2) // the other one pauses at least twice as long
		return
	}
	sleepUntil(t, ask)
	lock := uint32(turn % locks)
	t.Lock(lock)
	t.Unlock(lock)
}

func (m *Memory) change(t *svm.Thread, turn int) {
	bytes := 8 * (1 + turn/2%8)
	if turn/2%2 == 1 {
		bytes = svm.PageSize * (turn + 1) / turns / 8 * 8
	}
	b := t.WritePiece(page(t.Node(), turn, 0), bytes)
	for at := range b {
		b[at]++
	}
}

// Verify says what was checked: the tests of package svm check the protocol.
func (m *Memory) Verify(*svm.System) (how string, wrong error) {
	return "every operation ended", nil
}
