package rundir

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// sectionsOf writes packets of which the first half is among nodes 0 to 3, the rest among
// 4 to 7.
func sectionsOf(t *testing.T, n int) (dir string, all []trace.PacketRow) {
	t.Helper()
	all = manyPackets(n)
	for i := range all[n/2:] {
		r := &all[n/2+i]
		r.Sender, r.Receiver = r.Sender+4, 7
	}
	run := sampleRun()
	run.Packets = slices.Values(all)
	dir = filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, run))
	return dir, all
}

func section(t *testing.T, dir string, in Section) (rows []trace.PacketRow) {
	t.Helper()
	require.NoError(t, ScanSection(dir, in, func(r []trace.PacketRow) error { rows = append(rows, r...); return nil }))
	return rows
}

func TestScanSection(t *testing.T) {
	const n = 3*BatchRows + 10
	dir, all := sectionsOf(t, n)
	end := int64(n) * 1000
	for _, in := range []Section{
		{0, end, nil}, {-100, -1, nil}, {end + 1, 2 * end, nil}, {BatchRows * 1000, BatchRows * 1000, nil}, {70_000_500, 70_001_950, nil},
		{0, end, []int64{2}}, {0, end, []int64{7}}, {0, end, []int64{}}, {0, end, []int64{9}}, {end / 3, end / 2, []int64{1, 5}},
	} {
		var want []trace.PacketRow
		for _, r := range all {
			from, to := r.T3Ns.Value, r.T6Ns.Value
			if from <= in.ToNs && to >= in.FromNs && (in.Nodes == nil || slices.Contains(in.Nodes, r.Sender) || slices.Contains(in.Nodes, r.Receiver)) {
				want = append(want, r)
			}
		}
		require.Equal(t, len(want), len(section(t, dir, in)), "%v", in)
		require.Equal(t, want, section(t, dir, in), "%v", in)
	}
}

// TestScanSectionTouchesItsBatchesOnly: damage elsewhere does not matter, damage to these
// batches and to the end of the file is found.
func TestScanSectionTouchesItsBatchesOnly(t *testing.T) {
	dir, _ := sectionsOf(t, 3*BatchRows)
	path := filepath.Join(dir, "packets.arrow")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	second := Section{FromNs: BatchRows*1000 + 10_000, ToNs: BatchRows*1000 + 20_000}
	read := func(at int) error {
		data := slices.Clone(whole)
		data[at] ^= 1
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return ScanSection(dir, second, func([]trace.PacketRow) error { return nil })
	}
	require.NoError(t, read(len(whole)/6))
	require.ErrorContains(t, read(len(whole)/2), "batch 1: changed")
	require.ErrorContains(t, read(len(whole)-100), "batch 2: changed")
	require.NoError(t, os.WriteFile(path, whole[:len(whole)-1000], 0o644))
	require.ErrorContains(t, ScanSection(dir, second, func([]trace.PacketRow) error { return nil }), "truncated")
	require.ErrorContains(t, Scan(dir, func([]trace.PacketRow) error { return nil }), "truncated")
}

func TestNodesText(t *testing.T) {
	for text, nodes := range map[string][]int64{"": nil, "3": {3}, "0-2": {2, 0, 1}, "0,2-3,9": {9, 3, 0, 2}} {
		require.Equal(t, text, trace.NodesText(nodes))
		b := trace.BatchRow{End: 1, Nodes: text}
		require.NoError(t, trace.CheckRow(&b))
		for n := range int64(12) {
			found, err := b.Has([]int64{n})
			require.NoError(t, err)
			require.Equal(t, slices.Contains(nodes, n), found)
		}
	}
	require.ErrorContains(t, trace.CheckRow(&trace.BatchRow{End: 1, Nodes: "3-1"}), "nodes")
}

// TestWindows: a trace of several batches has a table of windows, that of its packets; one of a
// single batch has none.
func TestWindows(t *testing.T) {
	run := sampleRun()
	run.Manifest.Nodes, run.Manifest.SimulatedNs = 4, (BatchRows+10)*1000
	packets := manyPackets(BatchRows + 10)
	run.Packets = slices.Values(packets)
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, run))
	want := trace.NewWindows(4, 0, run.Manifest.SimulatedNs)
	for i := range packets {
		want.Add(&packets[i])
	}
	var got []trace.WindowRow
	require.NoError(t, Scan(dir, func(rows []trace.WindowRow) error { got = append(got, rows...); return nil }))
	require.True(t, slices.Equal(want.Done().ForPackets(int64(len(packets))).Rows(), got))
	index, err := ReadIndex(dir)
	require.NoError(t, err)
	require.Len(t, index, 2)

	run.Packets = slices.Values(packets[:10])
	dir = filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, run))
	require.ErrorIs(t, Scan(dir, func([]trace.WindowRow) error { return nil }), ErrNoTable)
}
