package trace

// Operation names what an upper layer does with several packets: a page
// fetch, a lock acquire. Layers may add names of their own.
type Operation string

// Operations that layers of this project record.
const (
	OpPageFetch   Operation = "page_fetch"   // a page that is homed elsewhere, from the fault to the access
	OpHomeWait    Operation = "home_wait"    // an access at the page's home, which lacks differences
	OpLockAcquire Operation = "lock_acquire" // a lock that is not on the node
	OpBarrier     Operation = "barrier"
	OpDiffFlush   Operation = "diff_flush" // one page's difference, from its making to its home's copy
	OpSend        Operation = "message"    // a message of message passing
	OpBroadcast   Operation = "broadcast"
	OpFile        Operation = "file" // an operation on a file of other nodes
	OpPhase       Operation = "phase"
)

// Step names a part of an operation. Layers may add names of their own.
type Step string

// Steps, in the terms of the field. An operation goes through some of them, in
// about this order.
const (
	StepTrap     Step = "trap"      // the fault's way to the protocol's handler
	StepFlush    Step = "flush"     // differences are made and sent before anything else
	StepCompare  Step = "compare"   // a page is compared with its twin
	StepRequest  Step = "request"   // from the sender's call to the receiver's memory
	StepForward  Step = "forward"   // the same, by a node that knows the node to answer
	StepQueue    Step = "queue"     // in memory until the handler runs: interrupt, requests before it
	StepHandler  Step = "handler"   // the handler, up to its answer
	StepHeld     Step = "held"      // another process has the lock
	StepDiffWait Step = "diff_wait" // the home lacks differences
	StepGather   Step = "gather"    // until the last node has come to a barrier
	StepApply    Step = "apply"     // a difference is merged at its home
	StepReply    Step = "reply"     // from the answering call to the asker's memory
	StepNotice   Step = "notice"    // in memory until the asker sees it
	StepResume   Step = "resume"    // the answer is taken in, up to the operation's end
)

// Spans records operations of an upper layer that take several packets. Each
// process has its own, bound to its processor, because a call takes time: it
// reads the interface's clock over the I/O bus. All steps of an operation are in
// global time, whatever nodes it passes.
//
// An operation is known by the number that its packets carry in Meta.Span, which no
// other operation of the program may have. Any node may call Step and End. When
// another node's next call depends on a message, the call before it must come before
// the message is sent: then calls are in the order of their times.
type Spans interface {
	// Begin opens operation s, which starts with step first. The parent is
	// the operation that s is part of, or 0.
	Begin(s Span, op Operation, first Step, parent Span)
	// Step ends the operation's present step and begins the next. A step that
	// comes again adds up.
	Step(s Span, next Step)
	// End closes the operation.
	End(s Span)
	// Phase ends the program's present phase on this node and, unless the name is
	// empty, begins another.
	Phase(name string)
}

// Recorder switches the recording of a node's monitor on and off while
// programs run: one store to the interface.
type Recorder interface {
	Record(on bool)
}

// Instrument is how a process of an upper layer reports to the monitor. The zero
// value reports to nobody and costs nothing; without Spans, operations cost
// nothing. A layer takes a function that returns one for each of its processes,
// which the cluster has. For a message with number s that another node asks for it
// calls:
//
//	i.Begin(s, OpSend, StepRequest, 0) // before the call that sends it; Meta.Span is s
//	i.Step(s, StepHandler)             // by the handler of the message
//	i.Step(s, StepReply)               // before the answer is sent
//	i.End(s)                           // when the asker continues
//
// In runs that also trace packets, the waiting between a message's arrival and the
// next call becomes a step of its own, StepQueue or StepNotice.
type Instrument struct {
	Spans    Spans
	Recorder Recorder
}

// On reports whether operations are recorded.
func (i Instrument) On() bool { return i.Spans != nil }

// Begin is Spans.Begin.
func (i Instrument) Begin(s Span, op Operation, first Step, parent Span) {
	if i.Spans != nil {
		i.Spans.Begin(s, op, first, parent)
	}
}

// Step is Spans.Step.
func (i Instrument) Step(s Span, next Step) {
	if i.Spans != nil {
		i.Spans.Step(s, next)
	}
}

// End is Spans.End.
func (i Instrument) End(s Span) {
	if i.Spans != nil {
		i.Spans.End(s)
	}
}

// Phase is Spans.Phase.
func (i Instrument) Phase(name string) {
	if i.Spans != nil {
		i.Spans.Phase(name)
	}
}

// Record is Recorder.Record.
func (i Instrument) Record(on bool) {
	if i.Recorder != nil {
		i.Recorder.Record(on)
	}
}

// Numbers gives out span numbers of one node, different from those of all other
// nodes of the program. They repeat after 4 million.
type Numbers struct {
	Node int // below 1023
	last uint32
}

const numberBits = 22

// Next returns the next number, never 0.
func (n *Numbers) Next() Span {
	n.last++
	return Span(uint32(n.Node+1)<<numberBits | n.last&(1<<numberBits-1))
}

// onArrival returns the step that begins when the last packet of a message is in
// its receiver's memory. The interface knows that instant, so packet records
// separate a transfer from the waiting after it.
func onArrival(k Kind) (Step, bool) {
	switch k {
	case PageRequest, Diff, LockRequest, LockForward, BarrierArrive, Data, Message, Broadcast, Envelope:
		return StepQueue, true
	case Flag, PageReply, LockGrant, BarrierRelease:
		return StepNotice, true
	}
	return "", false
}
