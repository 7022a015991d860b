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
	peer  int
	token uint64
	tcp   bool
	out   []byte
	in    []byte
	have  int // TCP: bytes of the next message that have come

	seq     uint32
	begun   ring   // of messages that wait for stamps
	asked   uint32 // messages that have asked for stamps
	noted   uint32 // messages of these, from the first on, that do not wait any more
	unsaid  int    // messages since the stamps were last drained
	sending []Sending
	coming  []Coming
	quiet   bool  // the next message has no record: its stamp is not taken
	arrived int64 // TCP: stamp of the message before, if it is the last of coming
	sent    uint64
	came    uint64
	foreign uint64
}

// ring holds what Sent does not: when a message was to be sent, and its size. It has room for more
// messages than a socket lets wait.
type ring [1 << 13]struct {
	begun int64
	bytes int
}

func newLink(s *stamps.Socket, peer int, token uint64, p stamps.Protocol) *link {
	return &link{Socket: s, peer: peer, token: token, tcp: p == stamps.TCP, out: make([]byte, Most), in: make([]byte, Most)}
}

// drainEvery is after how many messages stamps are drained at the latest.
const drainEvery = 32

// send sends a message, which began, or was to begin, at a time.
func (l *link) send(h header, begun int64) error {
	h.token = l.token
	if !h.purpose.asks() {
		h.seq = l.seq
		l.seq++
	}
	if h.counts {
		l.sent++
	}
	h.put(l.out)
	if h.recorded {
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

// drain takes stamps that have come.
func (l *link) drain() error {
	l.unsaid = 0
	return l.Drain(l.note)
}

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
		l.have = a.Bytes
	}
	if err != nil {
		return header{}, err
	}
	h, err := parse(l.in[:l.have], l.token)
	got := l.have
	l.have = 0
	l.quiet = err == nil && h.quiet
	if err != nil || int(h.bytes) != got {
		l.foreign++
		return h, errForeign
	}
	if h.counts {
		l.came++
	}
	l.merged(a.Kernel)
	if h.recorded {
		l.coming = append(l.coming, Coming{From: l.peer, Bytes: got, Seq: h.seq, Kernel: a.Kernel, Card: a.Card, User: a.User})
		l.arrived = a.Kernel
	}
	return h, nil
}

// merged takes its stamp from the message before, if the kernel has merged the two, which happens when a
// receiver of a stream is late: the stamp is that of the last one.
func (l *link) merged(kernel int64) {
	if l.tcp && l.arrived != 0 && l.arrived == kernel && len(l.coming) > 0 {
		l.coming[len(l.coming)-1].Kernel, l.coming[len(l.coming)-1].Card = 0, 0
	}
	l.arrived = 0
}

// next reads the next message of a stream: its header, then what is left of it.
func (l *link) next() (a stamps.Arrival, err error) {
	for want := headerBytes; ; {
		if l.have < want {
			a, err = l.Receive(l.in[l.have:want], !l.quiet)
			if l.have += a.Bytes; err != nil {
				return a, err
			} else if l.have < want {
				return a, io.EOF
			}
		}
		h, err := parse(l.in[:l.have], l.token)
		if err != nil || l.have >= int(h.bytes) {
			return a, err // a stream with something else in it cannot be read on
		}
		want = int(h.bytes)
	}
}

// mostSilent is how often a wait may find nothing before its message counts as lost.
const mostSilent = 10 // half a second

// await waits for a message that is wanted, and drops others. It returns errLost if none comes for long.
func (l *link) await(ctx context.Context, wanted func(header) bool) error {
	for silent := 0; silent < mostSilent; {
		h, err := l.receive()
		switch {
		case errors.Is(err, stamps.ErrNothing):
			if silent++; ctx.Err() != nil {
				return ctx.Err()
			}
		case errors.Is(err, errForeign) && !l.tcp:
		case err != nil:
			return err
		case wanted(h):
			return nil
		}
	}
	return errLost
}

var errLost = errors.New("live: no answer came: the message or its answer was lost")

var errForeign = errors.New("live: a message that is none of the run")
