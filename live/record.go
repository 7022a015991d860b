package live

import "github.com/sigview/sigview/live/stamps"

// Sending is the sender's record of a message, by its own clock.
type Sending struct {
	To, Bytes int
	Begun     int64 // T1
	stamps.Sent
}

// Coming is the receiver's record of a message, by its own clock.
type Coming struct {
	From, Bytes int
	Seq         uint32
	Kernel      int64 // T5
	Card        int64 // T5 of the card, by its clock; 0: it has not stamped the message
	User        int64 // T6
}

// Batch is a part of what an end has recorded.
type Batch struct {
	Node int
	Sent []Sending
	Came []Coming
}

// Counts is what an end has counted, for each other node.
type Counts struct {
	Sent, Came []uint64 // messages that count; warm-up does not
	Foreign    uint64   // messages that are none of the run
	Full       uint64   // messages that came and found no room in the node's sockets
	WaitedNs   int64    // threads waited to hand over records
	SteppedNs  int64    // by which the system's clock was set
	TCP        []Connection
}

// Connection is what the kernel says of a TCP connection at the end of a run.
type Connection struct {
	Node int `json:"node"`
	Peer int `json:"peer"`
	stamps.TCPState
}

// batchRecords is how many records an end gathers before it hands them over.
const batchRecords = 512
