package fast

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/goal"
)

// script is a program from lists, which records what its receives get.
type script struct {
	ops [][]Op
	at  []int
	got [][]Message
}

func (s *script) Next(rank int, got *Message) Op {
	if got != nil {
		s.got[rank] = append(s.got[rank], *got)
	}
	if s.at[rank] == len(s.ops[rank]) {
		return s.last(rank)
	}
	s.at[rank]++
	return s.ops[rank][s.at[rank]-1]
}

// last ends a rank when its posted receives have their messages.
func (s *script) last(rank int) Op {
	receives := 0
	for _, op := range s.ops[rank] {
		if op.Kind == Receive || op.Kind == Post {
			receives++
		}
	}
	if receives > len(s.got[rank]) {
		return Op{Kind: Wait}
	}
	return Op{}
}

func newScript(ops [][]Op) *script {
	return &script{ops, make([]int, len(ops)), make([][]Message, len(ops))}
}

// plain executes scripts in the order of time, one operation of one rank after the other, with
// plain lists. It shares no code with the engine.
type plain struct {
	p      *Params
	script *script
	ranks  []plainRank
	air    []plainMessage
	took   int64
	landed int
	tied   bool // two messages have arrived at a rank at one instant, in an order that is nobody's to say
}

type plainMessage struct {
	Message
	to   int32
	at   int64
	came int
}

type plainRank struct {
	time, out, last, in int64
	arrived             []plainMessage
	wants               []Op           // blocked receive, or posted ones
	done                []plainMessage // of posted ones, by time
	state               string
}

func (o *plain) cost(bytes int32) Cost {
	pts := o.p.Points
	for i := range pts {
		if int(bytes) <= pts[i].Bytes {
			if i == 0 {
				return pts[0].Cost
			}
			part := float64(int(bytes)-pts[i-1].Bytes) / float64(pts[i].Bytes-pts[i-1].Bytes)
			line := func(a, b sim.Duration) sim.Duration { return a + sim.Duration(part*float64(b-a)) }
			a, b := pts[i-1].Cost, pts[i].Cost
			return Cost{line(a.Send, b.Send), line(a.Receive, b.Receive), line(a.Gap, b.Gap), line(a.In, b.In), line(a.Latency, b.Latency), line(a.Turn, b.Turn), 0, 0}
		}
	}
	panic("size beyond the table")
}

func wantsIt(w Op, m Message) bool {
	return (w.Peer == -1 || w.Peer == m.From) && (w.Tag == -1 || w.Tag == m.Tag)
}

// run returns whether all ranks have ended and nothing is left.
func (o *plain) run() bool {
	for {
		rank, message := -1, -1
		first := int64(math.MaxInt64)
		for i := range o.air {
			if o.air[i].at < first {
				first, message = o.air[i].at, i
			}
		}
		for i := range o.ranks {
			if o.ranks[i].state == "" && o.ranks[i].time < first {
				first, rank = o.ranks[i].time, i
			}
		}
		switch {
		case rank >= 0:
			o.step(int32(rank))
		case message >= 0:
			m := o.air[message]
			o.air = slices.Delete(o.air, message, message+1)
			o.ties(m)
			o.land(m)
		default:
			for _, r := range o.ranks {
				o.took = max(o.took, r.time)
				if r.state != "ended" || len(r.arrived) > 0 {
					return false
				}
			}
			return true
		}
	}
}

// ties notes whether another message arrives with one that is about to.
func (o *plain) ties(m plainMessage) {
	o.tied = o.tied || slices.ContainsFunc(o.air, func(x plainMessage) bool { return x.to == m.to && x.at == m.at })
}

func (o *plain) land(m plainMessage) {
	r := &o.ranks[m.to]
	if in := int64(o.cost(m.Bytes).In); in > 0 {
		m.at = max(m.at, r.in+in)
		r.in = m.at
	}
	if turn := int64(o.cost(m.Bytes).Turn); turn > 0 {
		r.out = max(r.out, m.at+turn)
	}
	o.landed++
	m.came = o.landed
	for i, w := range r.wants {
		if !wantsIt(w, m.Message) {
			continue
		}
		r.wants = slices.Delete(r.wants, i, i+1)
		if r.state == "" { // it has not come to its wait
			o.keep(m.to, w, m)
		} else {
			o.give(m.to, w, m)
		}
		return
	}
	r.arrived = append(r.arrived, m)
}

func (o *plain) keep(rank int32, w Op, m plainMessage) {
	m.ID = w.ID
	r := &o.ranks[rank]
	r.done = append(r.done, m)
	slices.SortStableFunc(r.done, func(a, b plainMessage) int { return a.came - b.came })
}

func (o *plain) give(rank int32, w Op, m plainMessage) {
	r := &o.ranks[rank]
	r.time = max(r.time, m.at) + int64(o.cost(m.Bytes).Receive)
	r.state = ""
	m.ID = w.ID
	o.script.got[rank] = append(o.script.got[rank], m.Message)
}

func (o *plain) step(rank int32) {
	r := &o.ranks[rank]
	if o.script.at[rank] == len(o.script.ops[rank]) {
		r.state = "ended"
		if o.script.last(int(rank)).Kind == Wait {
			r.state = "waits"
			if len(r.done) > 0 {
				m := r.done[0]
				r.done = r.done[1:]
				o.give(rank, Op{ID: m.ID}, m)
			}
		}
		return
	}
	op := o.script.ops[rank][o.script.at[rank]]
	o.script.at[rank]++
	switch op.Kind {
	case Compute:
		r.time += int64(op.Time)
	case Send:
		c := o.cost(op.Bytes)
		r.time = max(r.time, r.out-int64(o.p.Slots)*int64(c.Gap)) + int64(c.Send)
		begin := max(r.time, r.out)
		r.out = begin + int64(c.Gap)
		r.last = max(r.last, begin+int64(c.Latency))
		o.air = append(o.air, plainMessage{Message{From: rank, Tag: op.Tag, Bytes: op.Bytes}, op.Peer, r.last, 0})
	case Receive, Post:
		for i, m := range r.arrived {
			if wantsIt(op, m.Message) {
				r.arrived = slices.Delete(r.arrived, i, i+1)
				if op.Kind == Post {
					o.keep(rank, op, m)
				} else {
					o.give(rank, op, m)
				}
				return
			}
		}
		r.wants = append(r.wants, op)
		if op.Kind == Receive {
			r.state = "receives"
		}
	}
}

// drawScripts draws programs: each rank computes, sends and receives; half of the ranks post
// their receives.
func drawScripts(t *rapid.T) [][]Op {
	ops := make([][]Op, rapid.IntRange(2, 5).Draw(t, "ranks"))
	due := make([][]Op, len(ops)) // receives, by rank
	for range rapid.IntRange(0, 40).Draw(t, "messages") {
		from := rapid.IntRange(0, len(ops)-1).Draw(t, "from")
		to := (from + rapid.IntRange(1, len(ops)-1).Draw(t, "to")) % len(ops)
		tag := int32(rapid.IntRange(0, 2).Draw(t, "tag"))
		ops[from] = append(ops[from],
			Op{Kind: Compute, Time: sim.Duration(rapid.Int64Range(1, 20e6).Draw(t, "ps"))},
			Op{Kind: Send, Peer: int32(to), Tag: tag, Bytes: int32(rapid.IntRange(0, 4096).Draw(t, "bytes"))})
		w := Op{Kind: Receive, Peer: int32(from), Tag: tag, ID: int32(len(due[to]))}
		if rapid.Bool().Draw(t, "from any") {
			w.Peer = wildcard
		}
		if rapid.Bool().Draw(t, "any tag") {
			w.Tag = wildcard
		}
		due[to] = append(due[to], w)
	}
	for i := range ops {
		posts := rapid.Bool().Draw(t, "posts")
		for k, w := range rapid.Permutation(due[i]).Draw(t, "receives") {
			at := rapid.IntRange(0, len(ops[i])).Draw(t, "place")
			if posts {
				w.Kind = Post
			}
			if posts || k%2 == 0 {
				ops[i] = slices.Insert(ops[i], at, w)
			} else {
				ops[i] = append(ops[i], w)
			}
		}
	}
	return ops
}

// TestEngine: messages, receives and times are those of the plain simulation, whether the
// program can end or not.
func TestEngine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ops := drawScripts(t)
		p := myrinet()
		p.Slots = rapid.IntRange(1, 4).Draw(t, "slots")
		if rapid.Bool().Draw(t, "no congestion") {
			for i := range p.Points {
				p.Points[i].In = 0
			}
		}
		fast, slow := newScript(ops), newScript(ops)
		e, err := New(p, len(ops), fast)
		require.NoError(t, err)
		r, err := e.Run(nil)
		o := &plain{p: p, script: slow, ranks: make([]plainRank, len(ops))}
		ended := o.run()
		if o.tied {
			t.Skip("a tie")
		}
		require.Equal(t, ended, err == nil, "%v", err)
		require.Equal(t, slow.got, fast.got)
		if err == nil {
			require.Equal(t, o.took, int64(r.Took))
		}
		again, err2 := New(p, len(ops), newScript(ops))
		require.NoError(t, err2)
		same, _ := again.Run(nil)
		require.Equal(t, r, same)
	})
}

func TestCollectives(t *testing.T) {
	for _, ranks := range []int{2, 3, 5, 8, 17} {
		for _, c := range []struct {
			name     string
			program  Program
			messages int
		}{
			{"pingpong", PingPong(ranks, 3, 8), 6 * (ranks / 2)},
			{"alltoall", AllToAll(ranks, 3, 8), 3 * ranks * (ranks - 1)},
			{"broadcast", Broadcast(ranks, 3, 8), 3 * (ranks - 1)},
		} {
			e, err := New(myrinet(), ranks, c.program)
			require.NoError(t, err)
			r, err := e.Run(nil)
			require.NoError(t, err, "%s of %d", c.name, ranks)
			require.EqualValues(t, c.messages, r.Messages, "%s of %d", c.name, ranks)
		}
		e, err := New(myrinet(), ranks, Dissemination(ranks, 1, 8))
		require.NoError(t, err)
		r, err := e.Run(nil)
		require.NoError(t, err)
		steps := sim.Duration(math.Ceil(math.Log2(float64(ranks))))
		require.Equal(t, steps*sim.Duration(1500+9000+1000)*sim.Nanosecond, r.Took, "o_s + L + o_r for each step of %d ranks", ranks)
	}
}

// TestPingPongByHand: a round trip costs twice o_s + L + o_r.
func TestPingPongByHand(t *testing.T) {
	e, err := New(myrinet(), 2, PingPong(2, 100, 64))
	require.NoError(t, err)
	r, err := e.Run(nil)
	require.NoError(t, err)
	require.Equal(t, 200*sim.Duration(2000+11000+1200)*sim.Nanosecond, r.Took)
}

// TestErrors: programs that cannot end say why.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		ops  [][]Op
	}{
		{"rank 1 waits for a message of rank 0 with tag any", [][]Op{{}, {{Kind: Receive, Tag: wildcard}}}},
		{"rank 1 has ended without receiving 1 messages", [][]Op{{{Kind: Send, Peer: 1}}, {}}},
		{"rank 0 sends 0 B with tag 0 to rank 2", [][]Op{{{Kind: Send, Peer: 2}}, {}}},
		{"rank 0 waits, but has posted no receive", [][]Op{{{Kind: Wait}}, {}}},
		{"rank 0 receives beside 1 posted", [][]Op{{{Kind: Post, Peer: 1}, {Kind: Receive, Peer: 1}}, {}}},
	} {
		e, err := New(myrinet(), 2, newScript(c.ops))
		require.NoError(t, err)
		_, err = e.Run(nil)
		require.ErrorContains(t, err, c.want)
	}
	_, err := New(&Params{}, 2, nil)
	require.ErrorContains(t, err, "0 sizes")
}

// TestSchedule: a schedule's operations begin when what they require has ended.
func TestSchedule(t *testing.T) {
	s, err := goal.Read(strings.NewReader(`num_ranks 3
rank 0 {
a: calc 5000
b: send 8b to 1 tag 7
b requires a
}
rank 1 {
r: recv 8b from -1 tag -1
x: recv 64b from 2 tag 9
s: send 8b to 2 tag 1
s requires r
}
rank 2 {
g: recv 8b from 1 tag 1
h: send 64b to 1 tag 9
h requires g
}
`))
	require.NoError(t, err)
	p, err := NewSchedule(s)
	require.NoError(t, err)
	e, err := New(myrinet(), 3, p)
	require.NoError(t, err)
	r, err := e.Run(nil)
	require.NoError(t, err)
	require.EqualValues(t, 3, r.Messages)
	done, total := p.Progress()
	require.Equal(t, total, done)
	// Rank 0 computes and sends 8 B to rank 1, that to rank 2, and this 64 B to rank 1.
	require.Equal(t, sim.Duration(5000+2*(1500+9000+1000)+2000+11000+1200)*sim.Nanosecond, r.Took)
}

func ExampleEngine() {
	e, err := New(myrinet(), 1024, Dissemination(1024, 1, 8))
	if err != nil {
		panic(err)
	}
	r, err := e.Run(nil)
	fmt.Println(r.Messages, "messages in", r.Took, err)
	// Output: 10240 messages in 115µs <nil>
}
