package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/stamps"
)

// TestMergedMessages: of messages that the kernel of a late receiver has merged, the last one has a
// stamp of arrival. The others lack it, also across batches: theirs would be later than they came.
func TestMergedMessages(t *testing.T) {
	const messages = 3 * batchRecords / 2
	spec := Default()
	spec.Protocol = stamps.TCP
	links, err := connectLoopback(stamps.TCP, newToken(), spec.options())
	require.NoError(t, err)
	var received []Receipt
	e := newEnd(1, spec, []*link{links[1], nil}, func(b Batch) { received = append(received, b.Received...) })
	for range messages {
		require.NoError(t, links[0].send(header{purpose: oneWay, bytes: 64, counts: true, recorded: true}, stamps.Now()))
	}
	for range messages {
		_, err := links[1].receive()
		require.NoError(t, err)
		e.handReceived(links[1], batchRecords)
	}
	e.handReceived(links[1], 1)
	require.Len(t, received, messages)
	stamped := map[int64]bool{}
	for i, c := range received {
		require.EqualValues(t, i, c.Seq)
		if c.Kernel != 0 {
			require.False(t, stamped[c.Kernel], "message %d has the stamp of another one", i)
			stamped[c.Kernel] = true
		}
	}
	require.NotEmpty(t, stamped)
	require.Less(t, len(stamped), messages, "nothing was merged: this shows nothing")
	require.NotZero(t, received[messages-1].Kernel)
	for _, l := range links {
		require.NoError(t, l.Close())
	}
}
