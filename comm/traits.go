package comm

import (
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// Traits holds the properties of a layer. The words of the design fields are
// those of the comparison of user-level communication (userspace, Tables 1 and
// 2); tests check each of them. Layers on machines outside the comparison add
// three words: DMA, for a path without copy or translation, Kernel+Copy, and Interrupt.
type Traits struct {
	Name    string
	Title   string // one line
	Model   Model
	Control string // how control and data are sent: Combined, Separate, Data Only

	IntranodeProtection bool // processes of one node are protected from one another
	InternodeProtection bool // and from processes of other nodes
	Multiprogramming    bool // several processes of a node use the interface

	Overflow    string // of buffers: Prevented, Tolerated, Impossible, Data Loss
	Errors      string // of the network: Tolerated, Catastrophic
	Management  string // of the network: Static, Dynamic/Full, Dynamic/Demand
	SendPath    string // of long messages: DMA+Copy, DMA+v2p trans, PIO(WC), DMA
	ReceivePath string // the same
	Protection  string // its mechanism: Copy, PIO+Copy, v2p trans, Gang Scheduling, None
	Reliability string // where it is implemented: None, Library+Copy, Firmware
	Notice      string // how a receiver notices a message: Polling, Interrupt, None, N/A

	Promises Promises

	Kinds []trace.Kind // kinds of packets that its library sends by itself

	Synchronous bool // a send returns when its buffer may be written again
	Consumes    bool // messages must be received; otherwise they overwrite memory
	InPlace     bool // a receiver can read a message where the layer has put it: no copy
	Anyone      bool // one receive may wait for all senders
	PostFrom    int  // messages of at least this many bytes need a receive posted before they arrive; 0: none
	Posts       bool // a receive that is posted before its message arrives saves a copy
	Requests    bool // endpoints are Requesters: all of the RPC model, and others with handlers that answer
	Turns       bool // only the process whose program has the CPU can use the interface
	Multicasts  bool // the interface sends one message to several receivers
	Describes   bool // data that is described (sim/content) stays so on its way
	Remote      bool // interfaces read and change the memory of other nodes: ports are Remote
	Overtaking  bool // packets of one sender may overtake one another, as free S engines let them
	MinBytes    int  // shortest message, bytes
	MaxBytes    int  // longest message of one send, bytes; callers cut longer ones; 0: no limit
}

// Promises are what programs rely on while the network has no errors.
// Traits.Errors is the behaviour if it has.
type Promises struct {
	Reliable bool   // every message arrives once, whatever the receiver does
	Ordered  bool   // messages from one process to another arrive in order
	Why      string // why a promise is not given
}

// Kept is both promises.
var Kept = Promises{Reliable: true, Ordered: true}

// Model is a layer's programming model.
type Model uint8

// Programming models.
const (
	RPC           Model = iota // every request is answered by one reply; see Requester
	SendReceive                // messages
	DirectDeposit              // into the receiver's memory
)

var modelNames = names.NewEnum[Model]("model", "RPC", "Send/Recv", "Direct Deposit")

// String returns the name.
func (m Model) String() string { return modelNames.Name(m) }
