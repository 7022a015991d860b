package watch

import (
	"encoding/binary"
	"net/netip"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live"
)

// Half is what one of two hosts that are watched knows of a message between them, or of bytes that may belong to several. Times are in ns, of
// the host's monotonic clock; on their way to another host since 1970, by its system's clock.
type Half struct {
	Flow       uint64   // number of the connection's direction, the same on both hosts
	End, Bytes uint32   // sequence number after the last byte
	Kind       HalfKind // of what
	Program    uint32   // that has sent, by that host's number
	Why        uint32   // what is known when the socket gets a message
	ToServer   bool
	At         [3]int64 // of a message T1, T2 and T3; of others the first only: T5 or T6
	Served     int64    // of a message: since its sender has read what came last, 0: not known
	Woken      int64    // of a read: when its reader was woken last, 0: not known
	Waited     int64    // of a read: for a processor since the first byte has arrived
}

// HalfKind says what a Half is of.
type HalfKind uint8

// The programs in the kernel have the same list.
const (
	HalfSent    HalfKind = iota // a message
	HalfArrived                 // a packet
	HalfRead                    // what a call has read
)

// halfBytes is the size of one in the kernel's ring.
const halfBytes = 72

// halfOf reads one of the kernel's.
func halfOf(b []byte) (h Half) {
	n := binary.NativeEndian
	at := func(i int) int64 { return int64(n.Uint64(b[32+8*i:])) }
	h = Half{
		Flow: n.Uint64(b), End: n.Uint32(b[8:]), Bytes: n.Uint32(b[12:]), Kind: HalfKind(n.Uint32(b[16:])), Program: n.Uint32(b[20:]),
		Why: n.Uint32(b[24:]), ToServer: n.Uint32(b[28:]) != 0, At: [3]int64{at(0), at(1), at(2)}, Waited: at(4),
	}
	if h.Kind == HalfSent {
		h.Served = at(3)
	} else {
		h.Woken = at(3)
	}
	return h
}

// covers reports whether the last byte of a message is among these bytes.
func (h *Half) covers(m *Half) bool {
	return int32(h.End-m.End) >= 0 && int32(m.End-(h.End-h.Bytes)) > 0
}

// behind reports whether these bytes come after all of a message.
func (h *Half) behind(m *Half) bool { return int32(h.End-h.Bytes-m.End) >= 0 }

// shift moves all times.
func (h *Half) shift(by int64) {
	for i, at := range h.At {
		if at != 0 {
			h.At[i] = at + by
		}
	}
	if h.Woken != 0 {
		h.Woken += by
	}
}

// Asked is what a host is asked to watch for another one.
type Asked struct {
	Ports     []int        `json:"ports,omitempty"` // none: all of TCP between both
	Every     int          `json:"every"`           // of blocks of each flow one in so many
	Boot      string       `json:"boot"`            // of the host that asks
	Addresses []netip.Addr `json:"addresses"`       // of the same
	Control   uint16       `json:"-"`               // port of the connection between both watches
}

// Told is what a host has counted of messages that it has sent to the other one.
type Told struct {
	Names      map[int]string  `json:"names"`
	Counts     []uint64        `json:"counts"`    // by what has become of them
	UnsureNs   int64           `json:"unsure_ns"` // error of its times between its two clocks
	Histograms []ToldHistogram `json:"-"`
}

// ToldHistogram has Source and NI of messages of one sort.
type ToldHistogram struct {
	Key    uint32       `json:"key"`
	Bytes  uint64       `json:"bytes"`
	Stages [2]ToldStage `json:"stages"`
}

// ToldStage is a histogram without empty bins.
type ToldStage struct {
	Sum  uint64         `json:"sum_ns"`
	Bins map[int]uint32 `json:"bins"`
}

// Other is the watch of another host. After it has failed it hands over nothing more.
type Other interface {
	// Host describes the host, Addresses are its own, and Boot tells whether it is this one.
	Host() (host live.Host, addresses []netip.Addr, boot string)
	// Apart are ports of the connections between both watches.
	Apart() [2]uint16
	// Follow lets it follow messages, or not, and returns when it is so.
	Follow(on bool)
	// Take returns the halves that have come since the last call.
	Take() []Half
	// Convert converts a time of it to one of this host, in ns since 1970, with a bound of the error, and Ready
	// reports whether that is final.
	Convert(at int64) (own, bound int64)
	Ready(at int64) bool
	// Failed returns why it has ended by itself, nil so far if it has not.
	Failed() error
	// End ends it, and returns what it has told. The error is why it has ended before.
	End() (Told, error)
	// Enter enters the clocks into the records of a run that began at a time in ns since 1970.
	Enter(to *collect.Records, origin int64)
}

// pairing is how two hosts are watched together.
type pairing struct {
	serves    bool // the other one joins
	every     int  // of blocks of a flow one in so many is joined
	addresses []netip.Addr
	apart     [2]uint16
	here      bool // the other one is another network namespace of this host
}
