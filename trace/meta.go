package trace

import "github.com/sigview/sigview/internal/names"

// Tag names the program that sent a packet. The monitor keeps one set of
// histograms per tag at both ends, because after injection the interface no
// longer knows which program a packet belongs to.
type Tag uint8

// Span identifies an operation of an upper layer (a page fetch, a lock
// acquire) that several packets belong to. Zero means none.
type Span uint32

// Meta is carried in the request descriptor and in the packet header.
type Meta struct {
	Tag  Tag
	Kind Kind
	Span Span
}

// Kind is what a packet is for. Upper layers choose the kinds that carry a host
// request. The interface itself makes the others, which signatures exclude.
type Kind uint8

// Packet kinds. Kinds below firstFirmware carry a host request.
const (
	Data Kind = iota
	PageRequest
	PageReply
	Diff
	LockRequest
	LockForward
	LockGrant
	BarrierArrive
	BarrierRelease
	Flag
	Message   // of message passing, to one node
	Broadcast // of message passing, to all
	Envelope  // the description of a message whose data is sent separately
	Credit    // buffer space that a receiver returns to a sender

	// Of sockets and the programs on them.
	Stream      // bytes of a socket, and the entries that announce them
	FileRequest // to a server of a file system, with the data of a write
	FileReply   // from one, with the data of a read

	// Of layers whose messages come in pairs.
	Request
	Reply

	firstFirmware
)

// Kinds that the interface makes by itself.
const (
	Ack Kind = firstFirmware + iota
	Nack
	ClockQuery
	ClockReply
	ClockTable

	// NumKinds is the number of packet kinds.
	NumKinds
)

var kinds = names.NewEnum[Kind]("packet kind",
	"data", "page-request", "page-reply", "diff", "lock-request", "lock-forward", "lock-grant",
	"barrier-arrive", "barrier-release", "flag", "message", "broadcast", "envelope", "credit",
	"stream", "file-request", "file-reply", "request", "reply",
	"ack", "nack", "clock-query", "clock-reply", "clock-table")

// CarriesRequest reports whether packets of this kind carry a host request
// and so belong to signatures and baselines.
func (k Kind) CarriesRequest() bool { return k < firstFirmware }

// AllKinds stands in tables for all packet kinds that carry a host request
// together.
const AllKinds = "all"

// ParseKind returns the packet kind of that name, the inverse of String.
func ParseKind(name string) (Kind, error) { return kinds.Parse(name) }

func (k Kind) String() string { return kinds.Name(k) }
