package tui

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
	"github.com/stretchr/testify/require"
)

// long is a state with a trace of a million packets.
func long(t *testing.T) (*Model, *data.Data) {
	t.Helper()
	return traced(t, longRun(t), 100, 30)
}

// traced is a model of a run with its trace, in a terminal of a size.
func traced(t *testing.T, d *data.Data, width, height int) (*Model, *data.Data) {
	t.Helper()
	d, err := d.WithTrace()
	require.NoError(t, err)
	s := NewState(look(t, "mono", cell.Block, cell.NoColour))
	s.Add(d)
	m := NewModel(t.Context(), &fakeShell{}, s, nil)
	m.width, m.height = width, height
	return m, d
}

// TestSlowestOfTheWholeTrace: n goes to the slowest packet, far beyond those that are kept, and
// enter tells its instants; N says that there is none before it.
func TestSlowestOfTheWholeTrace(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	require.NoError(t, r.state.selectBy("stage=dest"))
	r.Keys("n")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.Contains(t, r.Text(), "Number 1 of the slowest in Dest: 8.000 µs")
	require.Contains(t, r.Text(), "0.99999000  0>1     64B diff")
	r.Keys("enter")
	require.Contains(t, r.Text(), "Packet 499995 from node 0 to 1: diff, 64 B")
	require.Regexp(t, `T5 +0.999993000 s received`, r.Text())
	r.Keys("N")
	require.Contains(t, r.Text(), "This is the slowest packet.")
	r.Keys("n")
	require.Contains(t, r.Text(), "Number 2 of the slowest in Dest: 1.000 µs")
	r.Keys("esc")
	require.Contains(t, r.Text(), "the bars span")
}

// TestSlowestAreThoseOfASort: the ranking is the head of all packets, sorted.
func TestSlowestAreThoseOfASort(t *testing.T) {
	run := busy(3)
	t.Chdir(t.TempDir())
	store(t, "run", run.make(t))
	d := sample(t, "run", run)
	for _, of := range []data.SliceKey{{Group: trace.Group{Kind: trace.AllKinds}, Sender: data.Everyone, Receiver: data.Everyone}, {Group: trace.Group{Kind: trace.Data.String()}, Sender: 1, Receiver: data.Everyone}} {
		for stage := range trace.NumStages {
			var want []int64
			for i := range d.Packets.List {
				k := &d.Packets.List[i]
				if from, to, _ := k.Stage(stage); of.Matches(k) && from != data.Never && to != data.Never {
					want = append(want, to-from)
				}
			}
			slices.SortFunc(want, func(a, b int64) int { return cmp.Compare(b, a) })
			got, err := data.Ranking{Of: of, Stage: stage}.Slowest("run")
			require.NoError(t, err)
			require.Len(t, got.List, min(len(want), data.RankedPackets))
			require.NotEmpty(t, want)
			for i := range got.List {
				require.Equal(t, want[i], got.List[i].Ns)
			}
		}
	}
}

// TestNextPacketIsFoundInTheWholeTrace: the only diff comes long after the packets that are kept.
func TestNextPacketIsFoundInTheWholeTrace(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	r.state.show(slices.Index(views.Views(), "timeline"))
	r.run(m.readPart(), 0)
	r.state.Sel.Kind = trace.Diff.String()
	require.Contains(t, r.Text(), "is being looked for")
	r.run(m.readPart(), 0)
	require.Contains(t, r.Text(), "0.99999000  0>1     64B diff")
	r.state.Sel.AtNs = 999_995_000
	r.run(m.readPart(), 0)
	require.Contains(t, r.Text(), "No selected packet of this node begins after the cursor.")
}

// TestNoTableIsCut: a table of more packets than are read is refused, with what to do.
func TestNoTableIsCut(t *testing.T) {
	m, _ := long(t)
	r := &rig{m, t}
	r.state.show(slices.Index(views.Views(), "timeline"))
	r.run(m.readPart(), 0)
	err := Write(&bytes.Buffer{}, r.state, 100, 30, "x.csv", "")
	require.ErrorContains(t, err, "sigview export run --to csv")
	require.NoError(t, r.state.selectBy("from=500000000 to=500100000 at=500050000"))
	require.NoError(t, r.state.selectBy("details=on packet=0:250025"))
	require.Contains(t, r.Text(), "The packet is being read.")
	require.NoError(t, r.state.selectBy("details=off packet=none"))
	r.run(m.readPart(), 0)
	var out bytes.Buffer
	require.NoError(t, Write(&out, r.state, 100, 30, "x.csv", ""))
	require.Equal(t, 102, bytes.Count(out.Bytes(), []byte("\n")), "the packets of 100 µs, and the header")
}

// logged is a run of three packets with who waited for whom: a data packet waits 50 µs for the
// engine that a page reply has, and belongs to an operation.
func logged(t *testing.T) (*Model, *data.Data) {
	t.Helper()
	const us = 1e6 // ps
	run := busy(2)
	run.traced = false
	d := sample(t, "run", run)
	log := waits.NewLog()
	thread := log.Begin(waits.Actor{Type: waits.Process, Name: "thread 0"}, waits.Interval{Resource: waits.CPU})
	first := log.Begin(waits.Actor{Kind: trace.PageReply, Node: 0, Peer: 2, Number: 4, Cause: thread}, waits.Interval{Resource: waits.HostDMA})
	log.Hold(waits.Hold{Resource: waits.HostDMA, Actor: first, End: 60 * us})
	log.Turn(thread, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 5 * us}, 0)
	second := log.Begin(waits.Actor{Kind: trace.Data, Node: 0, Peer: 1, Number: 5, Cause: thread}, waits.Interval{Resource: waits.HostDMA, What: waits.Waiting, Begin: 10 * us})
	log.End(first, 60*us)
	log.Turn(second, waits.Interval{Resource: waits.HostDMA, Begin: 60 * us}, 0)
	log.End(second, 80*us)
	log.Turn(thread, waits.Interval{Resource: waits.CPU, Begin: 80 * us}, second)
	log.Finish(100 * us)
	account, err := account.Resolve(log)
	require.NoError(t, err)
	ns := trace.Some[int64]
	d.Run.Packets = slices.Values([]trace.PacketRow{
		{Kind: trace.PageReply.String(), Receiver: 2, Number: 4, SizeBytes: 4096, T1Ns: ns(1000), T2Ns: ns(60_000), T3Ns: ns(60_000), T4Ns: ns(65_000), T5Ns: ns(66_000), T6Ns: ns(67_000)},
		{Kind: trace.Data.String(), Receiver: 1, Number: 5, SizeBytes: 512, Span: 77, T1Ns: ns(10_000), T2Ns: ns(80_000), T3Ns: ns(80_000), T4Ns: ns(85_000), T5Ns: ns(88_000), T6Ns: ns(95_000)},
	})
	// The operation of the data packet is none of the longest.
	var operations []trace.SpanRow
	var steps []trace.StepRow
	for i := range int64(20) {
		operations = append(operations, trace.SpanRow{Span: 100 + i, Operation: string(trace.OpSend), Node: 3, EndNs: 99_000, DurationNs: 99_000})
		steps = append(steps, trace.StepRow{Span: 100 + i, Operation: string(trace.OpSend), Step: string(trace.StepRequest), Node: 3, DurationNs: 99_000})
	}
	operations = append(operations, trace.SpanRow{Span: 77, Operation: string(trace.OpSend), BeginNs: 8000, EndNs: 96_000, DurationNs: 88_000, Packets: 1})
	steps = append(steps, trace.StepRow{Span: 77, Operation: string(trace.OpSend), Step: string(trace.StepRequest), BeginNs: 8000, DurationNs: 88_000})
	d.Run.Spans, d.Run.Steps = slices.Values(operations), slices.Values(steps)
	d.Run.Manifest.SimulatedNs = 100_000
	d.Run.Actors, d.Run.Waits = account.ActorRows(), account.WaitRows()
	t.Chdir(t.TempDir())
	store(t, "run", d.Run)
	read, err := rundir.ReadSummary("run")
	require.NoError(t, err)
	m, d := traced(t, data.NewData("run", read, nil), 80, 24)
	m.state.show(slices.Index(views.Views(), "timeline"))
	return m, d
}

// TestChainOfAPacket: a packet that waits for an engine tells who has it, and the lane of the
// engine says that somebody waits. The critical path is in the program until it sends, and after
// the packet has come, and in the engine meanwhile.
func TestChainOfAPacket(t *testing.T) {
	m, _ := logged(t)
	r := &rig{m, t}
	require.NoError(t, r.state.selectBy("metric=1 details=on at=10000"))
	require.Contains(t, r.Text(), "is being read")
	r.run(m.readWaits(), 0)
	text := r.Text()
	require.Contains(t, text, "It waits 50.00 µs of 70.00 µs; the longest first:")
	require.Regexp(t, `50.00 µs for host dma of node 0 ← page-reply packet \S+ from node 0 to 2`, text)
	require.Contains(t, text, "  DMA│███████WWWW")
	golden(t, "timeline-packet.txt", text)

	path := r.state.Data().Path
	require.Equal(t, 0, path.Node(0, 100_000))
	require.Equal(t, lanes.Engines, path.Part(0, 20_000, 80_000))
	require.Equal(t, lanes.Program, path.Part(0, 85_000, 100_000))
	require.Equal(t, lanes.Part(lanes.NumParts), path.Part(1, 0, 100_000))
	picture := Draw(r.state, 80, 24)
	under := func(line int) (n int) {
		for x := range 80 {
			if k := picture.At(x, line); k.Attr&cell.Under != 0 || k.R == '_' {
				n++
			}
		}
		return n
	}
	lane := slices.IndexFunc(strings.Split(text, "\n"), func(l string) bool { return strings.Contains(l, " prog│") })
	require.InDelta(t, 0.2*73, under(lane)-0, 8)
	require.InDelta(t, 0.75*73, under(lane+2), 8)
	require.Zero(t, under(lane+3))
	require.NoError(t, r.state.selectBy("metric=0"))
	require.Contains(t, r.Text(), "_ critical path")
}

// TestPacketsThatWaitLongest: u goes to the packet that waits longest in all, as its pieces sum
// up, and to no other, because the page reply does not wait.
func TestPacketsThatWaitLongest(t *testing.T) {
	for _, long := range []bool{false, true} {
		m, d := logged(t)
		r := &rig{m, t}
		if long { // of which not all is read
			rows := int64(explain.LongTrace + 1)
			for i, f := range d.Run.Manifest.Files {
				if f.Name == "waits.arrow" {
					d.Run.Manifest.Files[i].Rows = &rows
				}
			}
		}
		r.Keys("u")
		require.Contains(t, r.Text(), "Number 1 of those that wait longest: 50.00 µs.")
		require.Contains(t, r.Text(), "10.00  0>1    512B data")
		r.Keys("u")
		require.Contains(t, r.Text(), "This is number 1 of the 1 packets")
		r.Keys("enter")
		require.Contains(t, r.Text(), "It waits 50.00 µs of 70.00 µs")
	}
}

// TestLongLogIsReadWhereItIsShown: of a log that is too long only the part that is shown is read,
// and the picture says how far to zoom in.
func TestLongLogIsReadWhereItIsShown(t *testing.T) {
	m, d := logged(t)
	r := &rig{m, t}
	rows := int64(4 * data.PartWaits * 8)
	for i, f := range d.Run.Manifest.Files {
		if f.Name == "waits.arrow" {
			d.Run.Manifest.Files[i].Rows = &rows
		}
	}
	r.Keys("m")
	require.Nil(t, m.readWaits())
	require.Contains(t, r.Text(), "zoom in to 3.125 µs or less")
	require.NoError(t, r.state.selectBy("from=20000 to=23000 at=20000"))
	_, of, _ := r.state.unwaited()
	require.Equal(t, &account.Period{From: 18_500_000, To: 24_500_000}, of)
	r.run(m.readWaits(), 0)
	require.Contains(t, r.Text(), "  DMA│WWWWW")
	require.Nil(t, m.readWaits(), "it is read")
	read := r.state.Data().Account
	r.Keys("right")
	require.Same(t, read, r.state.Data().Account)

	require.NoError(t, os.Remove(filepath.Join(d.Dir, "waits.arrow")))
	require.NoError(t, r.state.selectBy("from=70000 to=73000 at=70000"))
	r.run(m.readWaits(), 0)
	require.Contains(t, r.Text(), "cannot be read")
	require.Contains(t, r.state.Problems[0], "waits.arrow")
}

// TestOperationOfAPacket: enter leads from a packet to its operation, which is looked for in the
// trace, and on to the time of that; esc leads back.
func TestOperationOfAPacket(t *testing.T) {
	m, _ := logged(t)
	r := &rig{m, t}
	require.NoError(t, r.state.selectBy("at=10000"))
	r.Keys("enter")
	require.Contains(t, r.Text(), "Packet 5 from node 0 to 1: data, 512 B, of operation 77")
	r.Keys("enter")
	require.Contains(t, r.line2(), "packet › operation")
	require.Contains(t, r.Text(), "message, span 77 of node 0: 88.00 µs")
	require.Regexp(t, `request +88.0.*n0`, r.Text())
	require.Contains(t, r.Text(), " 0>1    512B data")
	r.Keys("+", "enter")
	require.Contains(t, r.line2(), "packet › operation › timeline")
	require.Zero(t, r.state.view().(*views.TimelineView).Lane.Row)
	r.Keys("esc", "esc")
	require.Contains(t, r.Text(), "Packet 5 from node 0 to 1")
	require.NoError(t, r.state.selectBy("at=0"))
	r.Keys("enter")
	require.Contains(t, r.Text(), "This packet belongs to no operation.")
	require.NoError(t, r.state.goTo(data.Place{View: "spans", Sel: "span=78"}))
	require.Contains(t, r.Text(), "Operation 78 is being looked for.")
	r.run(m.readOperation(), 0)
	require.Contains(t, r.Text(), "The trace has no record of operation 78.")
}

// TestTicksOfTimeAreShort: no errors of binary fractions are written.
func TestTicksOfTimeAreShort(t *testing.T) {
	marks := views.Bands{From: 100_965_300, To: 101_268_300, Slots: 94}.Axis().Marks
	require.Greater(t, len(marks), 3)
	for _, k := range marks {
		require.Less(t, len(k.Text), 8, k.Text)
	}
}
