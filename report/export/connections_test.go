package export

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

// connected is what a connection matrix says, read by its grammar alone.
func connected(t require.TestingT, text string) (flows [][4]int64) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for len(lines) > 0 && strings.HasPrefix(lines[0], "# ") {
		lines = lines[1:]
	}
	require.GreaterOrEqual(t, len(lines), 2)
	require.Equal(t, "Nodes 4", lines[0])
	require.Equal(t, "Connections "+strconv.Itoa(len(lines)-2), lines[1])
	for i, line := range lines[2:] {
		m := regexp.MustCompile(`^(\d+)->(\d+) id (\d+) start (\d+) size (\d+)$`).FindStringSubmatch(line)
		require.NotNil(t, m, line)
		require.Equal(t, strconv.Itoa(i+1), m[3])
		var flow [4]int64
		for k, at := range []int{1, 2, 4, 5} {
			v, err := strconv.ParseInt(m[at], 10, 64)
			require.NoError(t, err)
			flow[k] = v
		}
		flows = append(flows, flow)
	}
	return flows
}

// sent is a packet that is requested, injected and has left at these times.
func sent(from, to, bytes, t1, t3, t4 int64, first bool) trace.PacketRow {
	return trace.PacketRow{Sender: from, Receiver: to, SizeBytes: bytes, First: first, T1Ns: trace.Some(t1), T3Ns: trace.Some(t3), T4Ns: trace.Some(t4)}
}

func matrix(t require.TestingT, rows []trace.PacketRow) [][4]int64 {
	f := flows{open: map[[2]int64]*flow{}}
	for i := range rows {
		f.add(&rows[i])
	}
	var b bytes.Buffer
	require.NoError(t, f.write(&b, synth.Manifest(4)))
	return connected(t, b.String())
}

// TestConnections: messages that are requested before the one before them has left are one flow; times count from the first.
func TestConnections(t *testing.T) {
	require.Equal(t, [][4]int64{{0, 1, 0, 2500}, {2, 1, 7000, 64}, {0, 1, 401_000, 10}}, matrix(t, []trace.PacketRow{
		sent(0, 1, 1000, 100, 110, 200, true),
		sent(0, 1, 1000, 100, 200, 290, false),
		sent(2, 1, 64, 107, 220, 230, true),
		sent(0, 1, 500, 290, 300, 500, true), // requested when the one before ends
		sent(0, 1, 10, 501, 510, 520, true),
	}))
	require.Equal(t, [][4]int64{{3, 0, 0, 1<<31 - 1}, {3, 0, 0, 1<<31 - 1}, {3, 0, 0, 2}}, matrix(t, []trace.PacketRow{
		sent(3, 0, 1<<32-1, 5, 6, 7, true), sent(3, 0, 1, 5, 7, 8, false),
	}), "csg-htsim reads sizes of 31 bits")
	require.Empty(t, matrix(t, nil))
}

// TestConnectionsHaveAllBytes: whatever the times, every byte of each pair is in its flows, which are in the order of their beginning.
func TestConnectionsHaveAllBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []trace.PacketRow
		want, got, at := map[[2]int64]int64{}, map[[2]int64]int64{}, int64(0)
		for range rapid.IntRange(0, 40).Draw(t, "packets") {
			from, to, n := rapid.Int64Range(0, 1).Draw(t, "from"), rapid.Int64Range(2, 3).Draw(t, "to"), rapid.Int64Range(0, 3000).Draw(t, "bytes")
			at += rapid.Int64Range(0, 100).Draw(t, "later")
			rows = append(rows, sent(from, to, n, at-rapid.Int64Range(0, 50).Draw(t, "requested"), at, at+40, rapid.Bool().Draw(t, "first")))
			if n > 0 {
				want[[2]int64{from, to}] += n
			}
		}
		before := int64(0)
		for _, f := range matrix(t, rows) {
			require.GreaterOrEqual(t, f[2], before)
			require.Positive(t, f[3])
			got[[2]int64{f[0], f[1]}] += f[3]
			before = f[2]
		}
		require.Equal(t, want, got)
	})
}
