package cluster

import (
	"iter"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Instrument returns what gives each process of the program with this tag on
// a node its way to tell of operations and phases and to switch recording; nil
// without a monitor.
func (c *Cluster) Instrument(node int, tag trace.Tag) func(*host.Context) trace.Instrument {
	m := c.Nodes[node].Monitor
	if m == nil {
		return nil
	}
	return func(process *host.Context) trace.Instrument { return m.Instrument(process, tag) }
}

// Traced is what the monitors of a traced run have recorded, put together.
type Traced struct {
	Packets iter.Seq[trace.PacketRow] // in the order of T3
	Spans   []trace.SpanRow
	Stages  []trace.StepRow

	Lost        uint64 // trace records that found their ring full
	Unconverted uint64 // trace records without a clock table
	Single      int    // packets of which one end only has a record
	Open        int    // operations that recording saw no begin or no end of
}

// Trace reads the packet traces and the operations of all nodes out and joins
// them. In a run that does not trace all is nil and zero.
func (c *Cluster) Trace() Traced {
	var out Traced
	var halves [][]trace.Half
	var marks [][]trace.Mark
	for _, n := range c.Nodes {
		if n.Monitor == nil {
			continue
		}
		halves = append(halves, n.Monitor.Halves()...)
		marks = append(marks, n.Monitor.Marks())
		stats := n.Monitor.TraceStats()
		out.Lost += stats.Lost
		out.Unconverted += stats.Unconverted
	}
	if c.spec.Packets {
		out.Packets, out.Single = trace.Join(halves)
	}
	if c.spec.Spans {
		out.Spans, out.Stages, out.Open = trace.Assemble(marks, out.Packets)
	}
	return out
}
