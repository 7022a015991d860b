package trace

import "fmt"

// Tag names the program that sent a packet. The monitor keeps one set of
// histograms per tag at both ends, because after injection the interface no
// longer knows which program a packet belongs to.
type Tag uint8

// Span identifies an operation of an upper layer (a page fetch, a lock
// acquire) that several packets belong to. Zero means none.
type Span uint32

// Meta rides in the request descriptor and in the packet header.
type Meta struct {
	Tag  Tag
	Kind Kind
	Span Span
}

// Kind says what a packet is for. Upper layers choose the kinds that carry a
// host request; the rest are made by the interface itself and are counted
// apart from every signature.
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

var kindNames = [NumKinds]string{
	Data: "data", PageRequest: "page-request", PageReply: "page-reply", Diff: "diff",
	LockRequest: "lock-request", LockForward: "lock-forward", LockGrant: "lock-grant",
	BarrierArrive: "barrier-arrive", BarrierRelease: "barrier-release", Flag: "flag",
	Ack: "ack", Nack: "nack",
	ClockQuery: "clock-query", ClockReply: "clock-reply", ClockTable: "clock-table",
}

// CarriesRequest reports whether packets of this kind carry a host request
// and so belong to signatures and baselines.
func (k Kind) CarriesRequest() bool { return k < firstFirmware }

func (k Kind) String() string {
	if k < NumKinds && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Stage is one of the four latencies of a packet.
type Stage uint8

// The four latencies, in the order a packet meets them, bounded by the
// instants T1 to T6.
const (
	Source Stage = iota // T1 to T2, sender's clock
	LANai               // T2 to T4, sender's clock
	Net                 // T3 on the sender's to T5 on the receiver's clock, both mapped to global time
	Dest                // T5 to T6, receiver's clock

	// NumStages is the number of latencies.
	NumStages
)

var stageNames = [NumStages]string{"source", "lanai", "net", "dest"}

func (s Stage) String() string {
	if s < NumStages {
		return stageNames[s]
	}
	return fmt.Sprintf("stage(%d)", uint8(s))
}
