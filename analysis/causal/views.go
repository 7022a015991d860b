package causal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// milliseconds makes a column of times in ps: ms for people, µs for programs.
func milliseconds[T any](name, key string, of func(T) int64) analysis.Col[T] {
	return analysis.Milli(name, key, func(r T) float64 { return float64(of(r)) / 1e6 })
}

// PathView shows what the critical path is made of.
func (e *Explanation) PathView() analysis.View {
	v := partsView(e, e.Path, analysis.Word("resource", "resource", func(u Use) string { return u.name() }), func(u Use) Part { return Part{Spent: u.Spent} })
	v.Title = "Critical path"
	return v.Noted(fmt.Sprintf("The parts sum to %s, the time until the last process ended its work. A wait for another actor is replaced by what that actor did; what is left of waiting is the time lost to others at buses.", span(e.Length())))
}

// partsView shows the critical path in parts, with a first column that names them.
func partsView[T any](e *Explanation, parts []T, first analysis.Col[T], of func(T) Part) analysis.View {
	return analysis.Tabulate(parts, first,
		milliseconds("service, ms", "service_us", func(t T) int64 { return of(t).Service }),
		milliseconds("waiting, ms", "waiting_us", func(t T) int64 { return of(t).Waiting }),
		milliseconds("idle, ms", "idle_us", func(t T) int64 { return of(t).Idle }),
		analysis.Keyed("share", "share", func(t T) analysis.Cell {
			length := of(t).Length()
			return analysis.Cell{Text: percent(length, e.Length()), Value: float64(length) / float64(max(e.Length(), 1))}
		}))
}

// numbered shows parts that have a number instead of a name.
func (e *Explanation) numbered(parts []Part, key string, name func(int) string) analysis.View {
	return partsView(e, parts, analysis.Keyed("<"+key, key, func(p Part) analysis.Cell {
		// The network between nodes, or an interface that works for no program.
		if p.Number == noOne {
			return analysis.Cell{Text: "none"}
		}
		return analysis.Cell{Text: name(p.Number), Value: p.Number}
	}), func(p Part) Part { return p })
}

// NodesView shows the critical path by node.
func (e *Explanation) NodesView() analysis.View {
	v := e.numbered(e.Nodes, "node", strconv.Itoa)
	v.Title = "Critical path by node"
	return v.Noted("By the node whose resource a part of the path is at. Links and switches are at none.")
}

// ProgramsView shows the critical path by program; name returns what one is called.
func (e *Explanation) ProgramsView(name func(trace.Tag) string) analysis.View {
	v := e.numbered(e.Programs, "tag", func(tag int) string { return name(trace.Tag(tag)) })
	v.Columns[0].Name, v.Title = "program", "Critical path by program"
	return v.Noted("A process has the program of the packets that it sends; work of an interface for no packet has none.")
}

// OperationsView shows the critical path by operation.
func (e *Explanation) OperationsView() analysis.View {
	v := partsView(e, e.Operations, analysis.Word("operation", "operation", func(p Part) string { return p.Name }), func(p Part) Part { return p })
	v.Title = "Critical path by operation"
	return v.Noted("A packet counts by its kind, a handler by that of the packet that has woken it. Computation is all that processes do, also at page faults and at the begin and end of operations; interface is work of an interface processor for no packet.")
}

// name returns the name of the resource, "unknown" for time that nothing in the log explains.
func (u Use) name() string {
	if u.Unknown {
		return "unknown"
	}
	return u.Resource.String()
}

// QueuesView shows the waiting for each resource.
func (e *Explanation) QueuesView() analysis.View {
	v := analysis.Tabulate(e.Queues,
		analysis.Word("resource", "resource", func(q Queue) string { return q.Resource.String() }),
		milliseconds("all waiting, ms", "waited_us", func(q Queue) int64 { return q.Waited }),
		milliseconds("on the path, ms", "on_path_us", func(q Queue) int64 { return q.OnPath }),
		milliseconds("replay saves, ms", "saved_us", func(q Queue) int64 { return q.Saved }),
		analysis.Share("reordered", "moved_share", func(q Queue) float64 { return q.Moved }),
		analysis.Keyed("<for whom", "culprit", func(q Queue) analysis.Cell {
			name, _, _ := e.culprit(q.Holders)
			return analysis.Cell{Text: name, Value: name}
		}))
	v.Title, v.Fold = "Waiting by resource", true
	return v.Noted("All waiting is the sum over packets and processes, most of which overlaps with other work. On the path: time of the critical path while an actor on it waits there. Replay saves: by how much the run is shorter without this waiting. Reordered: share of the grants that have another order there.")
}

// StatesView shows what processes wait for that others do.
func (e *Explanation) StatesView() analysis.View {
	v := analysis.Tabulate(e.States,
		analysis.Word("waiting for", "awaited", func(s State) string { return s.Awaited }),
		milliseconds("mean, ms", "waited_us", func(s State) int64 { return s.Length() }),
		milliseconds("under way", "underway_us", func(s State) int64 { return s.Underway }),
		milliseconds("served", "serving_us", func(s State) int64 { return s.Serving }),
		milliseconds("computed for it", "other_us", func(s State) int64 { return s.Other }),
		milliseconds("held up before", "delayed_us", func(s State) int64 { return s.Delayed }),
		milliseconds("late", "late_us", func(s State) int64 { return s.Computing }))
	v.Title = "Waiting of processes for others"
	return v.Noted("Mean over the processes, in ms, by who is at the end of the chain: a packet under way, a handler that serves, a process that computes for the waiting one, that something held up before, or that is late because it computes more. Of pages also a home that polls and has not noticed the request.")
}

// NearView shows how many packets are near the critical path.
func (e *Explanation) NearView() analysis.View {
	v := analysis.Tabulate(e.Near,
		analysis.Hidden("tag", func(n Near) any { return n.Tag }),
		analysis.Word("kind", "kind", func(n Near) string { return n.Name }),
		analysis.Count("packets", "packets", func(n Near) int64 { return n.Packets }),
		analysis.Count("on the path", "on_path", func(n Near) int64 { return n.OnPath }),
		analysis.Count("within 0.1 %", "within_0_1_percent", func(n Near) int64 { return n.Within[0] }),
		analysis.Count("1 %", "within_1_percent", func(n Near) int64 { return n.Within[1] }),
		analysis.Count("10 %", "within_10_percent", func(n Near) int64 { return n.Within[2] }))
	v.Title = "Packets near the critical path"
	return v.Noted("Packets that cannot be later without making the run longer, and those that cannot be later by a part of the run time, if all keeps its order. Where many are near, another path takes over as soon as this one is shorter.")
}

// FindingsView shows findings with their figures, the first one first.
func FindingsView(list []Finding) analysis.View {
	ms := func(us float64) analysis.Cell { return analysis.Cell{Text: fmt.Sprintf("%.3f", us/1000), Value: us} }
	cause := func(f Finding) string {
		text := strings.TrimPrefix(f.Cause, "the ")
		if f.Outlier {
			text = f.Brief()
		} else if f.At != nil {
			text = fmt.Sprintf("node %d: %s", *f.At, text)
		}
		return text
	}
	mostly := analysis.Word("mostly for", "culprit", func(f Finding) string { return f.Culprit })
	mostly.Room = analysis.Wide
	v := analysis.Tabulate(list,
		analysis.Keyed("#", "rank", func(f Finding) analysis.Cell { return analysis.Cell{Text: fmt.Sprint(f.Rank), Value: f.Rank} }),
		analysis.Word("cause", "cause", cause), mostly,
		analysis.Keyed("costs, ms", "cost_us", func(f Finding) analysis.Cell { return ms(f.CostUs) }),
		analysis.Keyed("at least", "least_us", func(f Finding) analysis.Cell { return ms(f.LeastUs) }),
		analysis.Keyed("at most", "most_us", func(f Finding) analysis.Cell { return ms(f.MostUs) }))
	v.Title = "Findings"
	return v
}
