package trace

import (
	"cmp"
	"iter"
)

// Log is what one node of a traced run recorded, beside the records of packets and marks,
// which a Joiner and Marks take while the run goes on.
type Log struct {
	Gaps []Gap  // where records are missing, in order
	Lost uint64 // records that found no room, or no clock table to convert them
}

// Traced is the combined records of the nodes of a traced run.
type Traced struct {
	Packets iter.Seq[PacketRow] // in the order of T3; nil without packets
	Spans   iter.Seq[SpanRow]   // in the order of begin; nil without operations
	Steps   iter.Seq[StepRow]   // in the order of Spans
	Broken  func() error        // whether one of these has ended early
	Gaps    []GapRow            // by node, in order; nil without packets

	Lost   uint64
	Single int // packets with a record of only one end
	Open   int // operations without a recorded begin or end
}

// Combine combines the records of a run: packets and marks (nil: they were not traced), and
// the logs of its nodes. An error is one of the temporary file of marks.
func Combine(packets *Joiner, marks *Marks, logs []Log) (out Traced, err error) {
	out.Broken = func() error { return nil }
	if packets != nil {
		out.Gaps = []GapRow{}
		out.Packets, out.Single = packets.Rows()
		out.Broken = packets.Err
	}
	for node, l := range logs {
		for i := range l.Gaps {
			out.Gaps = append(out.Gaps, l.Gaps[i].row(node))
		}
		out.Lost += l.Lost
	}
	if marks != nil {
		operations, err := marks.Assemble(out.Packets)
		if err != nil {
			return out, err
		}
		broken := out.Broken
		out.Broken = func() error { return cmp.Or(broken(), operations.Err()) }
		out.Spans, out.Steps, out.Open = operations.Spans(), operations.Steps(), operations.Open
	}
	return out, nil
}
