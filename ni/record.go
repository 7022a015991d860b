package ni

import (
	"math"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Record is the sender interface's record of a packet in progress. The program fills
// in the first group of fields. T1 to T3 are the probe's stamps, in ticks of the
// sender's clock.
type Record struct {
	Arg   uint64 // for the program
	Meta  trace.Meta
	Peer  int32
	Bytes int32 // payload
	// Copy is the record of the same packet for another receiver, until their shared
	// data is in SRAM.
	Copy  *Record
	Rate  sim.Rate // at which the data comes while it is sent, if that is below the S engine's; 0: it is there
	Keep  int32    // processor cycles that the program spends on it once the S engine has been started
	First bool     // first packet of its message
	Anew  bool     // the packet is sent again, by a request of its own: to the log it is another

	Recorded bool // the probe recorded the request
	Inline   bool // the data came with the request: no host DMA
	fetching bool // its host DMA has not ended
	left     bool // the S engine has ended before the host DMA
	After    trace.Predecessor
	Number   uint32   // if the probe traces packets; NoNumber if not this one
	Actor    waits.ID // in the log, or 0
	T1, T2   uint64
	Ready    sim.Time // true T2, for diagnostics only; a program that sends while data arrives sets it
	Taken    uint64   // when the request was taken up, if the probe traces packets
	T3       uint64
}

// ready records the true T2 of a packet and its copies.
func (r *Record) ready(at sim.Time) {
	for ; r != nil; r = r.Copy {
		r.Ready = at
	}
}

// NoNumber stands for the number of a packet that the probe does not trace.
const NoNumber = math.MaxUint32
