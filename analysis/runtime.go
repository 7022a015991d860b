package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

// spent is a part of run time with its column.
type spent struct {
	name, key, what string
	ns              func(*trace.Shares) *int64
	always          bool // shown even when no node spent any
}

var runTimeParts = []spent{
	{"comp.", "computing_s", "computing", func(s *trace.Shares) *int64 { return &s.ComputingNs }, true},
	{"pages", "page_wait_s", "waiting for pages", func(s *trace.Shares) *int64 { return &s.PageWaitNs }, true},
	{"locks", "lock_s", "for locks", func(s *trace.Shares) *int64 { return &s.LockNs }, true},
	{"barriers", "barrier_s", "at barriers", func(s *trace.Shares) *int64 { return &s.BarrierNs }, true},
	{"library", "messaging_s", "in the communication library", func(s *trace.Shares) *int64 { return &s.MessagingNs }, false},
	{"messages", "message_wait_s", "waiting for messages", func(s *trace.Shares) *int64 { return &s.MessageWaitNs }, false},
	{"service", "service_s", "serving other nodes", func(s *trace.Shares) *int64 { return &s.ServiceNs }, true},
	{"desched.", "descheduled_s", "descheduled", func(s *trace.Shares) *int64 { return &s.DescheduledNs }, true},
	{"monitor", "monitor_s", "monitor", func(s *trace.Shares) *int64 { return &s.MonitorNs }, true},
}

// Parts are the parts of nodes' run times: Ns by node, in the order of Names. Short are
// names for where there is little room.
type Parts struct {
	Names, Short []string
	Ns           [][]int64
}

// RunTimeParts returns the parts of run time that a node has spent any of.
func RunTimeParts(rows []trace.Shares) Parts {
	p := Parts{Ns: make([][]int64, len(rows))}
	for _, part := range runTimeParts {
		if !slices.ContainsFunc(rows, func(s trace.Shares) bool { return *part.ns(&s) > 0 }) {
			continue
		}
		p.Names, p.Short = append(p.Names, part.what), append(p.Short, part.name)
		for i := range rows {
			p.Ns[i] = append(p.Ns[i], *part.ns(&rows[i]))
		}
	}
	return p
}

// RunTimeView shows the shares of nodes' run time: in per cent for people, in seconds for
// programs. With mean, people also see a line of the means.
func RunTimeView(rows []trace.Shares, mean bool) View {
	seconds := func(ns int64) float64 { return float64(ns) / 1e9 }
	sum, nodes := trace.Shares{Node: -1}, max(len(rows), 1)
	for i := range rows {
		sum.RunTimeNs += rows[i].RunTimeNs
		for _, p := range runTimeParts {
			*p.ns(&sum) += *p.ns(&rows[i])
		}
	}
	cols := []Col[trace.Shares]{
		Hidden("tag", func(s trace.Shares) any { return s.Tag }),
		{Column{Name: "node", Key: "node"}, func(s trace.Shares) Cell {
			if s.Node < 0 {
				return Cell{Text: "mean"}
			}
			return Cell{Text: strconv.Itoa(s.Node), Value: s.Node}
		}},
		{Column{Name: "time, s", Key: "run_time_s"}, func(s trace.Shares) Cell {
			ns := float64(s.RunTimeNs)
			if s.Node < 0 {
				ns /= float64(nodes)
			}
			return Cell{Text: strconv.FormatFloat(ns/1e9, 'f', 4, 64), Value: seconds(s.RunTimeNs)}
		}},
	}
	var what []string
	for _, p := range runTimeParts {
		room := Never
		if p.always || *p.ns(&sum) > 0 {
			room = Always
			what = append(what, p.what)
		}
		cols = append(cols, Col[trace.Shares]{Column{Name: p.name, Key: p.key, Room: room}, func(s trace.Shares) Cell {
			c := Cell{Text: None, Value: seconds(*p.ns(&s))}
			if s.RunTimeNs > 0 {
				c.Text = strconv.FormatFloat(100*float64(*p.ns(&s))/float64(s.RunTimeNs), 'f', 1, 64)
			}
			return c
		}})
	}
	if mean && len(rows) > 1 {
		rows = append(slices.Clone(rows), sum)
	}
	return Tabulate(rows, cols...).Noted("Percent of the node's run time: " + strings.Join(what, ", ") + ". They sum to 100.")
}
