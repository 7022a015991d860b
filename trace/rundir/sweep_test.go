package rundir

import (
	"bytes"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

func sweepRow(seed int64) trace.SweepRow {
	r := trace.SweepRow{
		SweepKey:  trace.SweepKey{Run: "x/seed-0001", Workload: "fft", Nodes: 4, Size: trace.Some(int64(4096)), Uncontended: "pci", Seed: seed},
		State:     trace.RunFinished,
		RunTimeNs: trace.Some(int64(1e6) + seed), Specification: "{}",
	}
	r.Source.MeanNs = trace.Some(1.0 / 3)
	return r
}

// sweepParts has two runs on each of two places, whose names are no plain words.
func sweepParts(err error) iter.Seq[SweepPart] {
	return func(yield func(SweepPart) bool) {
		for _, place := range []trace.SweepPlace{{Platform: "a/b=c %", Layer: "fm"}, {Platform: "ü", Layer: "gam"}} {
			runs := func(yield func(SweepRun, error) bool) {
				for seed := range int64(2) {
					run := SweepRun{Row: sweepRow(seed)}
					run.Signature = []trace.SweepSignatureRow{{SweepKey: run.Row.SweepKey, Program: "fft", SignatureRow: sampleRows()[0]}}
					if !yield(run, err) {
						return
					}
				}
			}
			if !yield(SweepPart{place, runs}) {
				return
			}
		}
	}
}

func TestSweepIsReadAsWritten(t *testing.T) {
	dir := t.TempDir()
	m := trace.SweepManifest{ToolVersion: "v1", Name: "n", Runs: 4, Seeds: []uint64{0, 1}}
	for range 2 { // a second time replaces the first
		require.NoError(t, WriteSweep(t.Context(), dir, &m, sweepParts(nil)))
	}
	got, runs, err := ReadSweep(dir)
	require.NoError(t, err)
	require.Equal(t, m, got)
	require.Len(t, got.Files, 4)
	require.Len(t, runs, 4)
	require.Equal(t, trace.SweepRun{SweepPlace: trace.SweepPlace{Platform: "ü", Layer: "gam"}, SweepRow: sweepRow(1)}, runs[3])
	require.Equal(t, "a/b=c %", runs[0].Platform)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "nothing is left behind")

	// A failure leaves the sweep as it was.
	failure := errors.New("cannot read a run")
	require.ErrorIs(t, WriteSweep(t.Context(), dir, &m, sweepParts(failure)), failure)
	_, again, err := ReadSweep(dir)
	require.NoError(t, err)
	require.Equal(t, runs, again)
}

func TestDamagedSweepsAreRefused(t *testing.T) {
	dir := t.TempDir()
	_, _, err := ReadSweep(dir)
	require.ErrorContains(t, err, "have not all ended")
	m := trace.SweepManifest{ToolVersion: "v1"}
	require.NoError(t, WriteSweep(t.Context(), dir, &m, sweepParts(nil)))
	file := filepath.Join(dir, partFile("sweep", trace.SweepPlace{Platform: "ü", Layer: "gam"}))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text[:len(text)-1], 0o644))
	_, _, err = ReadSweep(dir)
	require.ErrorContains(t, err, "part-0.parquet")
	text[10] ^= 1
	require.NoError(t, os.WriteFile(file, text, 0o644))
	_, _, err = ReadSweep(dir)
	require.ErrorContains(t, err, "SHA-256")
	for _, manifest := range []string{"", "{", `{"schema_version": 99}`, `{"schema_version": 1, "files": [{"name": "sweep/../../x"}]}`, `{"schema_version": 1, "files": [{"name": "sweep/x"}]}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, trace.SweepFile), []byte(manifest), 0o644))
		_, _, err = ReadSweep(dir)
		require.ErrorContains(t, err, trace.SweepFile, manifest)
	}
}

// TestParquetIsReadAsWritten: any rows come back.
func TestParquetIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trace.SweepRow {
			r := sweepRow(rapid.Int64().Draw(t, "seed"))
			r.Specification = rapid.String().Draw(t, "text")
			if rapid.Bool().Draw(t, "none") {
				r.Size, r.Source.MeanNs = trace.Opt[int64]{}, trace.Opt[float64]{}
			}
			return r
		}), 0, 200).Draw(t, "rows")
		var b bytes.Buffer
		p, err := NewParquet[trace.SweepRow](&b)
		require.NoError(t, err)
		require.NoError(t, p.Write(rows))
		require.NoError(t, p.Close())
		got, err := readParquet[trace.SweepRow](b.Bytes(), int64(len(rows)))
		require.NoError(t, err)
		require.Equal(t, len(rows), len(got))
		for i := range rows {
			require.Equal(t, rows[i], got[i])
		}
		_, err = readParquet[trace.PairRow](b.Bytes(), 0)
		require.ErrorContains(t, err, `wanted "pairs"`)
	})
}

func FuzzReadParquet(f *testing.F) {
	var b bytes.Buffer
	p, err := NewParquet[trace.SweepRow](&b)
	require.NoError(f, err)
	require.NoError(f, p.Write([]trace.SweepRow{sweepRow(1), sweepRow(2)}))
	require.NoError(f, p.Close())
	good := b.Bytes()
	f.Add(uint16(0), []byte("PAR1"))
	f.Add(uint16(len(good)), []byte("PAR1"))
	f.Add(uint16(len(good)-20), []byte{0x7f, 0xff})
	f.Fuzz(func(t *testing.T, at uint16, with []byte) {
		if rows, err := readParquet[trace.SweepRow](spliced(good, at, with), 2); err == nil {
			require.NoError(t, trace.CheckRows(rows))
		}
	})
}

// TestListsOfTheirSize: a list, known or to be skipped, and a text that say that they have more elements than there are
// bytes are refused before memory is taken for them.
func TestListsOfTheirSize(t *testing.T) {
	long := []byte{0xff, 0xff, 0xff, 0xff, 0x07}
	for name, start := range map[string][]byte{"unknown field": {0xf9, 0xf7}, "row groups": {0x49, 0xfc}, "author": {0x68}} {
		field := append(start, long...)
		_, err := decodeThrift(field, &format.FileMetaData{})
		require.ErrorContains(t, err, "2147483647 elements in 0 bytes", name)
		_, err = readParquet[trace.SweepRow](append(append([]byte("PAR1"), field...), byte(len(field)), 0, 0, 0, 'P', 'A', 'R', '1'), 2)
		require.ErrorContains(t, err, "not a whole Parquet file", name)
	}
}

// TestPagesUnpackToTheirSize: a page that says that it is hundreds of megabytes when it is unpacked takes no such
// memory.
func TestPagesUnpackToTheirSize(t *testing.T) {
	var b bytes.Buffer
	p, err := NewParquet[trace.SweepRow](&b)
	require.NoError(t, err)
	require.NoError(t, p.Write([]trace.SweepRow{sweepRow(1), sweepRow(2)}))
	require.NoError(t, p.Close())
	_, err = readParquet[trace.SweepRow](b.Bytes(), 2)
	require.NoError(t, err)
	_, err = readParquet[trace.SweepRow](spliced(b.Bytes(), 27, []byte{0x80}), 2) // of the length in the page's frame
	require.ErrorContains(t, err, "damaged: the page before byte ")
	require.ErrorIs(t, err, zstd.ErrDecoderSizeExceeded)
}
