package agent

import (
	"encoding/binary"
	"errors"

	"github.com/sigview/sigview/live/watch"
)

// A half of a message on the wire: the flow in 8 bytes and the sequence number in 4, big-endian, and its kind in one; then, each as
// a number of as many bytes as it needs (encoding/binary), its length and the first of its times less that of the half before. Then of a
// message T2-T1, T3-T2, the time since the last read, its program and what is known of it; of a read the time since its reader was woken, which is
// -1 if that is not known, the wait for a processor, what is known; of a packet the wait for the kernel; and of a datagram the time since it has arrived. Times are in ns.
const (
	toServer   = 1 << 7 // of the kind
	ofDatagram = 1 << 6
	// A half takes 13 bytes and 7 numbers of 10 at the most, so that so many fit a frame.
	mostHalves = 700
	// The kernel tells so many programs apart.
	mostPrograms = 64
)

// appendHalves appends halves.
func appendHalves(b []byte, all []watch.Half) []byte {
	last := int64(0)
	for i := range all {
		h := &all[i]
		b = binary.BigEndian.AppendUint64(b, h.Flow)
		b = binary.BigEndian.AppendUint32(b, h.End)
		kind := byte(h.Kind)
		if h.ToServer {
			kind |= toServer
		}
		if h.UDP {
			kind |= ofDatagram
		}
		b = append(b, kind)
		for _, n := range numbers(h, last) {
			b = binary.AppendVarint(b, n)
		}
		last = h.At[0]
	}
	return b
}

// numbers are those of a half after its kind.
func numbers(h *watch.Half, last int64) []int64 {
	out := append(make([]int64, 0, 7), int64(h.Bytes), h.At[0]-last)
	switch h.Kind {
	case watch.HalfSent:
		return append(out, h.At[1]-h.At[0], h.At[2]-h.At[1], h.Served, int64(h.Program), int64(h.Why))
	case watch.HalfArrived:
		return append(out, h.Waited)
	case watch.HalfRead:
		since := int64(-1)
		if h.Woken != 0 {
			since = h.At[0] - h.Woken
		}
		if out = append(out, since, h.Waited, int64(h.Why)); h.UDP {
			out = append(out, h.At[0]-h.At[1])
		}
	}
	return out
}

var errHalves = errors.New("halves of messages that are cut off")

// parseHalves is the inverse of appendHalves. It returns an error for a body that ends within a half, or a kind that there is not.
func parseHalves(b []byte) (all []watch.Half, err error) {
	last := int64(0)
	for len(b) > 0 {
		if len(b) < 13 {
			return nil, errHalves
		}
		h := watch.Half{Flow: binary.BigEndian.Uint64(b), End: binary.BigEndian.Uint32(b[8:]), Kind: watch.HalfKind(b[12] &^ (toServer | ofDatagram)), ToServer: b[12]&toServer != 0, UDP: b[12]&ofDatagram != 0}
		b = b[13:]
		if h.Kind > watch.HalfRead {
			return nil, errHalves
		}
		next := func() (n int64) {
			n, size := binary.Varint(b)
			if size <= 0 {
				err, size = errHalves, len(b)
			}
			b = b[size:]
			return n
		}
		h.Bytes, h.At[0] = uint32(next()), last+next()
		switch h.Kind {
		case watch.HalfSent:
			h.At[1] = h.At[0] + next()
			h.At[2] = h.At[1] + next()
			h.Served, h.Program, h.Why = next(), uint32(next()), uint32(next())
		case watch.HalfArrived:
			h.Waited = next()
		case watch.HalfRead:
			if since := next(); since >= 0 {
				h.Woken = h.At[0] - since
			}
			h.Waited, h.Why = next(), uint32(next())
			if h.UDP {
				h.At[1] = h.At[0] - next()
			}
		}
		if err != nil || h.Program >= mostPrograms {
			return nil, errHalves
		}
		last = h.At[0]
		all = append(all, h)
	}
	return all, nil
}
