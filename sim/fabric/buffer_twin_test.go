package fabric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/sim"
)

// bufferTwin is a network of switches with buffers written down once more: every change is an event, each
// switch counts what it holds, and nothing is given back late or known in advance. It shares
// nothing with the package but the specification and the routes.
type bufferTwin struct {
	spec   Spec
	now    int64
	events []bufferEvent
	wires  map[int32]*twinWire
	boxes  map[string]*twinBox
	out    map[uint32]record
	lost   map[uint32]int32 // by packet: the channel before which it was dropped
	stall  [2]int64         // node 0 takes nothing from here to there
	tie    bool             // an order was not given
	met    bool             // two packets came into a queue at the same time
}

type bufferEvent struct {
	at   int64
	rank twinRank
	do   func()
}

// twinRank orders what happens at the same time: packets leave switches, then the next ones begin, then others
// come.
type twinRank int

const (
	leaves twinRank = iota
	begins
	comes
)

func (e *bufferEvent) before(o *bufferEvent) bool {
	return e.at < o.at || e.at == o.at && e.rank < o.rank
}

// twinWire is a channel with the queue before it.
type twinWire struct {
	id            int32
	queue         []*twinMover
	busy          bool
	busyWithFrame bool
	paused        bool
	credit        int
	frame         bool  // a pause frame is to be sent
	said          bool  // what the last pause frame said
	began         int64 // when a packet or a frame last began
	freed         int64 // when it was last free again
	entered       int64 // when a packet last came into the queue
	inBox         int   // bytes of the input at its end in the shared part
	inHead        int   // and in the headroom
	off           bool
	box           *twinBox // at its end, or nil
	queued        int      // bytes waiting or leaving
	reverse       *twinWire
	injector      func()
}

type twinBox struct {
	name   string
	used   int
	inputs []*twinWire // in the order of their numbers
}

type twinMover struct {
	twinPacket
	hop int
}

func (w *bufferTwin) after(d int64, do func()) {
	w.events = append(w.events, bufferEvent{w.now + d, comes, do})
}

// run executes the earliest event, of several with the same time and rank the oldest, until there is none.
func (w *bufferTwin) run() {
	for len(w.events) > 0 {
		first := 0
		for i := range w.events {
			if w.events[i].before(&w.events[first]) {
				first = i
			}
		}
		e := w.events[first]
		w.events = slices.Delete(w.events, first, first+1)
		w.now = e.at
		e.do()
	}
}

func newBufferTwin(spec Spec, packets []twinPacket) *bufferTwin {
	w := &bufferTwin{
		spec: spec, wires: map[int32]*twinWire{}, boxes: map[string]*twinBox{},
		out: map[uint32]record{}, lost: map[uint32]int32{},
	}
	if f := spec.Faults.Stalls; len(f) > 0 {
		w.stall = [2]int64{int64(f[0].At), int64(f[0].At.Add(f[0].For))}
	}
	nodes := int32(spec.Nodes)
	for src := range nodes { // all channels, in order
		for dst := range nodes {
			if src != dst {
				w.walk(spec.layout().route(nil, int(src), int(dst), 0), nodes)
			}
		}
	}
	for _, b := range w.boxes {
		slices.SortFunc(b.inputs, func(a, b *twinWire) int { return int(a.id - b.id) })
	}
	for src := range nodes {
		var mine []*twinMover
		for _, p := range packets {
			if p.src == src {
				p.path = spec.layout().route(nil, int(p.src), int(p.dst), 0)
				mine = append(mine, &twinMover{twinPacket: p})
			}
		}
		own := w.wires[src]
		own.injector = func() {
			if len(mine) == 0 {
				return
			}
			p := mine[0]
			mine = mine[1:]
			w.after(max(0, p.at-w.now), func() {
				p.t3 = sim.Time(w.now)
				own.queue = append(own.queue, p)
				w.try(own)
			})
		}
		own.injector()
	}
	return w
}

// walk adds the channels of a path and what they lead to.
func (w *bufferTwin) walk(path []int32, nodes int32) {
	at := ""
	for i, c := range path {
		if w.wires[c] == nil {
			w.wires[c] = &twinWire{id: c, credit: w.spec.Buffer.InputBytes}
		}
		if i == len(path)-1 {
			break
		}
		switch tr, isTree := w.spec.layout().(*tree); {
		case !isTree || tr.levels == 1:
			at = "0"
		case i == 0:
			at = fmt.Sprintf("0/%d", int(c)/tr.k)
		default:
			at = treeFarEnd(tr, c, at)
		}
		if w.boxes[at] == nil {
			w.boxes[at] = &twinBox{name: at}
		}
		if wire := w.wires[c]; wire.box == nil {
			wire.box = w.boxes[at]
			wire.box.inputs = append(wire.box.inputs, wire)
		}
	}
	for _, c := range path {
		back := c ^ 1
		if c < nodes {
			back = c + nodes
		} else if c < 2*nodes {
			back = c - nodes
		}
		if w.wires[back] != nil {
			w.wires[c].reverse, w.wires[back].reverse = w.wires[back], w.wires[c]
		}
	}
}

func (w *bufferTwin) bytesTime(n int) int64 { return int64(w.spec.LinkRate.Time(n)) }

// change records that an input has changed its mind about a pause.
func (w *bufferTwin) change(in *twinWire, off bool) {
	in.off, in.reverse.frame = off, true
	w.tie = w.tie || in.reverse.began == w.now && !in.reverse.busyWithFrame
	w.try(in.reverse)
}

// try starts what is next on a channel.
func (w *bufferTwin) try(c *twinWire) {
	wire, b := int64(w.spec.WireDelay), w.spec.Buffer
	if c.busy {
		return
	}
	if in := c.reverse; c.frame && in.off != in.said {
		c.frame, c.busy, c.busyWithFrame = false, true, true
		in.said = in.off
		say := in.off
		c.began = w.now
		w.after(w.bytesTime(84), func() { c.busy, c.freed = false, w.now; w.try(c) })
		w.after(w.bytesTime(84)+wire+int64(b.Reaction), func() {
			w.tie = w.tie || in.began == w.now || in.freed == w.now
			in.paused = say
			w.try(in)
		})
		return
	}
	c.frame = false
	if len(c.queue) == 0 || c.paused {
		return
	}
	p := c.queue[0]
	last := p.hop == len(p.path)-1
	if last && p.dst == 0 && w.now >= w.stall[0] && w.now < w.stall[1] {
		w.after(w.stall[1]-w.now, func() { w.try(c) })
		return
	}
	if b.Control == Credits && !last {
		if c.credit < p.bytes {
			return
		}
		c.credit -= p.bytes
	}
	c.queue = c.queue[1:]
	c.busy, c.busyWithFrame, c.began = true, false, w.now
	w.events = append(w.events, bufferEvent{w.now + w.bytesTime(p.bytes), leaves, func() { w.left(c, p) }})
	if last {
		w.after(wire+w.bytesTime(p.bytes), func() {
			p.t5 = sim.Time(w.now)
			w.out[p.seq] = p.record
		})
	} else {
		w.after(wire+int64(w.spec.SwitchDelay), func() { w.comes(p, c) })
	}
}

// left is when the tail of p has left channel c.
func (w *bufferTwin) left(c *twinWire, p *twinMover) {
	c.busy, c.freed = false, w.now
	if int(c.id) < w.spec.Nodes {
		p.t4 = sim.Time(w.now)
		if _, done := w.lost[p.seq]; done {
			w.out[p.seq] = p.record
		}
		c.injector()
		w.try(c)
		return
	}
	// The packet has gone on, so its present hop tells nothing; its input is that before c.
	in := w.wires[p.path[slices.Index(p.path, c.id)-1]]
	c.queued -= p.bytes
	switch w.spec.Buffer.Control {
	case Lossy:
		in.box.used -= p.bytes
	case Credits:
		w.after(int64(w.spec.WireDelay), func() { in.credit += p.bytes; w.try(in) })
	case PFC:
		w.release(in, p.bytes)
	}
	w.events = append(w.events, bufferEvent{w.now, begins, func() { w.try(c) }})
}

func (w *bufferTwin) room() int {
	return w.spec.Buffer.SwitchBytes - w.spec.layout().ports()*w.spec.Buffer.Headroom
}

func (w *bufferTwin) release(in *twinWire, n int) {
	for range n { // byte by byte
		if in.inHead > 0 {
			in.inHead--
		} else {
			in.inBox--
			in.box.used--
		}
	}
	for _, i := range in.box.inputs {
		below := float64(i.inBox+w.spec.Buffer.XonGap) <= w.limit(in.box)
		if i.off && i.inHead == 0 && (i.inBox == 0 || below) {
			w.change(i, false)
		}
	}
}

func (w *bufferTwin) limit(box *twinBox) float64 {
	if x := w.spec.Buffer.Xoff; x > 0 {
		return float64(x)
	}
	return w.spec.Buffer.Alpha * float64(w.room()-box.used)
}

// comes is when the switch at the end of c has looked at the head of p.
func (w *bufferTwin) comes(p *twinMover, c *twinWire) {
	p.hop++
	next, free := w.wires[p.path[p.hop]], w.room()-c.box.used
	switch w.spec.Buffer.Control {
	case Lossy:
		if p.bytes > free || float64(next.queued+p.bytes) > w.limit(c.box) {
			w.lost[p.seq] = next.id
			w.out[p.seq] = p.record
			return
		}
		c.box.used += p.bytes
	case PFC:
		if !c.off && (p.bytes > free || float64(c.inBox+p.bytes) > w.limit(c.box)) {
			w.change(c, true)
		}
		if c.off {
			c.inHead += p.bytes
		} else {
			c.inBox += p.bytes
			c.box.used += p.bytes
		}
	}
	w.met = w.met || next.entered == w.now
	next.entered = w.now
	next.queued += p.bytes
	next.queue = append(next.queue, p)
	w.try(next)
}

func (w *bufferTwin) String() string {
	var s strings.Builder
	for id, c := range w.wires {
		if len(c.queue) > 0 {
			fmt.Fprintf(&s, "%d packets before channel %d, paused %t, credit %d\n", len(c.queue), id, c.paused, c.credit)
		}
	}
	return s.String()
}

// differs describes a packet whose instants are others than those of the twin.
func (w *bufferTwin) differs(from map[uint32]record) string {
	for seq, got := range from {
		if want := w.out[seq]; got.t3 != want.t3 || got.t4 != want.t4 || got.t5 != want.t5 {
			return fmt.Sprintf("packet %d %d>%d: %v %v %v, twin %v %v %v", seq, got.src, got.dst, got.t3, got.t4, got.t5, want.t3, want.t4, want.t5)
		}
	}
	return ""
}
