package lanes

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Part is a part of a node.
type Part int

// Parts of a node, from the program outwards.
const (
	Program   Part = iota // busy: it computes or serves requests; waited: it waits
	Buses                 // waited: transfers and processors lose time to each other; service is that of the others
	Engines               // the host-DMA engine and the send engine
	Processor             // the interface processor
	Wire                  // packets that the node has sent, in the network
	NumParts  = iota
)

// String returns the part in words, "DMA engines".
func (p Part) String() string {
	return [...]string{"program", "host buses", "DMA engines", "interface processor", "wire"}[p]
}

// Lanes is what the parts of all nodes do. Times are in ns since the begin of the run.
type Lanes struct {
	nodes []node
}

// node is what the parts of one node do.
type node struct {
	parts      [NumParts]lane
	operations []operation // of the program, by name as they come
}

// lane is when a part serves somebody, and when somebody waits for it.
type lane struct{ busy, waited Busy }

// operation is when the program of a node is in any operation of one name.
type operation struct {
	name string
	Busy
}

// New returns lanes of so many nodes, in which nothing is done.
func New(nodes int) *Lanes { return &Lanes{nodes: make([]node, nodes)} }

// AddSpans adds operations of programs. Phases are left out, and operations that are part of others: both
// overlap with those.
func (l *Lanes) AddSpans(rows []trace.SpanRow) {
	for i := range rows {
		if s := &rows[i]; s.Parent == 0 && s.Operation != string(trace.OpPhase) {
			l.operation(s)
		}
	}
}

// Done ends the adding of operations.
func (l *Lanes) Done() {
	for i := range l.nodes {
		for o := range l.nodes[i].operations {
			l.nodes[i].operations[o].Done()
		}
	}
}

// With returns lanes that also have what parts do, by who waited for whom. The operations are shared with l.
func (l *Lanes) With(a *account.Account) *Lanes {
	out := &Lanes{nodes: make([]node, len(l.nodes))}
	for i := range l.nodes {
		out.nodes[i].operations = l.nodes[i].operations
	}
	for id := 1; id < len(a.Actors); id++ {
		for _, p := range a.Of(waits.ID(id)) {
			out.add(&a.Actors[id], p)
		}
	}
	// A processor works on for packets that have gone on; see account.Beyond.
	for _, b := range a.Beyond {
		own := a.Of(b.Actor)
		for i := range own {
			if own[i].End == b.Begin {
				out.part(int(own[i].Instance), Processor).busy.Add(b.Begin/1000, b.End/1000)
			}
		}
	}
	for i := range out.nodes {
		for p := range out.nodes[i].parts {
			out.nodes[i].parts[p].busy.Done()
			out.nodes[i].parts[p].waited.Done()
		}
	}
	return out
}

// part returns a lane; what belongs to no node goes to one that is thrown away.
func (l *Lanes) part(at int, p Part) *lane {
	if at < 0 || at >= len(l.nodes) {
		return &lane{}
	}
	return &l.nodes[at].parts[p]
}

// operation adds an operation to those of its name at its node. A node has few names.
func (l *Lanes) operation(s *trace.SpanRow) {
	if s.Node < 0 || s.Node >= int64(len(l.nodes)) {
		return
	}
	n := &l.nodes[s.Node]
	for i := range n.operations {
		if n.operations[i].name == s.Operation {
			n.operations[i].Add(s.BeginNs, s.EndNs)
			return
		}
	}
	n.operations = append(n.operations, operation{name: s.Operation})
	n.operations[len(n.operations)-1].Add(s.BeginNs, s.EndNs)
}

// placeOf returns the node and the part where an actor spends a piece of its time; NumParts:
// in none of the parts.
func placeOf(x *waits.Actor, p account.Piece) (at int, part Part) {
	switch p.Resource {
	case waits.CPU:
		return int(p.Instance), Program
	case waits.Event, waits.Timer, waits.Window:
		if x.Type == waits.Process { // else a handler without a request, or a packet that is held back
			return int(x.Node), Program
		}
	case waits.MemBus, waits.IOBus:
		return int(p.Instance), Buses
	case waits.HostDMA, waits.SEngine:
		return int(p.Instance), Engines
	case waits.Processor:
		return int(p.Instance), Processor
	case waits.Port:
		return int(x.Node), Wire
	}
	return int(p.Instance), NumParts
}

// add adds a piece of the time of an actor. The account has ps, lanes have ns.
func (l *Lanes) add(x *waits.Actor, p account.Piece) {
	at, part := placeOf(x, p)
	if part == NumParts {
		return
	}
	on := &l.part(at, part).busy
	if p.What != waits.Service {
		// Idle time of a program is waiting too: nothing computes. Elsewhere nobody waits.
		if part != Program && p.What == waits.Idle {
			return
		}
		on = &l.part(at, part).waited
	}
	on.Add(p.Begin/1000, p.End/1000)
}

// Shares returns the shares of a period, in ns, in which a part of a node serves somebody, and in which
// somebody waits for it. Their sum may be more than 1: one is served while others wait.
func (l *Lanes) Shares(at int, p Part, from, to int64) (busy, waited float64) {
	if at < 0 || at >= len(l.nodes) || to <= from {
		return 0, 0
	}
	n, length := &l.nodes[at].parts[p], float64(to-from)
	return float64(n.busy.Covered(from, to)) / length, float64(n.waited.Covered(from, to)) / length
}

// Operation returns the operation in which the program of a node is for most of a period,
// in ns, and the share of the period; empty if it is in none.
func (l *Lanes) Operation(at int, from, to int64) (name string, share float64) {
	if at < 0 || at >= len(l.nodes) || to <= from {
		return "", 0
	}
	for i := range l.nodes[at].operations {
		o := &l.nodes[at].operations[i]
		if s := float64(o.Covered(from, to)) / float64(to-from); s > share {
			name, share = o.name, s
		}
	}
	return name, share
}
