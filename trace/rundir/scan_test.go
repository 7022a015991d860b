package rundir

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func manyPackets(n int) []trace.PacketRow {
	rows := make([]trace.PacketRow, n)
	for i := range rows {
		t := int64(i) * 1000
		rows[i] = trace.PacketRow{
			Kind: trace.Data.String(), Sender: int64(i % 3), Receiver: 3, Number: int64(i), SizeBytes: 64, First: i%2 == 0,
			T3Ns: trace.Some(t), T5Ns: trace.Some(t + 500), T6Ns: trace.Some(t + 900), NetNs: trace.Some(int64(500)), DestNs: trace.Some(int64(400)),
		}
	}
	return rows
}

func TestScanGivesWhatWasWritten(t *testing.T) {
	run := sampleRun()
	packets := manyPackets(BatchRows + 10) // two batches, the second one short
	run.Packets = slices.Values(packets)
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, run))
	var got []trace.PacketRow
	pieces := 0
	require.NoError(t, Scan(dir, func(rows []trace.PacketRow) error {
		pieces++
		got = append(got, rows...)
		return nil
	}))
	require.Equal(t, 2, pieces)
	require.Equal(t, packets, got)

	_, err := ReadRun(dir)
	require.NoError(t, err)
	summary, err := ReadSummary(dir)
	require.NoError(t, err)
	require.Nil(t, summary.Packets)
	require.Equal(t, run.Signature, summary.Signature)

	stop := errors.New("enough")
	require.ErrorIs(t, Scan(dir, func([]trace.PacketRow) error { return stop }), stop)
	require.ErrorIs(t, Scan(dir, func([]trace.SpanRow) error { return nil }), ErrNoTable)
}

func TestScanRefuses(t *testing.T) {
	run := sampleRun()
	run.Packets = slices.Values(manyPackets(100))
	nothing := func([]trace.PacketRow) error { return nil }
	for name, c := range map[string]struct {
		damage func(data []byte) []byte
		want   string
	}{
		"truncated": {func(d []byte) []byte { return d[:len(d)/2] }, "truncated"},
		"empty":     {func([]byte) []byte { return nil }, "empty"},
		"changed":   {func(d []byte) []byte { d[len(d)/2] ^= 1; return d }, "SHA-256"},
		"foreign":   {func([]byte) []byte { return []byte("PK") }, "not an Arrow file"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		require.NoError(t, WriteRun(context.Background(), dir, run))
		path := filepath.Join(dir, "packets.arrow")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, c.damage(data), 0o644))
		require.ErrorContains(t, Scan(dir, nothing), c.want, name)
		_, err = ReadRun(dir)
		require.ErrorContains(t, err, c.want, name)
	}
	require.ErrorContains(t, Scan(t.TempDir(), nothing), "run.json")
}
