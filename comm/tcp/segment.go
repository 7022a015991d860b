package tcp

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
)

// header is the header of a segment or of an acknowledgement.
type header struct {
	from, to uint16 // ports
	seq, ack uint64 // numbers of its first byte and of the next one that its sender expects
	window   uint32 // room for bytes from ack on
	probe    bool   // asks for an acknowledgement
}

// Operations of a frame.
const (
	opSegment uint8 = iota
	opProbe
)

const checksumWord = 3

// words returns the header's words with the checksum of the segment's data.
func (h *header) words(data []byte) (w [ni.FirstProbeWord]uint64) {
	w[0], w[1] = h.seq, h.ack
	w[2] = uint64(h.window) | uint64(h.from)<<32 | uint64(h.to)<<48
	w[checksumWord] = uint64(checksum(w[:checksumWord], data))
	return w
}

var errChecksum = errors.New("wrong checksum")

// decode returns the header of a frame with its data. It fails if the frame is
// damaged.
func decode(k *fabric.Header, data []byte) (h header, err error) {
	w := &k.Words
	h = header{
		from: uint16(w[2] >> 32), to: uint16(w[2] >> 48),
		seq: w[0], ack: w[1], window: uint32(w[2]), probe: k.Op == opProbe,
	}
	switch {
	case k.Op > opProbe:
		return h, fmt.Errorf("frame of type %d, want at most %d", k.Op, opProbe)
	case h.probe && len(data) > 0:
		return h, fmt.Errorf("probe with %d B of data", len(data))
	case w[checksumWord] != uint64(checksum(w[:checksumWord], data)):
		return h, errChecksum
	}
	return h, nil
}

// checksum returns the complement of the sum of words and data, in ones' complement of 16
// bits (RFC 1071).
func checksum(words []uint64, data []byte) uint16 {
	var sum uint64
	for _, w := range words {
		sum += w&0xffff + w>>16&0xffff + w>>32&0xffff + w>>48
	}
	for len(data) > 1 {
		sum += uint64(data[0])<<8 | uint64(data[1])
		data = data[2:]
	}
	if len(data) > 0 {
		sum += uint64(data[0]) << 8
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum)
}
