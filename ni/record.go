package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Record is what the sender's interface keeps of a packet while it is in
// progress. The program fills in the first group of fields. T1 to T3 are ticks of the
// sender's clock as the probe stamped them.
type Record struct {
	Arg   uint64 // the program's own
	Meta  trace.Meta
	Peer  int32
	Bytes int32 // payload
	First bool  // first packet of its message
	// Copy is the record of the same packet for another receiver, until the data that
	// both share is in SRAM.
	Copy *Record

	Recorded bool // the probe recorded the request
	T1, T2   uint64
	T3       uint64   // of a probe that traces
	Number   uint32   // likewise
	Ready    sim.Time // true T2, for diagnostics only; a program that sends while data arrives sets it

	fetching bool // its host DMA has not ended
	left     bool // the S engine has ended before that
}

// ready records the true T2 of a packet and its copies.
func (r *Record) ready(at sim.Time) {
	for ; r != nil; r = r.Copy {
		r.Ready = at
	}
}
