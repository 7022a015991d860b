package tui

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/rundir"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// long is a state with a trace of a million packets, of which the last but ten is a diff that
// is slow in Dest.
func long(t *testing.T) (*Model, *Data) {
	t.Helper()
	const n = 1_000_000
	run := busy(2)
	run.traced = false
	d := sample(t, "run", run)
	rows := int64(n)
	d.Run.Manifest.SimulatedNs, d.Run.Manifest.Files = n*1000, []trace.File{{Name: "packets.arrow", Rows: &rows}}
	reader, _ := longTrace(d, n)
	section := reader.Section
	reader.Section = func(dir string, in rundir.Section, take func([]trace.PacketRow) error) error {
		return section(dir, in, func(rows []trace.PacketRow) error {
			for i := range rows {
				if r := &rows[i]; r.T1Ns.Value == 1000*(n-10) {
					r.Kind, r.T6Ns.Value = trace.Diff.String(), r.T6Ns.Value+7000
				}
			}
			return take(rows)
		})
	}
	d, err := d.withTrace(reader)
	require.NoError(t, err)
	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.add(d)
	m := NewModel(t.Context(), Lab{Trace: reader}, s, nil)
	m.width, m.height = 100, 30
	return m, d
}

// TestSlowestOfTheWholeTrace: n goes to the slowest packet, far beyond those that are kept, and
// enter tells its instants; N says that there is none before it.
func TestSlowestOfTheWholeTrace(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	require.NoError(t, r.state.selectBy("stage=dest"))
	r.keys("n")
	require.Equal(t, "timeline", kinds[r.state.View].name)
	require.Contains(t, r.text(), "Number 1 of the slowest in Dest: 8.000 µs")
	require.Contains(t, r.text(), "0.99999000  0>1     64B diff")
	r.keys("enter")
	require.Contains(t, r.text(), "Packet 499995 from node 0 to 1: diff, 64 B")
	require.Regexp(t, `T5 +0.999993000 s received`, r.text())
	r.keys("N")
	require.Contains(t, r.text(), "This is the slowest packet.")
	r.keys("n")
	require.Contains(t, r.text(), "Number 2 of the slowest in Dest: 1.000 µs")
	r.keys("esc")
	require.Contains(t, r.text(), "the bars span")
}

// TestSlowestAreThoseOfASort: the ranking is the head of all packets, sorted.
func TestSlowestAreThoseOfASort(t *testing.T) {
	run := busy(3)
	d := sample(t, "run", run)
	for _, of := range []sliceKey{{trace.Group{Kind: trace.AllKinds}, everyone, everyone}, {trace.Group{Kind: trace.Data.String()}, 1, everyone}} {
		for stage := range trace.NumStages {
			var want []int64
			for i := range d.Packets.list {
				k := &d.Packets.list[i]
				if from, to, _ := k.stage(stage); of.matches(k) && from != never && to != never {
					want = append(want, to-from)
				}
			}
			slices.SortFunc(want, func(a, b int64) int { return cmp.Compare(b, a) })
			got, err := ranking{of, stage}.slowest("run", hand(d.Run))
			require.NoError(t, err)
			require.Len(t, got.list, min(len(want), rankedPackets))
			require.NotEmpty(t, want)
			for i := range got.list {
				ns, _ := got.time(&got.list[i])
				require.Equal(t, want[i], ns)
			}
		}
	}
}

// TestNextPacketIsFoundInTheWholeTrace: the only diff comes long after the packets that are kept.
func TestNextPacketIsFoundInTheWholeTrace(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	r.state.show(slices.Index(Views(), "timeline"))
	r.run(m.readPart(), 0)
	r.state.Sel.Kind = trace.Diff.String()
	require.Contains(t, r.text(), "is being looked for")
	r.run(m.readPart(), 0)
	require.Contains(t, r.text(), "0.99999000  0>1     64B diff")
	r.state.Sel.AtNs = 999_995_000
	r.run(m.readPart(), 0)
	require.Contains(t, r.text(), "No selected packet of this node begins after the cursor.")
}

// TestNoTableIsCut: a table of more packets than are read is refused, with what to do.
func TestNoTableIsCut(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	r.state.show(slices.Index(Views(), "timeline"))
	r.run(m.readPart(), 0)
	err := Write(&bytes.Buffer{}, r.state, 100, 30, "x.csv", "")
	require.ErrorContains(t, err, "sigview export run --to csv")
	require.NoError(t, r.state.selectBy("from=500000000 to=500100000 at=500050000"))
	r.run(m.readPart(), 0)
	var out bytes.Buffer
	require.NoError(t, Write(&out, r.state, 100, 30, "x.csv", ""))
	require.Equal(t, 102, bytes.Count(out.Bytes(), []byte("\n")), "the packets of 100 µs, and the header")
}

// TestChainOfAPacket: a packet that waits for an engine tells who has it, and the lane of the
// engine says that somebody waits.
func TestChainOfAPacket(t *testing.T) {
	const us = 1e6 // ps
	run := busy(2)
	run.traced = false
	d := sample(t, "run", run)
	log := waits.NewLog()
	first := log.Begin(waits.Actor{Kind: trace.PageReply, Node: 0, Peer: 2, Number: 4}, waits.Interval{Resource: waits.HostDMA})
	log.Hold(waits.Hold{Resource: waits.HostDMA, Actor: first, End: 60 * us})
	second := log.Begin(waits.Actor{Kind: trace.Data, Node: 0, Peer: 1, Number: 5}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: 10 * us})
	log.End(first, 60*us)
	log.Turn(second, waits.Interval{Resource: waits.HostDMA, Begin: 60 * us}, 0)
	log.End(second, 80*us)
	log.Finish(100 * us)
	account, err := causal.Resolve(log)
	require.NoError(t, err)
	ns := trace.Some[int64]
	d.Run.Packets = slices.Values([]trace.PacketRow{{
		Kind: trace.Data.String(), Receiver: 1, Number: 5, SizeBytes: 512,
		T1Ns: ns(10_000), T2Ns: ns(80_000), T3Ns: ns(80_000), T4Ns: ns(85_000), T5Ns: ns(88_000), T6Ns: ns(95_000),
	}})
	rows := int64(3)
	d.Run.Spans, d.Run.Steps = slices.Values[[]trace.SpanRow](nil), slices.Values[[]trace.StepRow](nil)
	d.Run.Manifest.SimulatedNs = 100_000
	d.Run.Manifest.Files = []trace.File{{Name: "packets.arrow", Rows: &rows}, {Name: "waits.arrow", Rows: &rows}}
	reader := hand(d.Run)
	reader.Waits = func(string) (*causal.Account, error) { return account, nil }
	d, err = d.withTrace(reader)
	require.NoError(t, err)
	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.add(d)
	s.show(slices.Index(Views(), "timeline"))
	require.NoError(t, s.selectBy("metric=1 details=on"))
	require.Contains(t, Draw(s, 80, 24).String(), "is being read")
	m := NewModel(t.Context(), Lab{Trace: reader}, s, nil)
	m.width, m.height = 80, 24
	r := &rig{m, t}
	r.run(m.readWaits(), 0)
	text := r.text()
	require.Contains(t, text, "It waits 50.00 µs of 70.00 µs; the longest first:")
	require.Contains(t, text, "50.00 µs for host dma of node 0 ← page-reply packet 4 from node 0 to 2, at")
	require.Contains(t, text, "  DMA│███████WWWW")
	golden(t, "timeline-packet.txt", text)
}
