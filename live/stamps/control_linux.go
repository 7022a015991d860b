package stamps

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Control messages of the kernel: a header (length, level, type), then data, all in units of a word.
const (
	controlHeader = unix.SizeofCmsghdr
	controlWord   = unix.SizeofPtr
)

// stamp is what the control messages of one message say.
type stamp struct {
	system, card int64  // ns; 0: none
	sent         bool   // it is of a message that was sent
	kind         uint32 // SCM_TSTAMP_SND or SCM_TSTAMP_SCHED
	id           uint32
}

// parse reads control messages. What it does not know, or what is cut short, it skips.
func parse(b []byte) (s stamp) {
	for len(b) >= controlHeader {
		n := int(word(b))
		if n < controlHeader || n > len(b) {
			return s
		}
		level, kind := binary.NativeEndian.Uint32(b[controlWord:]), binary.NativeEndian.Uint32(b[controlWord+4:])
		data := b[controlHeader:n]
		switch {
		case level == unix.SOL_SOCKET && kind == unix.SO_TIMESTAMPING_NEW && len(data) >= 48:
			s.system, s.card = timespec(data), timespec(data[32:])
		case (level == unix.SOL_IP && kind == unix.IP_RECVERR || level == unix.SOL_IPV6 && kind == unix.IPV6_RECVERR) && len(data) >= 16:
			s.sent = data[4] == unix.SO_EE_ORIGIN_TIMESTAMPING
			s.kind, s.id = binary.NativeEndian.Uint32(data[8:]), binary.NativeEndian.Uint32(data[12:])
		}
		b = b[min(len(b), (n+controlWord-1)/controlWord*controlWord):]
	}
	return s
}

// word reads a length.
func word(b []byte) uint64 {
	if controlWord == 8 {
		return binary.NativeEndian.Uint64(b)
	}
	return uint64(binary.NativeEndian.Uint32(b))
}

// timespec reads seconds and nanoseconds, of 64 bits each.
func timespec(b []byte) int64 {
	return int64(binary.NativeEndian.Uint64(b))*1e9 + int64(binary.NativeEndian.Uint64(b[8:]))
}
