package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace/waits"
)

// source is an event source of the main loop; lower ones are tested first.
type source uint8

const (
	srcService source = iota // a packet of a reserved kind has arrived
	srcServiceTimer
	srcHostDone // the H engine has finished
	srcSent     // the S engine has finished
	srcReceived // the R engine has received a packet
	srcRequest  // the host has queued a send request
	srcTimer
	srcControl // a control packet of the program has arrived; nothing waits for it
	numSources
)

// event is an event of the hardware. Its stamp is the time at which an inline
// check of a long handler first saw it, or zero.
type event struct {
	packet *fabric.Packet
	dma    *DMA
	record *Record // record of the packet sent, if it has one
	stamp  sim.Time
	actor  waits.ID // that notes it, in the log
	again  bool     // that packet was sent again
	head   bool     // only the first bytes of the packet have arrived
}

// Operations of the card's own events.
const (
	opPoll    uint32 = iota // the main loop polls its sources
	opPollOne               // with an uncontended processor: one source, arg
	opTimer                 // arg: generation and timer
	opHead                  // the first bytes of packet number arg are in SRAM
	opStored                // a request that the host has stored arrives
	opWork                  // the core that does the probe's deferred work is free
	opShare                 // the head that was expected may change the share of the internal bus
	opService = 0           // index of the service's timer
	opProgram = 1           // index of the program's timer
)

// timer is one of two timers. Its generation identifies the valid event:
// setting the timer again cancels earlier ones.
type timer struct{ gen uint32 }

// lastStamped is the last source whose events inline checks stamp.
const lastStamped = srcSent
