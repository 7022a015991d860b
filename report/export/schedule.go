package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/goal"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// schedule is the GOAL schedule of a run that has recorded waiting. Each packet with a
// request is a send and a receive. What processes and handlers compute is between those
// that they send and those that they wait for. The waiting itself is left out: a replay
// makes it anew.
func (s Spec) schedule(ctx context.Context, m trace.Manifest) ([]rundir.Part, error) {
	if !hasTable[trace.WaitRow](m) {
		return nil, fmt.Errorf("schedule of %s: %w: record it with sigview run --trace=waits", s.Dir, errNothing)
	}
	about := append(comments(m),
		"times in ns; calc includes what sends and receives cost the processor, so that LogGOPSim takes -o 0",
		"cpu 1: delays in which the processor is free")
	return single(func(w io.Writer) error {
		account, err := readAccount(ctx, s.Dir)
		if err != nil {
			return err
		}
		return newScheduler(account, m.Nodes).schedule.Write(w, about...)
	}), nil
}

func readAccount(ctx context.Context, dir string) (*account.Account, error) {
	var r account.Reader
	if err := scan(ctx, dir, r.Actors); err != nil {
		return nil, err
	}
	if err := scan(ctx, dir, r.Waits); err != nil {
		return nil, err
	}
	if err := scan(ctx, dir, r.Holds); err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return nil, err
	}
	return r.Account()
}

// sliceNs is the longest computation of a schedule. A processor leaves one for another only
// when it ends, but a handler interrupts a process at once.
const sliceNs = 50_000

// idleCPU is where a delay passes that leaves the processor to others.
const idleCPU = 1

// scheduler makes a schedule of the actors of a run.
type scheduler struct {
	*account.Account
	schedule goal.Schedule
	sent     [][]waits.ID // by actor: the packets that it has sent, in the order of time
	received []int32      // by packet: its receive
	done     [][]moment   // by process or handler: its operations
	tags     map[[2]int32]int64
}

// moment is when an operation has ended.
type moment struct {
	at int64 // ps
	op int32
}

func newScheduler(a *account.Account, nodes int) *scheduler {
	s := &scheduler{
		Account: a, schedule: goal.Schedule{Ranks: make([][]goal.Op, nodes)}, sent: make([][]waits.ID, len(a.Actors)),
		received: make([]int32, len(a.Actors)), done: make([][]moment, len(a.Actors)), tags: map[[2]int32]int64{},
	}
	for id := range a.Actors {
		if x := &a.Actors[id]; id > 0 && x.Type == waits.Packet {
			s.sent[x.Cause] = append(s.sent[x.Cause], waits.ID(id))
			s.received[id] = s.add(x.Peer, goal.Op{Kind: goal.Recv, Size: int64(x.Size), Peer: int(x.Node), Tag: s.tag(x)})
		}
	}
	// Operations of processes and handlers come in the order of time, so that those that an
	// operation depends on are there.
	var parts []part
	for id := range a.Actors {
		if t := a.Actors[id].Type; id > 0 && (t == waits.Process || t == waits.Handler) {
			parts = append(parts, s.parts(waits.ID(id))...)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.end, b.end) })
	for _, p := range parts {
		s.follow(p)
	}
	s.answers()
	return s
}

// tag returns the next tag of messages between the nodes of a packet. GOAL matches sends and receives by it.
func (s *scheduler) tag(x *waits.Actor) int64 {
	pair := [2]int32{x.Node, x.Peer}
	s.tags[pair]++
	return s.tags[pair]
}

func (s *scheduler) add(node int32, o goal.Op) int32 {
	ops := &s.schedule.Ranks[node]
	*ops = append(*ops, o)
	return int32(len(*ops) - 1)
}

// part is a time in which an actor computes, or waits for events, up to a packet that it sends
// or to a change between the two.
type part struct {
	actor      waits.ID
	begin, end int64 // ps
	does       does
	holders    []waits.ID // that it waits for
	sends      waits.ID   // packet that it sends at the end, 0 for none
}

// does is what an actor does in a part.
type does uint8

// What actors do.
const (
	computes does = iota // computes, or holds the processor otherwise: held up at a bus, at a switch of processes
	idles                // leaves the processor to others for a fixed time
	awaits               // waits for events
)

// parts divides the time of an actor at the packets that it sends and where it changes what it does. Times in
// which it waits for places are left out: a replay of the schedule makes them anew.
func (s *scheduler) parts(id waits.ID) (list []part) {
	sent := s.sent[id]
	for _, p := range s.Of(id) {
		d, counts := sort(p)
		if !counts {
			continue
		}
		for begin := p.Begin; begin < p.End; {
			end := p.End
			var packet waits.ID
			for len(sent) > 0 && s.Actors[sent[0]].Begin < begin { // it began in a wait for the processor
				list = append(list, part{actor: id, begin: begin, end: begin, sends: sent[0]})
				sent = sent[1:]
			}
			if len(sent) > 0 && s.Actors[sent[0]].Begin <= end {
				packet, end = sent[0], max(begin, s.Actors[sent[0]].Begin)
				sent = sent[1:]
			}
			list = joined(list, part{actor: id, begin: begin, end: end, does: d, sends: packet}, p.Holder)
			if begin = end; packet == 0 {
				break
			}
		}
	}
	for _, packet := range sent {
		at := s.Actors[id].End
		list = append(list, part{actor: id, begin: at, end: at, sends: packet})
	}
	return list
}

// sort returns what a piece of a process becomes in a schedule, and false if it is left out.
func sort(p account.Piece) (d does, counts bool) {
	switch {
	case p.What == waits.Service, p.What == waits.Waiting && p.Resource.Shared(), p.What == waits.Idle && p.Resource == waits.CPU:
		return computes, true
	case p.What == waits.Idle:
		return idles, true
	case p.Resource == waits.Event:
		return awaits, true
	}
	return 0, false
}

// joined appends a part, or extends the last one if both do the same and no packet is sent between. It adds
// the holder of a wait to those that the part waits for.
func joined(list []part, p part, holder waits.ID) []part {
	if n := len(list) - 1; n >= 0 && list[n].does == p.does && list[n].sends == 0 && (p.does == awaits || list[n].end == p.begin) {
		list[n].end, list[n].sends = p.end, p.sends
	} else {
		list = append(list, p)
	}
	last := &list[len(list)-1]
	if p.does == awaits && holder != 0 && !slices.Contains(last.holders, holder) {
		last.holders = append(last.holders, holder)
	}
	return list
}

// follow adds the operations of a part, after those of its actor and what it has waited for.
func (s *scheduler) follow(p part) {
	x := &s.Actors[p.actor]
	o := goal.Op{Size: nanoseconds(p.end) - nanoseconds(p.begin)}
	switch p.does {
	case idles:
		o.CPU = idleCPU
	case awaits:
		o.Size = 0
	}
	before := s.done[p.actor]
	if n := len(before); n > 0 {
		o.Requires = append(o.Requires, before[n-1].op)
	}
	for _, h := range p.holders {
		if on, ok := s.ended(h, x.Node, p.end); ok && !slices.Contains(o.Requires, on) {
			o.Requires = append(o.Requires, on)
		}
	}
	op := s.add(x.Node, first(o))
	for left := o.Size - sliceNs; p.does == computes && left > 0; left -= sliceNs {
		op = s.add(x.Node, first(goal.Op{Size: left, Requires: []int32{op}}))
	}
	if p.sends != 0 {
		s.send(p.sends, op)
	}
	s.done[p.actor] = append(before, moment{p.end, op})
}

// first returns the first slice of a computation. A delay is not divided.
func first(o goal.Op) goal.Op {
	if o.CPU == 0 {
		o.Size = min(o.Size, sliceNs)
	}
	return o
}

// ended returns the operation of a node by which an actor has let others go on at an
// instant: the receive of a packet, which as an actor goes on after its data is there, or
// the last operation of a process.
func (s *scheduler) ended(id waits.ID, node int32, at int64) (int32, bool) {
	x := &s.Actors[id]
	if x.Type == waits.Packet {
		return s.received[id], x.Peer == node
	}
	if x.Node != node {
		return 0, false
	}
	done := s.done[id]
	for i := len(done) - 1; i >= 0; i-- {
		if done[i].at <= at {
			return done[i].op, true
		}
	}
	return 0, false
}

// send adds the send of a packet after an operation.
func (s *scheduler) send(packet waits.ID, after int32) {
	x := &s.Actors[packet]
	recv := &s.schedule.Ranks[x.Peer][s.received[packet]]
	s.add(x.Node, goal.Op{Kind: goal.Send, Size: int64(x.Size), Peer: int(x.Peer), Tag: recv.Tag, Requires: []int32{after}})
}

// answers adds the sends of packets that no process has sent: after the packet that they
// answer, if there is one.
func (s *scheduler) answers() {
	for id, packets := range s.sent {
		if t := s.Actors[id].Type; id > 0 && (t == waits.Process || t == waits.Handler) {
			continue
		}
		for _, packet := range packets {
			x := &s.Actors[packet]
			if on, ok := s.ended(waits.ID(id), x.Node, x.Begin); id > 0 && ok {
				s.send(packet, on)
				continue
			}
			tag := s.schedule.Ranks[x.Peer][s.received[packet]].Tag
			s.add(x.Node, goal.Op{Kind: goal.Send, Size: int64(x.Size), Peer: int(x.Peer), Tag: tag})
		}
	}
}
