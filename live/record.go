package live

import "github.com/sigview/sigview/live/stamps"

// Sending is the sender's record of a message, by its own clock. Times are in ns since 1970; a stamp that is
// missing is 0.
type Sending struct {
	To, Bytes int
	Begun     int64 // T1
	stamps.Sent
}

// Receipt is the receiver's record of a message, by its own clock. Times are in ns since 1970; a stamp that is
// missing is 0.
type Receipt struct {
	From, Bytes int
	Seq         uint32
	Kernel      int64 // T5
	Card        int64 // T5 of the card, by its clock; 0: it has not stamped the message
	User        int64 // T6
}

// Batch is a part of what an end has recorded, each of its lists in the order of time.
type Batch struct {
	Node     int
	Sent     []Sending
	Received []Receipt
}

// Counts is what an end has counted. Its lists are by the other node.
type Counts struct {
	Sent      []uint64 // messages that count; warm-up does not
	Received  []uint64 `json:"Came"` // the same
	Foreign   uint64   // messages that are none of the run
	Full      uint64   // messages that came and found no room in the node's sockets
	WaitedNs  int64    // threads waited to hand over records
	SteppedNs int64    // by which the system's clock was set
	TCP       []Connection
}

// Connection is what the kernel says of a TCP connection at the end of a run.
type Connection struct {
	Node int `json:"node"`
	Peer int `json:"peer"`
	stamps.TCPState
}

// batchRecords is how many records an end gathers before it hands them over, so that a thread takes the lock of
// the other side seldom.
const batchRecords = 512
