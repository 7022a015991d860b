package fabric

import (
	"container/heap"
	"fmt"

	"github.com/sigview/sigview/sim"
)

// twin is the slow machine that the closed form is held against: every byte
// is an event, buffers hold bytes, STOP and GO are symbols with a time of
// flight. It shares only the routes with the package.
type twin struct {
	spec  Spec
	links []*twinLink
	queue twinQueue
	seq   int
	now   int64
	done  []record
	ready [][]*twinPacket // per node, still to be injected
	tau   func(*twinPacket) int64
	pause func(node int) (from, to int64)
	left  int
	tie   bool // two heads asked for the same channel at the same instant
}

type twinPacket struct {
	record
	path  []int32
	bytes int
	at    int64 // earliest injection
	rate  sim.Rate
}

type twinByte struct {
	p   *twinPacket
	idx int
}

type twinLink struct {
	id       int
	holder   *twinPacket
	source   *twinLink // input port that feeds it
	next     int       // index of the byte to send
	free     int64     // when the wire takes the next byte
	pending  bool      // a try is scheduled
	stop     bool
	buffer   []twinByte
	stopSent bool
	waiters  []*twinLink
	asked    bool  // the front head waits for its output
	askedAt  int64 // when a head last asked for this link
	accepted bool
}

type twinEvent struct {
	at  int64
	seq int
	do  func()
}

type twinQueue []twinEvent

func (q twinQueue) Len() int { return len(q) }
func (q twinQueue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].seq < q[j].seq
}
func (q twinQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *twinQueue) Push(x any)   { *q = append(*q, x.(twinEvent)) }
func (q *twinQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

func (w *twin) at(t int64, do func()) {
	w.seq++
	heap.Push(&w.queue, twinEvent{t, w.seq, do})
}

func newTwin(spec Spec, links int) *twin {
	w := &twin{spec: spec, ready: make([][]*twinPacket, spec.Topology.Nodes)}
	for i := range links {
		w.links = append(w.links, &twinLink{id: i})
	}
	w.tau = func(p *twinPacket) int64 { return 1e12 / int64(min(p.rate, spec.LinkRate)) }
	return w
}

func (w *twin) add(p *twinPacket) { w.ready[p.src] = append(w.ready[p.src], p) }

func (w *twin) run() error {
	for node := range w.ready {
		w.inject(node)
	}
	for len(w.queue) > 0 {
		e := heap.Pop(&w.queue).(twinEvent)
		w.now = e.at
		e.do()
	}
	if w.left > 0 {
		return fmt.Errorf("twin: %d packets are stuck", w.left)
	}
	return nil
}

// inject starts the node's next packet when it is due.
func (w *twin) inject(node int) {
	if len(w.ready[node]) == 0 {
		return
	}
	p := w.ready[node][0]
	w.ready[node] = w.ready[node][1:]
	w.left++
	w.at(max(w.now, p.at), func() {
		p.t3 = sim.Time(w.now)
		w.take(w.links[p.path[0]], p, nil)
	})
}

func (w *twin) take(l *twinLink, p *twinPacket, source *twinLink) {
	l.holder, l.source, l.next, l.accepted = p, source, 0, false
	l.free = max(l.free, w.now)
	w.try(l)
}

// try sends the next byte of l, or sees that it cannot.
func (w *twin) try(l *twinLink) {
	p := l.holder
	if p == nil || l.stop || l.pending {
		return
	}
	if w.now < l.free {
		l.pending = true
		w.at(l.free, func() { l.pending = false; w.try(l) })
		return
	}
	last := l.id == int(p.path[len(p.path)-1])
	if last && !l.accepted {
		if from, to := w.stall(int(p.dst)); w.now >= from && w.now < to {
			l.pending = true
			w.at(to, func() { l.pending = false; w.try(l) })
			return
		}
		l.accepted = true
	}
	if l.source != nil {
		if len(l.source.buffer) == 0 || l.source.buffer[0].p != p {
			return // arrival will try again
		}
		w.drain(l.source)
	}
	idx := l.next
	l.next++
	l.free = w.now + w.tau(p)
	w.at(w.now+int64(w.spec.WireDelay+w.spec.SwitchDelay), func() {
		if !last {
			w.receive(l, twinByte{p, idx})
		}
	})
	if l.next == p.bytes {
		w.at(l.free, func() { w.end(l, p, last) })
		return
	}
	w.try(l)
}

func (w *twin) stall(node int) (from, to int64) {
	if w.pause == nil {
		return 0, 0
	}
	return w.pause(node)
}

// end releases l after its holder's last byte.
func (w *twin) end(l *twinLink, p *twinPacket, last bool) {
	source := l.source
	l.holder, l.source = nil, nil
	if last {
		p.t5 = sim.Time(w.now) + sim.Time(w.spec.WireDelay)
		w.left--
		w.done = append(w.done, p.record)
		r := &w.done[len(w.done)-1]
		if l.id == int(p.src) {
			r.t4 = sim.Time(w.now)
		}
	}
	if l.id == int(p.src) {
		p.t4 = sim.Time(w.now)
		w.inject(int(p.src))
	}
	if len(l.waiters) > 0 {
		in := l.waiters[0]
		l.waiters = l.waiters[1:]
		in.asked = false
		w.take(l, in.buffer[0].p, in)
	}
	if source != nil {
		w.ask(source)
	}
}

// receive puts a byte into the buffer of l.
func (w *twin) receive(l *twinLink, b twinByte) {
	l.buffer = append(l.buffer, b)
	if len(l.buffer) > w.spec.SlackBytes {
		panic("twin: slack buffer overflows")
	}
	if len(l.buffer) >= w.spec.StopBytes && !l.stopSent {
		l.stopSent = true
		w.at(w.now+int64(w.spec.WireDelay), func() { l.stop = true })
	}
	w.ask(l)
}

// drain takes the front byte out of the buffer of l.
func (w *twin) drain(l *twinLink) {
	l.buffer = l.buffer[1:]
	if l.stopSent && len(l.buffer) <= w.spec.GoBytes {
		l.stopSent = false
		w.at(w.now+int64(w.spec.WireDelay), func() { l.stop = false; w.try(l) })
	}
}

// ask lets the front byte of l's buffer go on: a head asks for its channel,
// another byte follows its head.
func (w *twin) ask(l *twinLink) {
	if len(l.buffer) == 0 {
		return
	}
	b := l.buffer[0]
	hop := 0
	for int(b.p.path[hop]) != l.id {
		hop++
	}
	out := w.links[b.p.path[hop+1]]
	switch {
	case out.holder == b.p && out.source == l:
		w.try(out)
	case b.idx > 0:
		panic("twin: a byte in front without its head")
	case l.asked:
	case l.feeds(w):
		// the tail of the packet before is still on the wire of its output
	default:
		w.tie = w.tie || out.askedAt == w.now
		out.askedAt = w.now
		if out.holder == nil && len(out.waiters) == 0 {
			w.take(out, b.p, l)
			return
		}
		l.asked = true
		out.waiters = append(out.waiters, l)
	}
}

// feeds reports whether some channel is still fed by l.
func (l *twinLink) feeds(w *twin) bool {
	for _, o := range w.links {
		if o.source == l && o.holder != nil {
			return true
		}
	}
	return false
}
