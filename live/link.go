package live

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sigview/sigview/live/stamps"
)

// link is one direction of messages to a peer and one from it, over a socket. One thread sends, and
// one receives, which may be the same.
type link struct {
	*stamps.Socket
	peer   int    // the other node
	token  uint64 // of the run; messages with another one are foreign
	tcp    bool
	out    []byte // the message that is sent
	in     []byte // the message that is received, of which filled bytes are valid
	filled int    // TCP: bytes of the next message that have been read

	// seq is the number of the next message that asks for nothing.
	seq      uint32
	begun    ring   // of messages that wait for stamps
	asked    uint32 // messages sent for which stamps were asked; noted <= asked
	noted    uint32 // messages of these, from the first on, whose stamps have been noted
	unsaid   int    // messages sent since the stamps were last drained
	sending  []Sending
	receipts []Receipt
	quiet    bool  // the next message has no record: its stamp is not taken
	arrived  int64 // TCP: stamp of the message before, if it is the last of receipts
	sent     uint64
	received uint64
	foreign  uint64
}

// ring holds what Sent does not: when a message was to be sent, and its size. It has room for more
// messages than a socket lets wait.
type ring [1 << 13]struct {
	begun int64
	bytes int
}

// newLink returns a link to a peer over a connected socket. Its buffers hold the longest message.
func newLink(s *stamps.Socket, peer int, token uint64, p stamps.Protocol) *link {
	return &link{Socket: s, peer: peer, token: token, tcp: p == stamps.TCP, out: make([]byte, Most), in: make([]byte, Most)}
}

// drainEvery is the number of messages after which stamps are drained at the latest.
const drainEvery = 32

// send sends a message that began, or was to begin, at a time in ns.
func (l *link) send(h header, begun int64) error {
	h.token = l.token
	// What a message asks for stands in place of its number.
	if !h.purpose.asks() {
		h.seq = l.seq
		l.seq++
	}
	if h.counts {
		l.sent++
	}
	h.put(l.out)
	if h.recorded {
		// The stamps come later, when the time and the size are no longer at hand.
		at := &l.begun[l.asked%uint32(len(l.begun))]
		at.begun, at.bytes = begun, int(h.bytes)
		l.asked++
	}
	if err := l.Send(l.out[:h.bytes], h.seq, h.recorded); err != nil {
		return fmt.Errorf("to node %d: %w", l.peer, err)
	}
	if l.unsaid++; l.unsaid >= drainEvery {
		return l.drain()
	}
	return nil
}

// drain notes the stamps that the kernel has made so far. It returns the error of a socket that has failed.
func (l *link) drain() error {
	l.unsaid = 0
	return l.Drain(l.note)
}

// note records the stamps of the next message that asked for them. Stamps come in the order of sending.
func (l *link) note(s stamps.Sent) {
	at := l.begun[l.noted%uint32(len(l.begun))]
	l.noted++
	l.sending = append(l.sending, Sending{To: l.peer, Bytes: at.bytes, Begun: at.begun, Sent: s})
}

// receive waits for a message and records it. It returns stamps.ErrNothing if none has come for a
// while, io.EOF if the peer has closed a stream, and errForeign for a message that is none of the run.
func (l *link) receive() (header, error) {
	var a stamps.Arrival
	var err error
	if l.tcp {
		a, err = l.next()
	} else {
		a, err = l.Receive(l.in, !l.quiet)
		l.filled = a.Bytes
	}
	if err != nil {
		return header{}, err
	}
	h, err := parse(l.in[:l.filled], l.token)
	got := l.filled
	l.filled = 0
	// After a message that is none of the run nothing is known of the next one.
	l.quiet = err == nil && h.quiet
	// A datagram says its own length; one that was cut off has another.
	if err != nil || int(h.bytes) != got {
		l.foreign++
		return h, errForeign
	}
	if h.counts {
		l.received++
	}
	l.merged(a.Kernel)
	if h.recorded {
		l.receipts = append(l.receipts, Receipt{From: l.peer, Bytes: got, Seq: h.seq, Kernel: a.Kernel, Card: a.Card, User: a.User})
		l.arrived = a.Kernel
	}
	return h, nil
}

// merged drops the stamp of the message before if the kernel gave the present one the same: it has merged
// the two, because the receiver of the stream is late, and the stamp is that of the later one.
func (l *link) merged(kernel int64) {
	if l.tcp && l.arrived != 0 && l.arrived == kernel && len(l.receipts) > 0 {
		l.receipts[len(l.receipts)-1].Kernel, l.receipts[len(l.receipts)-1].Card = 0, 0
	}
	l.arrived = 0
}

// next reads the next message of a stream: its header, then what is left of it.
func (l *link) next() (a stamps.Arrival, err error) {
	// First the header, which tells how much more belongs to the message.
	for want := headerBytes; ; {
		if l.filled < want {
			a, err = l.Receive(l.in[l.filled:want], !l.quiet)
			if l.filled += a.Bytes; err != nil {
				return a, err
			} else if l.filled < want {
				// The peer has closed the stream within a message.
				return a, io.EOF
			}
		}
		h, err := parse(l.in[:l.filled], l.token)
		if err != nil || l.filled >= int(h.bytes) {
			return a, err // a stream with something else in it cannot be read on
		}
		want = int(h.bytes)
	}
}

// mostSilent is how often a wait may find nothing before its message counts as lost.
const mostSilent = 10 // half a second

// await waits for a message that is wanted, and drops others. It returns errLost if none comes in half a
// second, and the error of ctx if that ends.
func (l *link) await(ctx context.Context, wanted func(header) bool) error {
	for silent := 0; silent < mostSilent; {
		h, err := l.receive()
		switch {
		case errors.Is(err, stamps.ErrNothing):
			if silent++; ctx.Err() != nil {
				return ctx.Err()
			}
		// Anybody may send a datagram to a port; in a stream it is an error.
		case errors.Is(err, errForeign) && !l.tcp:
		case err != nil:
			return err
		case wanted(h):
			return nil
		}
	}
	return errLost
}

// errLost is the error of await for a message that does not come.
var errLost = errors.New("live: no answer came: the message or its answer was lost")

// errForeign is the error of receive for a message without the token of the run, or with a wrong length.
var errForeign = errors.New("live: a message that is none of the run")
