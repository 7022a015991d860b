package watch

import "encoding/binary"

// Half is what one of two hosts that are watched knows of a message between them, or of bytes that may belong to several. Times are in ns, of
// the host's monotonic clock; on their way to another host since 1970, by its system's clock.
type Half struct {
	Flow       uint64   // number of the connection's direction, the same on both hosts
	End, Bytes uint32   // sequence number after the last byte
	Kind       HalfKind // of what
	Program    uint32   // that has sent, by that host's number
	Why        uint32   // what is known when the socket gets a message
	ToServer   bool
	UDP        bool     // End is the identification of a datagram
	At         [3]int64 // of a message T1, T2 and T3; of others the first only: T5 or T6; of a datagram that was read T6 and T5
	Served     int64    // of a message: since its sender has read what came last, 0: not known
	Woken      int64    // of a read: when its reader was woken last, 0: not known
	Waited     int64    // of a read: for a processor since the first byte has arrived; of a packet: for the kernel to receive it
}

// HalfKind says what a Half is of.
type HalfKind uint8

// The programs in the kernel have the same list.
const (
	HalfSent    HalfKind = iota // a message
	HalfArrived                 // a packet
	HalfRead                    // what a call has read
)

const ofDatagram = 4 // of the kernel's kinds

// halfOf reads one of the kernel's, in 72 bytes.
func halfOf(b []byte) (h Half) {
	n := binary.NativeEndian
	at := func(i int) int64 { return int64(n.Uint64(b[32+8*i:])) }
	h = Half{
		Flow: n.Uint64(b), End: n.Uint32(b[8:]), Bytes: n.Uint32(b[12:]), Kind: HalfKind(n.Uint32(b[16:]) &^ ofDatagram), UDP: n.Uint32(b[16:])&ofDatagram != 0, Program: n.Uint32(b[20:]),
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

// arrived is the half of the packet of a datagram that was read.
func (h *Half) arrived() Half { return Half{At: [3]int64{h.At[1]}} }
