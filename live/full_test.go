package live

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/stamps"
)

// overflowing returns two ends of this host whose sockets have the least room that a kernel gives, and
// what they record.
func overflowing(t *testing.T) (ends [2]*End, records func() []Batch) {
	t.Helper()
	links, err := connectLoopback(stamps.UDP, newToken(), stamps.Options{Sending: true, Arriving: true, BufferKB: 1})
	require.NoError(t, err)
	var all []Batch
	take := func(b Batch) { all = append(all, b) }
	return [2]*End{newEnd(0, Default(), []*link{nil, links[0]}, take), newEnd(1, Default(), []*link{links[1], nil}, take)}, func() []Batch { return all }
}

// TestFullSocket: messages for which the receiver's socket has no room count by that name.
func TestFullSocket(t *testing.T) {
	const sent = 1000
	ends, _ := overflowing(t)
	for range sent { // nobody receives
		require.NoError(t, ends[0].links[1].send(header{purpose: oneWay, bytes: 64, counts: true}, stamps.Now()))
	}
	l := ends[1].links[0]
	got := 0
	for _, err := l.receive(); err == nil; _, err = l.receive() {
		got++
	}
	full, err := l.Full()
	require.NoError(t, err)
	require.EqualValues(t, sent, got+int(full))
	require.Positive(t, full)
	r := result{spec: Default(), counts: make([]Counts, 2), collector: collector(t, oneClock{})}
	for i := range ends {
		r.counts[i], err = ends[i].Stop()
		require.NoError(t, err)
	}
	require.Len(t, r.warnings(), 1)
	require.Contains(t, r.warnings()[0], "came to node 1 and found its socket full")
}

// TestFullErrorQueue: where the kernel has no room for stamps of sending, their messages are recorded
// without them, and those of other messages are in the right records.
func TestFullErrorQueue(t *testing.T) {
	const each, sent = 8, 100_000 // longer than stamps are waited for
	ends, records := overflowing(t)
	var at [sent]int64
	for i := range at {
		at[i] = stamps.Now()
		require.NoError(t, ends[0].links[1].send(header{purpose: oneWay, bytes: 64, recorded: i%each == 0}, at[i]))
		ends[0].handSent(ends[0].links[1], batchRecords)
	}
	for _, e := range ends {
		_, err := e.Stop()
		require.NoError(t, err)
	}
	recorded, stamped := 0, 0
	for _, b := range records() {
		for _, s := range b.Sent {
			require.Equal(t, at[s.Seq], s.Begun, "message %d", s.Seq)
			require.EqualValues(t, recorded*each, s.Seq)
			if recorded++; s.Hand != 0 {
				require.LessOrEqual(t, s.Begun, s.Sched)
				require.LessOrEqual(t, s.Sched, s.Hand)
				stamped++
			}
		}
	}
	require.Equal(t, sent/each, recorded)
	require.Positive(t, stamped)
	require.Less(t, stamped, recorded)
	t.Log(stamped, "of", recorded, "have stamps")
}

// TestLateReceiver: what has come when an end is stopped is taken, and the peer of a stream sees no failure.
func TestLateReceiver(t *testing.T) {
	const sent = 2000 // which the kernel's buffers hold
	for _, p := range stamps.Protocol("").All() {
		links, err := connectLoopback(p, newToken(), stamps.Options{BufferKB: bufferKB})
		require.NoError(t, err)
		none := func(Batch) {}
		ends := [2]*End{newEnd(0, Default(), []*link{nil, links[0]}, none), newEnd(1, Default(), []*link{links[1], nil}, none)}
		for range sent {
			require.NoError(t, links[0].send(header{purpose: oneWay, bytes: 640, counts: true}, 0))
		}
		ends[1].Receive()
		counts, err := ends[1].Stop()
		require.NoError(t, err)
		require.EqualValues(t, sent, counts.Received[0], p)
		_, err = links[0].receive()
		require.Contains(t, []error{io.EOF, stamps.ErrNothing}, err, p)
		_, err = ends[0].Stop()
		require.NoError(t, err)
	}
}
