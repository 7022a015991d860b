package trapeze

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
)

// Node is the layer on one node.
type Node struct {
	firmware.Base
	spec    Spec
	process *Endpoint
	waiting int    // messages that wait for a page frame
	refused uint64 // messages that arrived while no process had opened the layer
	waited  uint64
}

// Endpoint is the process that uses the layer.
type Endpoint struct {
	library.Process
	library.Inbox // its pool are the page frames
	node          *Node
}
