package ni

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/sim"
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
	srcControl // a packet of the program's own has arrived; nothing waits for it
	numSources
)

// event is what the hardware raises. Its stamp is when an inline check of a long
// handler first saw it, or zero.
type event struct {
	packet *fabric.Packet
	dma    *DMA
	record *Record // of the packet sent, if it has one
	again  bool    // that packet was sent again
	stamp  sim.Time
}

// timer is one of two timers. Its generation identifies the event that counts:
// setting the timer again replaces earlier ones.
type timer struct{ gen uint32 }

// stamped are the sources whose events inline checks look for.
const stamped = 1<<(srcSent+1) - 1
