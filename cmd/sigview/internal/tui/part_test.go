package tui

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// longTrace hands over a trace of which a packet begins every µs, with its windows, and notes
// which packets are read.
func longTrace(d *Data, n int64) (*TraceReader, *[2]int64) {
	row := func(i int64) trace.PacketRow {
		at := func(us int64) trace.Opt[int64] { return trace.Some(1000 * (i + us)) }
		return trace.PacketRow{
			Kind: trace.Data.String(), Sender: i % 2, Receiver: 1 - i%2, Number: i / 2, SizeBytes: 64,
			T1Ns: at(0), T2Ns: at(1), T3Ns: at(1), T4Ns: at(2), T5Ns: at(3), T6Ns: at(4),
		}
	}
	const batch = 1 << 16
	windows := trace.NewWindows(d.nodes, 0, d.Run.Manifest.SimulatedNs)
	var index []trace.BatchRow
	for i := range n {
		r := row(i)
		windows.Add(&r)
		if i%batch == 0 {
			index = append(index, trace.BatchRow{Rows: min(batch, n-i), FromNs: 1000 * i, ToNs: 1000 * (min(i+batch, n) + 4)})
		}
	}
	rows := windows.Done().Rows()
	read := &[2]int64{math.MaxInt64, 0} // the first and the last
	return &TraceReader{
		Spans:   func(string, func([]trace.SpanRow) error) error { return nil },
		Steps:   func(string, func([]trace.StepRow) error) error { return nil },
		Index:   func(string) ([]trace.BatchRow, error) { return index, nil },
		Windows: func(string) ([]trace.WindowRow, error) { return rows, nil },
		Section: func(_ string, in rundir.Section, take func([]trace.PacketRow) error) error {
			for from := max(in.FromNs/1000-4, 0); from < n && 1000*from <= in.ToNs; from += batch {
				var piece []trace.PacketRow
				for i := from; i < min(from+batch, n) && 1000*i <= in.ToNs; i++ {
					piece = append(piece, row(i))
				}
				read[0], read[1] = min(read[0], from), max(read[1], from+int64(len(piece)))
				if err := take(piece); err != nil {
					return err
				}
			}
			return nil
		},
	}, read
}

// longRun is a run with so many packets, one a microsecond, whose trace is not read.
func longRun(t *testing.T, n int64) *Data {
	t.Helper()
	run := busy(2)
	run.traced = false
	d := sample(t, "run", run)
	d.Run.Manifest.SimulatedNs, d.Run.Manifest.Files = n*1000, []trace.File{{Name: "packets.arrow", Rows: &n}}
	return d
}

// TestLongTraceIsReadWhereItIsShown: a long trace opens without its packets. A picture of a part
// reads the packets of that part, and is as fine as if all had been read.
func TestLongTraceIsReadWhereItIsShown(t *testing.T) {
	const n = 1_000_000
	d := longRun(t, n)
	reader, read := longTrace(d, n)
	d, err := d.withTrace(reader)
	require.NoError(t, err)
	require.Zero(t, read[1], "nothing is read yet")

	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.add(d)
	s.show(6)
	require.Contains(t, Draw(s, 80, 24).String(), "most 1.00 in 244.1 µs")
	require.Contains(t, Draw(s, 80, 24).String(), "they are being read")
	settle := func() {
		for d, want, ok := s.unread(); ok; d, want, ok = s.unread() {
			got, err := d.withPart(reader, want)
			require.NoError(t, err)
			s.refine(d, got)
		}
	}
	settle()
	require.Less(t, read[1], int64(keptPackets+1<<16), "the packets from the cursor on")
	require.Contains(t, Draw(s, 80, 24).String(), "0.00  0>1")

	*read = [2]int64{math.MaxInt64, 0}
	require.NoError(t, s.selectBy("from=500000000 to=500100000 at=500050000"))
	settle()
	require.Greater(t, read[0], int64(499_900))
	require.Less(t, read[1], int64(500_200))
	text := Draw(s, 80, 24).String()
	require.Contains(t, text, "in 28 ns", "32 windows a column or more")
	require.Contains(t, text, " 500.05000  0>1")
}
