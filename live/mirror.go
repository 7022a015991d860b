package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/live/stamps"
)

// react answers a message that wants an answer. It returns the error of a socket that has failed.
func (e *End) react(l *link, h header) error {
	switch {
	case h.purpose == ping:
		h.purpose = pong
		if err := l.send(h, stamps.Now()); err != nil {
			return err
		}
		if err := l.drain(); err != nil {
			return err
		}
		e.handSent(l, batchRecords)
	case !e.mirror: // nothing else makes a node send
	// The last one of a train.
	case h.purpose == train && h.seq == 0:
		return l.send(header{purpose: pong, bytes: headerBytes}, 0)
	case h.purpose == call && h.seq >= headerBytes && h.seq <= Most:
		return l.send(header{purpose: pong, bytes: uint16(h.seq)}, 0)
	case h.purpose == burst:
		// What a message makes an end send is bounded, whatever it asks for.
		n := min(h.seq, mostBurst)
		e.bursts.wait(float64(n), &e.stop)
		for ; n > 0 && !e.stop.Load(); n-- {
			if err := l.send(header{purpose: oneWay, bytes: h.bytes}, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// mirrored takes the samples of LogP parameters over a link, whose other end reacts. Times are in µs.
// It implements logp.Mirror, and logp.Pair for messages of one size.
type mirrored struct {
	ctx   context.Context
	l     *link
	bytes int
}

// expect waits for a message for a purpose.
func (m *mirrored) expect(want purpose) error {
	return m.l.await(m.ctx, func(h header) bool { return h.purpose == want })
}

// since returns the time since an instant in µs.
func since(t time.Time) float64 { return float64(time.Since(t)) / 1e3 }

// spin keeps the processor for some time.
func spin(us float64) {
	for begun := time.Now(); since(begun) < us; {
	}
}

// sizeOf returns the nearest length that a message can have, in bytes.
func sizeOf(bytes int) uint16 { return uint16(min(max(bytes, headerBytes), Most)) }

// again takes a sample once more of which a message was lost: the receiver had no room, or the network
// has dropped it.
func again(what string, sample func() error) (err error) {
	for range mostTries {
		if err = sample(); !errors.Is(err, errLost) {
			return err
		}
	}
	return fmt.Errorf("%s, tried %d times: %w", what, mostTries, err)
}

// mostTries is how often a sample is tried before the measurement fails.
const mostTries = 4

// Train implements logp.Mirror.
func (m *mirrored) Train(bytes, n int) (sends, roundTrip float64, err error) {
	err = again(fmt.Sprintf("a train of %d messages", n), func() error {
		begun := time.Now()
		// Number 0 comes last and asks for the answer.
		for i := n - 1; i >= 0; i-- {
			if err := m.l.send(header{purpose: train, seq: uint32(i), bytes: sizeOf(bytes)}, 0); err != nil {
				return err
			}
		}
		sends = since(begun)
		// The sender is free again; the answer is still on its way.
		err := m.expect(pong)
		roundTrip = since(begun)
		return err
	})
	return sends, roundTrip, err
}

// There implements logp.Mirror.
func (m *mirrored) There(bytes int) (send, roundTrip float64, err error) { return m.Train(bytes, 1) }

// Ready implements logp.Mirror. The other end always is.
func (m *mirrored) Ready(int) error { return m.ctx.Err() }

// Back implements logp.Mirror.
func (m *mirrored) Back(bytes int, wait float64) (receive float64, err error) {
	err = again(fmt.Sprintf("a call for a message of %d B", bytes), func() error {
		if err := m.l.send(header{purpose: call, seq: uint32(sizeOf(bytes)), bytes: headerBytes}, 0); err != nil {
			return err
		}
		// The answer arrives meanwhile, so that expect measures what receiving costs the processor.
		spin(wait)
		begun := time.Now()
		err := m.expect(pong)
		receive = since(begun)
		return err
	})
	return receive, err
}

// HalfRTT implements logp.Pair.
func (m *mirrored) HalfRTT(rounds int) (half float64, err error) {
	err = again(fmt.Sprintf("%d round trips", rounds), func() error {
		begun := time.Now()
		for range rounds {
			if err := m.l.send(header{purpose: ping, bytes: sizeOf(m.bytes)}, 0); err != nil {
				return err
			}
			if err := m.expect(pong); err != nil {
				return err
			}
		}
		// Each round trip has two messages.
		half = since(begun) / float64(2*rounds)
		return nil
	})
	return half, err
}

// SendGap implements logp.Pair. Before it returns, all messages have come.
func (m *mirrored) SendGap(l logp.Loop) (float64, error) {
	var begun time.Time
	// Warm-up comes first and is not timed.
	for i := range l.Warm + l.Messages {
		if i == l.Warm {
			begun = time.Now()
		}
		if err := m.l.send(header{purpose: oneWay, bytes: sizeOf(m.bytes)}, 0); err != nil {
			return 0, err
		}
		if l.SpinUs > 0 {
			spin(l.SpinUs)
		}
	}
	gap := since(begun) / float64(l.Messages)
	// An empty message at the end is answered after all others.
	// The gap ends with the last send: what follows only waits.
	_, _, err := m.There(0)
	return gap, err
}

// ReceiveGap implements logp.Pair.
func (m *mirrored) ReceiveGap(l logp.Loop) (gap float64, err error) {
	all := l.Warm + l.Messages
	err = again(fmt.Sprintf("%d messages to a slow receiver", all), func() error {
		if err := m.l.send(header{purpose: burst, seq: uint32(all), bytes: sizeOf(m.bytes)}, 0); err != nil {
			return err
		}
		// All messages are asked for at once; the other end sends them at its own rate.
		var begun time.Time
		for i := range all {
			if i == l.Warm {
				begun = time.Now()
			}
			if err := m.expect(oneWay); err != nil {
				return err
			}
			if l.SpinUs > 0 {
				spin(l.SpinUs)
			}
		}
		gap = since(begun) / float64(l.Messages)
		return nil
	})
	return gap, err
}
