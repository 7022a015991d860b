package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace/waits"
)

// Direction of a host DMA.
type Direction uint8

// Directions of the H engine.
const (
	ToNI   Direction = iota // host memory to SRAM
	ToHost                  // SRAM to host memory
)

// DMA is one transfer of the H engine between host memory and SRAM. The program
// owns it and identifies it by Arg.
type DMA struct {
	Dir   Direction
	Bytes int
	Arg   uint64
	// Record is the record of the packet whose data is fetched (ToNI).
	Record *Record
	// Packet is the packet whose data is deposited (ToHost).
	Packet *fabric.Packet
	// About is the packet of which the transfer tells the host (ToHost). Its deposit is just
	// before it.
	About *fabric.Packet
	// For is the actor for which the card fetches something of its own, and Of what the log calls
	// that; both only with a log.
	For waits.ID
	Of  waits.Resource
	// Until is when the last byte is in SRAM, for a packet that is still arriving (ToHost): the
	// transfer follows the arrival and ends no earlier. Zero: all bytes are there.
	Until sim.Time
	// Owner, if not nil, handles the transfer's end in place of the program.
	Owner DMAOwner

	flow  sim.Flow
	nic   *NIC
	ended bool

	// For the log.
	waited  sim.Duration // for transfers before it on the bus
	behind  waits.ID     // for whom the last of them was
	begun   sim.Time
	byHost  bool
	starter waits.ID // process that has programmed it
}

// DMAOwner handles transfers that do not belong to the program. Program
// documents the two calls.
type DMAOwner interface {
	Transferred(d *DMA)
	HostDone(d *DMA, at sim.Time)
}
