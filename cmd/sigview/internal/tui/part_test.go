package tui

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/stretchr/testify/require"
)

// longPackets is how many packets a long run has.
const longPackets = 1_000_000

// longFolder is made once: it takes seconds.
var longFolder struct {
	sync.Once
	dir string
}

// longRun is a run in which a packet begins every µs, and whose trace is not read. The last
// packet but ten is a diff that is slow in Dest.
func longRun(t *testing.T) *data.Data {
	t.Helper()
	row := func(i int64) trace.PacketRow {
		at := func(us int64) trace.Opt[int64] { return trace.Some(1000 * (i + us)) }
		r := trace.PacketRow{
			Kind: trace.Data.String(), Sender: i % 2, Receiver: 1 - i%2, Number: i / 2, SizeBytes: 64,
			T1Ns: at(0), T2Ns: at(1), T3Ns: at(1), T4Ns: at(2), T5Ns: at(3), T6Ns: at(4),
		}
		if i == longPackets-10 {
			r.Kind, r.T6Ns = trace.Diff.String(), at(11)
		}
		return r
	}
	longFolder.Do(func() {
		run := busy(2)
		run.traced = false
		long := run.make(t)
		long.Manifest.SimulatedNs = longPackets * 1000
		long.Packets = func(yield func(trace.PacketRow) bool) {
			for i := range int64(longPackets) {
				if !yield(row(i)) {
					return
				}
			}
		}
		dir, err := os.MkdirTemp("", "sigview-views")
		require.NoError(t, err)
		longFolder.dir = dir
		store(t, filepath.Join(dir, "run"), long)
	})
	t.Chdir(longFolder.dir)
	run, err := rundir.ReadSummary("run")
	require.NoError(t, err)
	return data.NewData("run", run, nil)
}

// TestLongTraceIsReadWhereItIsShown: a long trace opens without its packets. A picture of a part
// reads the packets of that part, and is as fine as if all had been read.
func TestLongTraceIsReadWhereItIsShown(t *testing.T) {
	d, err := longRun(t).WithTrace()
	require.NoError(t, err)
	require.Empty(t, d.Packets.List, "nothing is read yet")

	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.Add(d)
	s.show(6)
	require.Contains(t, Draw(s, 80, 24).String(), "most 1.00 in 244.1 µs")
	require.Contains(t, Draw(s, 80, 24).String(), "they are being read")
	settle := func() {
		for d, want, ok := s.Unread(); ok; d, want, ok = s.Unread() {
			got, err := d.WithPart(want)
			require.NoError(t, err)
			s.Refine(d, got)
		}
	}
	settle()
	require.Len(t, s.Runs[0].Packets.List, data.KeptPackets, "the packets from the cursor on")
	require.Equal(t, int64(1000*(data.KeptPackets-1)), s.Runs[0].Packets.Listed.To)
	require.Contains(t, Draw(s, 80, 24).String(), "0.00  0>1")

	require.NoError(t, s.selectBy("from=500000000 to=500100000 at=500050000"))
	settle()
	list := s.Runs[0].Packets.List
	require.Greater(t, list[0].Begin(), int64(499_900_000))
	require.Less(t, list[len(list)-1].Begin(), int64(500_200_000))
	text := Draw(s, 80, 24).String()
	require.Contains(t, text, "in 28 ns", "32 windows a column or more")
	require.Contains(t, text, " 500.05000  0>1")
}
