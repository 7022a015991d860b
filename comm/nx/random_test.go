package nx_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// The oracle knows nothing of protocols: a program is a list of messages in
// an order in which unlimited buffers would let it run, and what a receive may
// get follows from who sent what, in which order.

// letter is a message of a random program.
type letter struct {
	id, from, to int // to −1: everybody else
	typ, bytes   int
	alignment    int // of the sender's buffer
	into         int // of the receiver's
	wait         int // the sender waits for its buffer after so many of its further sends
}

// style is how a node selects messages during a phase: all its receives ask
// alike, so that none takes what another one needs.
type style int

const (
	exact style = iota
	anyNode
	anyType
	anything
	styles
)

// phase is a part of a program between two global synchronizations.
type phase struct {
	letters []letter
	styles  []style
	delays  [][]sim.Duration // by node, before each of its steps
	early   []int            // by node: receives posted ahead
}

func drawPhase(t *rapid.T, nodes, first, count int) phase {
	ph := phase{styles: make([]style, nodes), delays: make([][]sim.Duration, nodes), early: make([]int, nodes)}
	for i := range nodes {
		ph.styles[i] = style(rapid.IntRange(0, int(styles)-1).Draw(t, "style"))
		ph.early[i] = rapid.IntRange(0, 3).Draw(t, "posted ahead")
		for range 2 * count {
			ph.delays[i] = append(ph.delays[i], sim.Duration(max(0, rapid.IntRange(-300, 300).Draw(t, "delay, µs")))*sim.Microsecond)
		}
	}
	for k := range count {
		l := letter{id: first + k, from: rapid.IntRange(0, nodes-1).Draw(t, "from"), typ: rapid.IntRange(0, 2).Draw(t, "type")}
		l.to = rapid.IntRange(-1, nodes-1).Draw(t, "to")
		l.bytes = rapid.SampledFrom([]int{0, 3, 40, 41, 64, 65, 600, 4096, 5000, 8192, 8193, 12_000}).Draw(t, "bytes")
		l.alignment = 8 * rapid.IntRange(0, 511).Draw(t, "alignment")
		l.into = rapid.SampledFrom([]int{l.alignment, 0, 8, 4088}).Draw(t, "into")
		l.wait = rapid.IntRange(0, 4).Draw(t, "wait")
		ph.letters = append(ph.letters, l)
	}
	return ph
}

// player runs one node's part and checks what it receives.
type player struct {
	p       *nx.Process
	sent    []sending
	waiting []waiting
	taken   map[int]bool
	lastOf  map[[3]int]int // by class and sender: position of the last message
	wrong   error
}

type sending struct {
	id    nx.MsgID
	at    host.Addr
	bytes int
	left  int
}

type waiting struct {
	id    nx.MsgID
	class [2]int
	at    host.Addr
}

const room = 20_000 // for one message and its alignment

func (l *letter) reaches(node int) bool { return l.to == node || l.to == nx.Any && l.from != node }

// play is node's part of a phase: letters in order, sent or received.
func (y *player) play(ph phase, nodes int) error {
	me := y.p.Node()
	step := 0
	var mine []letter
	for _, l := range ph.letters {
		if l.reaches(me) {
			mine = append(mine, l)
		}
	}
	next := 0 // receive to post
	for _, l := range ph.letters {
		if l.from == me {
			y.p.Compute(host.Work{Time: ph.delays[me][step]})
			step++
			if err := y.send(l); err != nil {
				return err
			}
		}
		if l.reaches(me) {
			y.p.Compute(host.Work{Time: ph.delays[me][step]})
			step++
			for ; next < len(mine) && len(y.waiting) <= ph.early[me]; next++ {
				if err := y.post(mine[next], ph.styles[me]); err != nil {
					return err
				}
			}
			if err := y.take(ph); err != nil {
				return err
			}
		}
	}
	for len(y.sent) > 0 {
		if err := y.free(0); err != nil {
			return err
		}
	}
	if len(y.taken) != len(mine) && y.wrong == nil {
		y.wrong = fmt.Errorf("node %d received %d messages, want %d", me, len(y.taken), len(mine))
	}
	y.taken, y.lastOf = map[int]bool{}, map[[3]int]int{}
	return y.p.Gsync()
}

func (y *player) send(l letter) error {
	at := y.p.Alloc(room) + host.Addr(l.alignment)
	y.p.Space().WriteAt(at, pattern(l.id, l.bytes))
	if l.wait == 0 {
		if err := y.p.Csend(l.typ, at, l.bytes, l.to); err != nil {
			return err
		}
		y.p.Space().WriteAt(at, pattern(-1, l.bytes))
	} else {
		id, err := y.p.Isend(l.typ, at, l.bytes, l.to)
		if err != nil {
			return err
		}
		y.sent = append(y.sent, sending{id, at, l.bytes, l.wait})
	}
	for i := 0; i < len(y.sent); {
		if y.sent[i].left--; y.sent[i].left > 0 {
			i++
			continue
		}
		if err := y.free(i); err != nil {
			return err
		}
	}
	return nil
}

// free waits for a message to be sent and spoils its buffer.
func (y *player) free(i int) error {
	s := y.sent[i]
	y.sent = append(y.sent[:i], y.sent[i+1:]...)
	err := y.p.Msgwait(s.id)
	y.p.Space().WriteAt(s.at, pattern(-1, s.bytes))
	return err
}

func (y *player) post(l letter, how style) error {
	class := [2]int{l.typ, l.from}
	switch how {
	case anyNode:
		class[1] = nx.Any
	case anyType:
		class[0] = nx.Any
	case anything:
		class = [2]int{nx.Any, nx.Any}
	}
	at := y.p.Alloc(room) + host.Addr(l.into)
	id, err := y.p.Irecvx(class[0], at, 12_000, class[1])
	y.waiting = append(y.waiting, waiting{id, class, at})
	return err
}

// take waits for the oldest receive and checks its message: one that was sent
// here, has not come before, fits the question, and is not older than one of the
// same sender that answered the same question.
func (y *player) take(ph phase) error {
	w := y.waiting[0]
	y.waiting = y.waiting[1:]
	if err := y.p.Msgwait(w.id); err != nil {
		return err
	}
	typ, node, n := y.p.Infotype(), y.p.Infonode(), y.p.Infocount()
	b := read(y.p, w.at, n)
	for at, l := range ph.letters {
		if y.taken[l.id] || !l.reaches(y.p.Node()) || l.from != node || l.typ != typ || l.bytes != n || string(pattern(l.id, n)) != string(b) {
			continue
		}
		key := [3]int{w.class[0], w.class[1], node}
		switch {
		case w.class[0] != nx.Any && w.class[0] != typ || w.class[1] != nx.Any && w.class[1] != node:
			y.fail("message %d for a receive of %v", l.id, w.class)
		case n > 0 && y.lastOf[key] > at+1:
			// Empty messages look alike: any of them may stand for another.
			y.fail("message %d after a later one of the same sender", l.id)
		}
		y.taken[l.id] = true
		y.lastOf[key] = max(y.lastOf[key], at+1)
		return nil
	}
	y.fail("a message of type %d from node %d with %d B that was not sent", typ, node, n)
	return nil
}

func (y *player) fail(format string, args ...any) {
	if y.wrong == nil {
		y.wrong = fmt.Errorf("node %d: "+format, append([]any{y.p.Node()}, args...)...)
	}
}

// TestRandomPrograms holds random programs against the oracle, with every
// broadcast, small rings, faults, and resources that let packets overtake.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := options{nodes: rapid.IntRange(2, 6).Draw(t, "nodes"), seed: rapid.Uint64Range(1, 1<<20).Draw(t, "seed")}
		o.spec = nx.Spec{
			Broadcast: rapid.SampledFrom(modes).Draw(t, "broadcast"), EagerBytes: 8192,
			Entries: rapid.SampledFrom([]int{4, 8, 32}).Draw(t, "entries"), Slots: rapid.IntRange(2, 4).Draw(t, "slots"),
		}
		switch rapid.IntRange(0, 4).Draw(t, "weather") {
		case 1:
			o.faults = fabric.Faults{ErrorPerByte: 1e-5}
		case 2:
			o.change = func(s *cluster.Spec) { s.Cards.Slots = true }
		case 3:
			o.change = func(s *cluster.Spec) {
				s.Ports, s.Cards.NetDMA, s.Cards.HostDMA, s.Cards.Processor = true, true, true, true
			}
		}
		var phases []phase
		for i := range rapid.IntRange(1, 2).Draw(t, "phases") {
			phases = append(phases, drawPhase(t, o.nodes, 1000*i, rapid.IntRange(1, 20).Draw(t, "letters")))
		}
		players := make([]*player, o.nodes)
		_, err := run(t, o, func(p *nx.Process) error {
			y := &player{p: p, taken: map[int]bool{}, lastOf: map[[3]int]int{}}
			players[p.Node()] = y
			for _, ph := range phases {
				if err := y.play(ph, o.nodes); err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, err)
		for _, y := range players {
			require.NoError(t, y.wrong)
		}
	})
}

// TestUnseenCorruption lets errors through that CRC-8 cannot show. The run
// ends with an error or with damaged messages, and never without an end.
func TestUnseenCorruption(t *testing.T) {
	outcomes := map[string]int{}
	runs := uint64(40)
	if testing.Short() {
		runs = 10
	}
	for seed := range runs {
		damaged := false
		o := options{nodes: 3, seed: seed, faults: fabric.Faults{ErrorPerByte: 2e-4, BurstBytes: 6}}
		b := build(t, o)
		err := b.run(t, func(p *nx.Process) error {
			r := rand.New(rand.NewPCG(seed, uint64(p.Node())))
			buf := p.Alloc(1 << 16)
			for k := range 12 {
				n := r.IntN(20_000)
				for to := range 3 {
					if to == p.Node() {
						continue
					}
					p.Space().WriteAt(buf, pattern(k, n))
					if err := p.Csend(k, buf, n, to); err != nil {
						return err
					}
				}
				for range 2 {
					if err := p.Crecv(k, buf, 20_000); err != nil {
						return err
					}
					damaged = damaged || string(pattern(k, p.Infocount())) != string(read(p, buf, p.Infocount()))
				}
			}
			return nil
		})
		switch lost := b.Net.Stats().Undetected; {
		case err != nil:
			require.NotZero(t, lost, "seed %d: %v", seed, err)
			outcomes["error"]++
			t.Logf("seed %d: %v", seed, err)
		case damaged:
			require.NotZero(t, lost, "seed %d", seed)
			outcomes["damaged"]++
		default:
			outcomes["whole"]++
		}
	}
	t.Log(outcomes)
	require.NotZero(t, outcomes["damaged"])
}
