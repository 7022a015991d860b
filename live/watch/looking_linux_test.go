package watch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestDatagramsAreLookedAt: when the first datagrams are sent late, those before the watch looks at calls are counted with
// that reason, and all others are followed.
func TestDatagramsAreLookedAt(t *testing.T) {
	able(t)
	from, to := datagrams(t)
	spec := Default()
	spec.Ports, spec.Budget = []int{udpPort(to)}, 0
	const messages = 100
	send := func(pause time.Duration) error {
		message := make([]byte, 100)
		for range messages {
			if _, err := from.Write(message); err != nil {
				return err
			}
			if _, err := to.Read(message); err != nil {
				return err
			}
			time.Sleep(pause)
		}
		return nil
	}
	run := watched(t, spec, func() error {
		time.Sleep(looksFirst + 5*between)
		if err := send(5 * time.Millisecond); err != nil {
			return err
		}
		time.Sleep(5 * between)
		return send(0)
	})
	m := run.Manifest
	t.Logf("%q", m.Warnings)
	require.EqualValues(t, 2*messages, m.Packets)
	require.NotZero(t, m.Lost.NotRecorded)
	require.LessOrEqual(t, m.Lost.NotRecorded, int64(messages))
	require.Contains(t, m.Warnings, counted("%d datagrams were not followed: they were the first ones in a minute, when system calls were not looked at", uint64(m.Lost.NotRecorded)))
	require.EqualValues(t, 2*messages-m.Lost.NotRecorded, count(run, trace.Dest))
}

// TestNoCallsAreLookedAt: calls are looked at for a while, and again as soon as datagrams are sent.
func TestNoCallsAreLookedAt(t *testing.T) {
	able(t)
	from, to := datagrams(t)
	spec := Default()
	spec.Ports = []int{udpPort(to)}
	k, err := load(spec)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.Close()) })
	require.NoError(t, k.attach())
	looks := func(now time.Time) bool {
		require.NoError(t, k.look(now))
		return k.links[looking] != nil
	}
	start := time.Now()
	require.True(t, looks(start))
	require.False(t, looks(start.Add(2*looksFirst)))
	_, err = from.Write(make([]byte, 10))
	require.NoError(t, err)
	require.True(t, looks(start))
	require.True(t, looks(start.Add(looksOn/2)))
	require.NoError(t, k.detach())
	require.NoError(t, k.attach())
	require.True(t, looks(start.Add(looksOn/2)))
	require.False(t, looks(start.Add(2*looksOn)))
	c, err := k.counts()
	require.NoError(t, err)
	require.EqualValues(t, []uint64{1, 1, 0}, []uint64{c.of[started], c.of[unlooked], c.of[unstarted]})
}
