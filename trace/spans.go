package trace

// Operation names what an upper layer does with several packets: a page
// fetch, a lock acquire. Layers may add names of their own.
type Operation string

// Operations that layers of this project record.
const (
	OpPageFetch   Operation = "page_fetch"   // a page with a home on another node, from the fault to the access
	OpHomeWait    Operation = "home_wait"    // an access at the page's home that waits for diffs
	OpLockAcquire Operation = "lock_acquire" // a lock whose token is not on the node
	OpBarrier     Operation = "barrier"
	OpDiffFlush   Operation = "diff_flush" // one page's diff, from its computation to the home's copy
	OpSend        Operation = "message"    // a message of message passing
	OpBroadcast   Operation = "broadcast"
	OpFile        Operation = "file" // an operation on a file on other nodes
	OpPhase       Operation = "phase"
)

// Step names a part of an operation. Layers may add names of their own.
type Step string

// Steps, in the terms of the field. An operation goes through some of them, in
// about this order.
const (
	StepTrap     Step = "trap"      // from the fault to the protocol's handler
	StepFlush    Step = "flush"     // diffs are computed and sent first
	StepCompare  Step = "compare"   // a page is compared with its twin
	StepRequest  Step = "request"   // from the sender's call to the receiver's memory
	StepForward  Step = "forward"   // the same, by a node that forwards the request
	StepQueue    Step = "queue"     // in memory until the handler runs: interrupt, earlier requests
	StepHandler  Step = "handler"   // the handler, up to its answer
	StepHeld     Step = "held"      // another process has the lock
	StepDiffWait Step = "diff_wait" // the home waits for diffs
	StepGather   Step = "gather"    // until the last node has arrived at a barrier
	StepApply    Step = "apply"     // a diff is merged at its home
	StepReply    Step = "reply"     // from the answering call to the requester's memory
	StepNotice   Step = "notice"    // in memory until the requester notices it
	StepRetry    Step = "retry"     // it tries again, because another process had what it wants
	StepResume   Step = "resume"    // the answer is processed, up to the operation's end
)

// Spans records operations of an upper layer that take several packets. Each
// process has its own, because a call takes the process's time: it reads the
// interface's clock over the I/O bus. All steps of an operation are in global
// time, on whatever node they occur.
//
// An operation is identified by the number that its packets carry in Meta.Span,
// unique within the program. Any node may call Step and End. A call must precede the
// sending of a message that causes another node's next call, so that calls are in
// the order of their times.
type Spans interface {
	// Begin opens operation s, which starts with step first. The parent is
	// the operation that s is part of, or 0.
	Begin(s Span, op Operation, first Step, parent Span)
	// Step ends the operation's present step and begins the next. A step may
	// occur again.
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
// value reports nothing and costs nothing; without Spans, operations cost nothing.
// A layer gets from the cluster a function that returns one for each of its
// processes. For a request and its answer, with number s, it calls:
//
//	i.Begin(s, OpSend, StepRequest, 0) // before the call that sends it; Meta.Span is s
//	i.Step(s, StepHandler)             // by the handler of the message
//	i.Step(s, StepReply)               // before the answer is sent
//	i.End(s)                           // when the asker continues
//
// In runs that also trace packets, the waiting between a message's arrival and the
// next call is a separate step, StepQueue or StepNotice.
type Instrument struct {
	Spans    Spans
	Recorder Recorder
}

// On reports whether operations are recorded.
func (i Instrument) On() bool { return i.Spans != nil }

// Begin calls Spans.Begin.
func (i Instrument) Begin(s Span, op Operation, first Step, parent Span) {
	if i.Spans != nil {
		i.Spans.Begin(s, op, first, parent)
	}
}

// Step calls Spans.Step.
func (i Instrument) Step(s Span, next Step) {
	if i.Spans != nil {
		i.Spans.Step(s, next)
	}
}

// End calls Spans.End.
func (i Instrument) End(s Span) {
	if i.Spans != nil {
		i.Spans.End(s)
	}
}

// Phase calls Spans.Phase.
func (i Instrument) Phase(name string) {
	if i.Spans != nil {
		i.Spans.Phase(name)
	}
}

// Record calls Recorder.Record.
func (i Instrument) Record(on bool) {
	if i.Recorder != nil {
		i.Recorder.Record(on)
	}
}

// Numbers assigns span numbers on one node, different from those of all other
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
// its receiver's memory. The interface stamps that instant, so packet records
// separate a transfer from the waiting after it.
func onArrival(k Kind) (Step, bool) {
	switch k {
	case PageRequest, Diff, LockRequest, LockForward, BarrierArrive, Data, Message, Broadcast, Envelope:
		return StepQueue, true
	case PageReply, LockGrant, BarrierRelease:
		return StepNotice, true
	}
	return "", false
}
