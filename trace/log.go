package trace

import "iter"

// Log is what one node of a traced run recorded.
type Log struct {
	Halves      [][]Half // records of the packets that it sent or received, in pieces
	Marks       []Mark   // calls of its processes, in order
	Gaps        []Gap    // where records are missing, in order
	Lost        uint64   // records that found no room
	Unconverted uint64   // records without a clock table to convert them
}

// Traced is the combined records of the nodes of a traced run.
type Traced struct {
	Packets iter.Seq[PacketRow] // in the order of T3; nil without packets
	Spans   []SpanRow           // nil without operations
	Steps   []StepRow
	Gaps    []GapRow // by node, in order; nil without packets

	Lost        uint64
	Unconverted uint64
	Single      int // packets with a record of only one end
	Open        int // operations without a recorded begin or end
}

// Combine combines the logs of a run: packets, operations or both, as recorded.
func Combine(logs []Log, packets, operations bool) Traced {
	var out Traced
	var halves [][]Half
	var marks [][]Mark
	if packets {
		out.Gaps = []GapRow{}
	}
	for node, l := range logs {
		for i := range l.Gaps {
			out.Gaps = append(out.Gaps, l.Gaps[i].row(node))
		}
		halves = append(halves, l.Halves...)
		marks = append(marks, l.Marks)
		out.Lost += l.Lost
		out.Unconverted += l.Unconverted
	}
	if packets {
		out.Packets, out.Single = Join(halves)
	}
	if operations {
		out.Spans, out.Steps, out.Open = Assemble(marks, out.Packets)
	}
	return out
}
