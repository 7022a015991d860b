package ni

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/sim"
)

// Direction of a host DMA.
type Direction uint8

// Directions of the H engine.
const (
	ToNI   Direction = iota // host memory to SRAM
	ToHost                  // SRAM to host memory
)

// DMA is one transfer of the H engine between host memory and SRAM. The
// program owns it and finds its own record by Arg.
type DMA struct {
	Dir   Direction
	Bytes int
	Arg   uint64
	// Record, to the interface, is that of the packet whose data is fetched.
	Record *Record
	// Packet, to the host, is the one whose data is deposited.
	Packet *fabric.Packet
	// Owner hears of the transfer's end in place of the program, when it is not nil.
	Owner DMAOwner

	flow sim.Flow
	nic  *NIC
}

// DMAOwner starts transfers of its own beside the program: see Program for
// what the two calls mean.
type DMAOwner interface {
	Transferred(d *DMA)
	HostDone(d *DMA, at sim.Time)
}
