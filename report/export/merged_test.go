package export

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// TestMerged: the traces of a set are members of one archive, each a machine of its own, with offsets that put the beginnings
// of recording at the same time and nothing before the timeline.
func TestMerged(t *testing.T) {
	set := t.TempDir()
	begins := map[uint64]int64{1: 20, 2: -300, 7: -40}
	for seed, t3 := range begins {
		row := trace.PacketRow{Kind: "data", Receiver: 1, T3Ns: trace.Some(t3), T5Ns: trace.Some(t3 + 100), NetNs: trace.Some[int64](100)}
		run := trace.Run{Manifest: synth.Manifest(2), Packets: slices.Values([]trace.PacketRow{row})}
		run.Manifest.Seed = seed
		require.NoError(t, rundir.WriteRun(t.Context(), rundir.SeedDir(set, seed), run))
	}
	files, err := Spec{Dir: set, To: Perfetto}.Files(t.Context())
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Empty(t, files[0].Name)
	var b, again bytes.Buffer
	require.NoError(t, files[0].Write(&b))
	require.NoError(t, files[0].Write(&again))
	require.Equal(t, b.Bytes(), again.Bytes())

	archive, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	require.NoError(t, err)
	members := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(t, err)
		members[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	require.Len(t, members, 4)
	require.True(t, bytes.HasPrefix(members["perfetto_manifest.json"], []byte(`{"perfetto_manifest"`)), "by which it is known")
	var m struct {
		Manifest struct {
			Version   int
			TraceTime map[string]string `json:"trace_time"`
			Files     []struct {
				Path    string
				Machine map[string]string
				Clocks  *struct {
					SyncTo   map[string]string `json:"sync_to"`
					OffsetNs int64             `json:"offset_ns"`
				}
			}
		} `json:"perfetto_manifest"`
	}
	require.NoError(t, json.Unmarshal(members["perfetto_manifest.json"], &m))
	require.Equal(t, 1, m.Manifest.Version)
	earliest := map[string]string{"file": "seed-2.pftrace", "clock": "BOOTTIME"}
	require.Equal(t, earliest, m.Manifest.TraceTime)
	require.Len(t, m.Manifest.Files, 3)
	offsets := map[string]int64{}
	for _, f := range m.Manifest.Files {
		dir := filepath.Join(set, map[string]string{"seed 1": "seed-0001", "seed 2": "seed-0002", "seed 7": "seed-0007"}[f.Machine["name"]])
		alone, err := Spec{Dir: dir, To: Perfetto}.Files(t.Context())
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, alone[0].Write(&text))
		require.Equal(t, text.Bytes(), members[f.Path], "the trace of the run alone")
		if f.Clocks != nil {
			require.Equal(t, earliest, f.Clocks.SyncTo)
			offsets[f.Path] = f.Clocks.OffsetNs
		}
	}
	require.Equal(t, map[string]int64{"seed-1.pftrace": 300, "seed-7.pftrace": 260}, offsets)
}
