package datagram

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Node is the layer on one node.
type Node struct {
	firmware.FailStop
	spec    Spec
	process *Endpoint
	stats   stats
}

type stats struct {
	refused uint64 // no process had opened the layer, or the packet was of no kind that programs send
	moved   uint64 // taken into memory of the library while a send waited
}

// Endpoint is the process that uses the layer.
type Endpoint struct {
	library.Process
	library.Bell // rings when a message arrives
	node         *Node
	letters      []*letter         // that have arrived, oldest first
	asked        *letter           // that the kernel copies for the program; nil: none
	sending      *firmware.Request // that has not left the process's memory
	head         host.Addr         // where the pieces of a message are gathered
	in           host.Addr         // message that is read in place
	spare        library.Buffers   // for messages that are moved
	blank        library.Spares[letter]
}

// letter is a message that has arrived: in the kernel, or in memory of the library.
type letter struct {
	from, bytes int
	packet      *fabric.Packet // nil: in memory
	at          host.Addr      // in memory, or where the kernel copies it
	seen        bool           // by Poll
}
