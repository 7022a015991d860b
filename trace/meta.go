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

// Stage is one of the four latencies of a packet.
type Stage uint8

// The four latencies, in the order a packet meets them, bounded by the
// instants T1 to T6.
const (
	Source Stage = iota // T1 to T2, sender's clock
	LANai               // T2 to T4, sender's clock
	Net                 // T3 on the sender's to T5 on the receiver's clock, both mapped to global time
	Dest                // T5 to T6, receiver's clock

	// NumStages is the number of latencies that are recorded.
	NumStages

	// NetMinusLANai is derived, not recorded: the mean Net at the receivers
	// less the mean LANai at the senders. It appears in tables and reports, but
	// not in arrays over recorded stages.
	NetMinusLANai = NumStages
)

var stages = names.NewEnum[Stage]("stage", "source", "lanai", "net", "dest", "net_minus_lanai")

// StageDefinitions defines each latency, in the order of Stages. Files carry it
// in their metadata.
const StageDefinitions = "source = t2-t1, sender's clock; lanai = t4-t2, sender's clock; " +
	"net = t5-t3, both mapped to global time; dest = t6-t5, receiver's clock; " +
	"net_minus_lanai = mean net - mean lanai. " +
	"t1: the packet's request is first seen in the interface's request queue; " +
	"t2: the packet's data is complete in the sender's interface memory; " +
	"t3: the interface starts the injection; t4: the injection has ended; " +
	"t5: the last word is in the receiver's interface memory; " +
	"t6: the data is complete in the receiver's host memory"

// Stages returns every latency that a table or report may show: the recorded ones
// in the order of their instants, then the derived one.
func Stages() []Stage { return []Stage{Source, LANai, Net, Dest, NetMinusLANai} }

// ParseStage returns the stage of that name, the inverse of String.
func ParseStage(name string) (Stage, error) { return stages.Parse(name) }

func (s Stage) String() string { return stages.Name(s) }
