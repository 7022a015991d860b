package trace

import "iter"

// Run is everything a run directory holds.
type Run struct {
	Dir        string // where it is stored; empty when it is not
	Manifest   Manifest
	Signature  []SignatureRow
	Classes    []ClassRow
	Pairs      []PairRow
	Sequences  []SequenceRow // nil in a run of kinds that follow nothing
	Histograms []HistogramRow
	Fine       []FineRow // nil unless asked for
	Clock      []ClockRow
	Online     []OnlineRow // nil in a run without a policy
	Ports      []PortRow   // nil unless switches have buffers
	Pauses     []PauseRow
	Flows      []FlowRow // nil unless something was done to one, or sent again
	// Packets, Gaps, Spans and Steps are nil in a run that was not traced. Packets are in
	// the order of T3, operations in that of begin, and steps in that of operations: as
	// sequences, because there may be millions, which can be read again. A run that was
	// read from files has no Packets.
	Packets iter.Seq[PacketRow]
	Spans   iter.Seq[SpanRow]
	Steps   iter.Seq[StepRow]
	Broken  func() error // if not nil: whether one of these has ended early
	Gaps    []GapRow     // by node
	// Actors and Waits are nil unless a model recorded waiting, and Holds unless actors waited in
	// line. A run that was read from files has none.
	Actors iter.Seq[ActorRow]
	Waits  iter.Seq[WaitRow]
	Holds  iter.Seq[HoldRow]
	// Extra holds files that are not tables, in the order to be written.
	Extra []Extra
}

// Extra is a file that is not a table, such as latency.hlog.
type Extra struct {
	Name string
	Data []byte
}
