package causal

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Part is the time on the critical path of a node, a program or an operation.
type Part struct {
	Name   string // of an operation
	Number int    // of a node or the tag of a program; Nobody: of none
	Spent
}

// noOne is in place of a node for the network between them, and in place of a program for
// interfaces that work for none.
const noOne = -1

// Names of parts of the path that are in no operation.
const (
	computation = "computation"
	firmware    = "interface"
	unexplained = "unknown"
)

// along sums the critical path by node, program and operation.
type along struct {
	*account.Crowd
	nodes, programs map[int]*Part
	operations      map[string]*Part
	tags            []int // by actor: its program
}

// newAlong returns sums that are empty.
func newAlong(c *account.Crowd) *along {
	return &along{Crowd: c, nodes: map[int]*Part{}, programs: map[int]*Part{}, operations: map[string]*Part{}, tags: programs(c)}
}

// add adds a segment of the path.
func (a *along) add(s graph.Segment) {
	// Time that nothing explains counts as waiting, at no node and for no program.
	node, tag, operation := noOne, noOne, unexplained
	p := account.Piece{What: waits.Waiting}
	if s.Piece >= 0 {
		p = a.Pieces[s.Piece]
		tag, operation = a.tags[s.Actor], a.operation(s)
		// The instance of a port is a channel, which is at no node.
		if p.Resource != waits.Port {
			node = int(p.Instance)
		}
	}
	// The same time counts once in each of the three divisions.
	for _, part := range []*Part{
		entry(a.nodes, node, Part{Number: node}), entry(a.programs, tag, Part{Number: tag}),
		entry(a.operations, operation, Part{Name: operation}),
	} {
		part.add(p.What, s.Length())
	}
}

// entry returns the entry of a key. If there is none it adds a copy of empty.
func entry[K comparable, V any](parts map[K]*V, key K, empty V) *V {
	if parts[key] == nil {
		parts[key] = &empty
	}
	return parts[key]
}

// largest returns parts, the longest first.
func largest[K cmp.Ordered](parts map[K]*Part) (out []Part) {
	// By key first, so that the order of equal parts does not depend on the map.
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		out = append(out, *parts[key])
	}
	slices.SortStableFunc(out, func(a, b Part) int { return cmp.Compare(b.Length(), a.Length()) })
	return out
}

// programs returns the program of each actor: a process has that of the packets that it
// sends or else waits for, a task that of the packet that it is for.
func programs(c *account.Crowd) []int {
	out := make([]int, len(c.Actors))
	known := make([]bool, len(c.Actors))
	set := func(id waits.ID, tag trace.Tag) { out[id], known[id] = int(tag), true }
	for id := range c.Actors {
		x := &c.Actors[id]
		// A process has the program of the first packet that it sends. Cause 0 sets the entry of no actor.
		if x.Type == waits.Packet && !known[x.Cause] {
			set(x.Cause, x.Tag)
		}
	}
	// One that sends nothing has that of the first packet for which it waits.
	for id := range c.Actors {
		x := &c.Actors[id]
		switch {
		// It is for no packet, and so for no program.
		case x.Type == waits.Task && x.Number < 0, x.Type == waits.Job:
			out[id] = noOne
		case x.Type == waits.Process || x.Type == waits.Handler:
			for _, p := range c.Of(waits.ID(id)) {
				if by := &c.Actors[p.Holder]; !known[id] && p.Holder != 0 && p.Resource == waits.Event && by.Type == waits.Packet {
					set(waits.ID(id), by.Tag)
				}
			}
		default:
			out[id] = int(x.Tag)
		}
	}
	return out
}

// operation names the operation that a segment of the path belongs to, by the kind of its
// packet. A handler belongs to the packet that has woken it, a process computes.
func (a *along) operation(s graph.Segment) string {
	x := &a.Actors[s.Actor]
	if x.Type == waits.Process && a.Pieces[s.Piece].Resource == waits.CPU {
		return computation
	}
	if x.Type == waits.Process || x.Type == waits.Handler {
		if x = a.waker(s); x == nil {
			return computation
		}
	}
	switch {
	case x.Type == waits.Job:
		return x.Name
	case x.Type == waits.Task && x.Number < 0:
		return firmware
	}
	return operationOf(x.Kind)
}

// waker returns the packet that has last woken the process of a segment, nil if none has.
func (a *along) waker(s graph.Segment) *waits.Actor {
	// Back from the segment to the latest wait that somebody has ended.
	for i := s.Piece; i >= a.First[s.Actor]; i-- {
		if p := &a.Pieces[i]; p.What == waits.Waiting && p.Resource == waits.Event && p.Holder != 0 {
			if x := &a.Actors[p.Holder]; x.Type.IsPacket() {
				return x
			}
		}
	}
	return nil
}

// operationOf names the operation of packets of a kind. Kinds of none stand for themselves.
func operationOf(k trace.Kind) string {
	switch k {
	case trace.PageRequest, trace.PageReply:
		return string(trace.OpPageFetch)
	case trace.Diff:
		return string(trace.OpDiffFlush)
	case trace.LockRequest, trace.LockForward, trace.LockGrant:
		return string(trace.OpLockAcquire)
	case trace.BarrierArrive, trace.BarrierRelease:
		return string(trace.OpBarrier)
	case trace.Message, trace.Envelope, trace.Credit:
		return string(trace.OpSend)
	case trace.Broadcast:
		return string(trace.OpBroadcast)
	case trace.FileRequest, trace.FileReply:
		return string(trace.OpFile)
	}
	return k.String()
}
