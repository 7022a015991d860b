package causal

import (
	"fmt"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// milliseconds makes a column of times in ps: ms for people, µs for programs.
func milliseconds[T any](name, key string, of func(T) int64) analysis.Col[T] {
	return analysis.Col[T]{Column: analysis.Column{Name: name, Key: key}, Cell: func(r T) analysis.Cell {
		return analysis.Cell{Text: analysis.Ms(float64(of(r)) / 1e3), Value: float64(of(r)) / 1e6}
	}}
}

// PathView shows what the critical path is made of.
func (e *Explanation) PathView() analysis.View {
	v := partsView(e, e.Path, analysis.Col[Use]{Column: analysis.Column{Name: "resource", Key: "resource", Left: true}, Cell: func(u Use) analysis.Cell {
		return analysis.Cell{Text: u.name(), Value: u.name()}
	}}, func(u Use) Part { return Part{Spent: u.Spent} })
	v.Title = "Critical path"
	return v.Noted(fmt.Sprintf("The parts sum to %s, the time until the last process ended its work. A wait for another actor is replaced by what that actor did; what is left of waiting is the time lost to others at buses.", span(e.Length())))
}

// partsView shows the critical path in parts, with a first column that names them.
func partsView[T any](e *Explanation, parts []T, first analysis.Col[T], of func(T) Part) analysis.View {
	return analysis.Tabulate(parts, first,
		milliseconds("service, ms", "service_us", func(t T) int64 { return of(t).Service }),
		milliseconds("waiting, ms", "waiting_us", func(t T) int64 { return of(t).Waiting }),
		milliseconds("idle, ms", "idle_us", func(t T) int64 { return of(t).Idle }),
		analysis.Col[T]{Column: analysis.Column{Name: "share", Key: "share"}, Cell: func(t T) analysis.Cell {
			length := of(t).Length()
			return analysis.Cell{Text: percent(length, e.Length()), Value: float64(length) / float64(max(e.Length(), 1))}
		}})
}

// numbered shows parts that have a number instead of a name.
func (e *Explanation) numbered(parts []Part, key string, name func(int) string) analysis.View {
	return partsView(e, parts, analysis.Col[Part]{Column: analysis.Column{Name: key, Key: key, Left: true}, Cell: func(p Part) analysis.Cell {
		if p.Number == Nobody {
			return analysis.Cell{Text: "none"}
		}
		return analysis.Cell{Text: name(p.Number), Value: p.Number}
	}}, func(p Part) Part { return p })
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
	v := partsView(e, e.Operations, analysis.Col[Part]{Column: analysis.Column{Name: "operation", Key: "operation", Left: true}, Cell: func(p Part) analysis.Cell {
		return analysis.Cell{Text: p.Name, Value: p.Name}
	}}, func(p Part) Part { return p })
	v.Title = "Critical path by operation"
	return v.Noted("A packet counts by its kind, a handler by that of the packet that has woken it. Computation is all that processes do, also at page faults and at the begin and end of operations; interface is work of an interface processor for no packet.")
}

func (u Use) name() string {
	if u.Unknown {
		return "unknown"
	}
	return u.Resource.String()
}

// QueuesView shows the waiting for each resource.
func (e *Explanation) QueuesView() analysis.View {
	v := analysis.Tabulate(e.Queues,
		analysis.Col[Queue]{Column: analysis.Column{Name: "resource", Key: "resource", Left: true}, Cell: func(q Queue) analysis.Cell {
			return analysis.Cell{Text: q.Resource.String(), Value: q.Resource.String()}
		}},
		milliseconds("all waiting, ms", "waited_us", func(q Queue) int64 { return q.Waited }),
		milliseconds("on the path, ms", "on_path_us", func(q Queue) int64 { return q.OnPath }),
		milliseconds("replay saves, ms", "saved_us", func(q Queue) int64 { return q.Saved }),
		analysis.Col[Queue]{Column: analysis.Column{Name: "reordered", Key: "moved_share"}, Cell: func(q Queue) analysis.Cell {
			return analysis.Cell{Text: fmt.Sprintf("%.1f %%", 100*q.Moved), Value: q.Moved}
		}},
		analysis.Col[Queue]{Column: analysis.Column{Name: "for whom", Key: "culprit", Left: true}, Cell: func(q Queue) analysis.Cell {
			name, _ := e.culprit(q.Holders)
			return analysis.Cell{Text: name, Value: name}
		}})
	v.Title, v.Fold = "Waiting by resource", true
	return v.Noted("All waiting is the sum over packets and processes, most of which overlaps with other work. On the path: time of the critical path while an actor on it waits there. Replay saves: by how much the run is shorter without this waiting. Reordered: share of the grants that have another order there.")
}

// StatesView shows what processes wait for that others do.
func (e *Explanation) StatesView() analysis.View {
	v := analysis.Tabulate(e.States,
		analysis.Col[State]{Column: analysis.Column{Name: "waiting for", Key: "awaited", Left: true}, Cell: func(s State) analysis.Cell {
			return analysis.Cell{Text: s.Awaited, Value: s.Awaited}
		}},
		milliseconds("mean, ms", "waited_us", func(s State) int64 { return s.Length() }),
		milliseconds("under way", "underway_us", func(s State) int64 { return s.Underway }),
		milliseconds("served", "serving_us", func(s State) int64 { return s.Serving }),
		milliseconds("computed for it", "other_us", func(s State) int64 { return s.Other }),
		milliseconds("held up before", "delayed_us", func(s State) int64 { return s.Delayed }),
		milliseconds("late", "late_us", func(s State) int64 { return s.Computing }))
	v.Title = "Waiting of processes for others"
	return v.Noted("Mean over the processes, in ms, by who is at the end of the chain: a packet under way, a handler that serves, a process that computes for the waiting one, that something held up before, or that is late because it computes more.")
}

// NearView shows how many packets are near the critical path.
func (e *Explanation) NearView() analysis.View {
	count := func(name, key string, of func(Near) int64) analysis.Col[Near] {
		return analysis.Col[Near]{Column: analysis.Column{Name: name, Key: key}, Cell: func(n Near) analysis.Cell {
			return analysis.Cell{Text: analysis.Digits(of(n)), Value: of(n)}
		}}
	}
	v := analysis.Tabulate(e.Near,
		analysis.Col[Near]{Column: analysis.Column{Key: "tag", Room: analysis.Never}, Cell: func(n Near) analysis.Cell { return analysis.Cell{Value: n.Tag} }},
		analysis.Col[Near]{Column: analysis.Column{Name: "kind", Key: "kind", Left: true}, Cell: func(n Near) analysis.Cell {
			return analysis.Cell{Text: n.Name, Value: n.Name}
		}},
		count("packets", "packets", func(n Near) int64 { return n.Packets }),
		count("on the path", "on_path", func(n Near) int64 { return n.OnPath }),
		count("within 0.1 %", "within_0_1_percent", func(n Near) int64 { return n.Within[0] }),
		count("1 %", "within_1_percent", func(n Near) int64 { return n.Within[1] }),
		count("10 %", "within_10_percent", func(n Near) int64 { return n.Within[2] }))
	v.Title = "Packets near the critical path"
	return v.Noted("Packets that cannot be later without making the run longer, and those that cannot be later by a part of the run time, if all keeps its order. Where many are near, another path takes over as soon as this one is shorter.")
}
