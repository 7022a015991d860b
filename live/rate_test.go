package live

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live/stamps"
)

// TestManyMessages: of 10⁵ messages a second each one is received or counted by name, each one that is
// stamped has a row or is counted, and what is kept in memory does not grow with their number. It needs
// two processors that nobody else uses, or the sender is late; what it asserts holds on a busy machine
// too.
func TestManyMessages(t *testing.T) {
	testlong.Only(t, "two minutes of messages")
	for _, c := range floods {
		t.Run(c.String(), func(t *testing.T) {
			spec := c.spec()
			links, err := connectLoopback(spec.Protocol, newToken(), spec.options())
			require.NoError(t, err)
			sendMany(t, spec, links)
		})
	}
}

// flood is how 10⁵ messages a second are sent.
type flood struct {
	protocol stamps.Protocol
	every    int
	wait     Wait
}

var floods = []flood{{stamps.UDP, 64, waitBlock}, {stamps.UDP, 64, waitSpin}, {stamps.TCP, 64, waitBlock}, {stamps.UDP, 1, waitBlock}}

func (m flood) String() string { return fmt.Sprintf("%s, %s, 1 in %d", m.protocol, m.wait, m.every) }

func (m flood) spec() Spec {
	spec := Default()
	spec.Pattern, spec.Sizes, spec.Rate, spec.Count, spec.Warm = Stream, []int64{64}, 1e5, 3_000_000, 0
	spec.Protocol, spec.Every, spec.Wait, spec.CPUs = m.protocol, m.every, m.wait, []int{0, 1}
	return spec
}

// sendMany sends them over links, and says what became of them.
func sendMany(t *testing.T, spec Spec, links [2]*link) {
	t.Helper()
	require.NoError(t, spec.Validate())
	var heaps []uint64 // of the second half
	run, err := onThisHost(t.Context(), spec, links, func(p Progress) {
		if p.Done < p.Total/2 {
			return
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		heaps = append(heaps, m.HeapAlloc)
	})
	require.NoError(t, err)
	m := run.Manifest
	require.EqualValues(t, spec.Count, m.Packets)
	named := fmt.Sprintf("%d messages, those before the measurement included, came to node 1 and found its socket full", m.Lost.Dropped)
	if m.Lost.Dropped > 0 {
		require.Contains(t, fmt.Sprint(m.Warnings), named)
	} else {
		require.NotContains(t, fmt.Sprint(m.Warnings), "found its socket full")
	}
	rows, first, last := int64(0), int64(0), int64(0)
	for p := range run.Packets {
		if rows++; first == 0 {
			first = p.T3Ns.Value
		}
		last = p.T3Ns.Value
	}
	require.EqualValues(t, (spec.Count+spec.Every-1)/spec.Every, rows+m.Lost.NotRecorded)
	n := len(heaps)
	grown := float64(heaps[n-1]) - float64(heaps[0])
	t.Logf("%.0f a second, %d lost, %d without stamps; %d times memory of %.1f MB, grown by %.2f",
		float64(spec.Count)/float64(last-first)*1e9, m.Lost.Dropped, m.Lost.NotRecorded, n, float64(heaps[n-1])/1e6, grown/1e6)
	if spec.Every == 1 { // 1.5 million rows more, of 100 bytes or more; otherwise buffers of 16 MB are not full yet
		require.Less(t, grown, 16e6)
	}
}
