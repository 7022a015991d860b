package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

func sigview(t *testing.T, words ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := newApp(&stdout, &stderr).run(context.Background(), words)
	require.Equal(t, exitPass, code, stderr.String())
	return stdout.String()
}

// TestFilesOfLogP: the Arrow table says what the JSON document says, and the
// plots are pictures.
func TestFilesOfLogP(t *testing.T) {
	t.Chdir(t.TempDir())
	printed := sigview(t, "logp", "--platform", "ppro", "--layer", "gam", "--size", "64,1K", "--pattern", "many-to-one", "--json", "-o", "out")
	stored, err := os.ReadFile("out/logp.json")
	require.NoError(t, err)
	require.Equal(t, string(stored), string(trace.Seal([]byte(printed))))
	var doc bench.LogP
	require.NoError(t, json.Unmarshal(stored, &doc))
	data, err := os.ReadFile("out/logp.arrow")
	require.NoError(t, err)
	rows, err := rundir.Decode[trace.LogPRow](data)
	require.NoError(t, err)
	require.Equal(t, bench.LogPRows([]bench.LogP{doc}), rows)
	count := map[string]int{}
	for _, r := range rows {
		count[r.Quantity]++
		switch {
		case r.Quantity == "g" && !r.SizeBytes.OK:
			require.InEpsilon(t, 1000*doc.Parameters.G.Value, r.ValueNs.Value, 1e-12)
		case r.Quantity == "bandwidth" && r.SizeBytes.Value == 1024:
			require.Equal(t, doc.Sizes[1].Bandwidth.Value, r.ValueMBps.Value)
		case r.Quantity == "gap_ratio":
			require.Equal(t, doc.GapRatio.Value, r.Ratio.Value)
		}
	}
	points := len(doc.Points)
	for _, s := range doc.Sizes { // which have signatures of their own
		points += len(s.Points)
	}
	require.Equal(t, map[string]int{
		"cost": points, "os": 3, "or": 3, "L": 3, "g": 3, "rtt": 3, "idle": 3, "gap_ratio": 1, "o": 2, "T": 2, "bandwidth": 2,
	}, count)
	pictures(t, "out")
}

func TestFilesOfBandwidth(t *testing.T) {
	t.Chdir(t.TempDir())
	sigview(t, "bandwidth", "--platform", "ppro,shrimp", "--layer", "vmmc", "--size", "16,1K", "-o", "out", "-q")
	data, err := os.ReadFile("out/bandwidth.arrow")
	require.NoError(t, err)
	rows, err := rundir.Decode[trace.BandwidthRow](data)
	require.NoError(t, err)
	require.Len(t, rows, 4)
	require.Equal(t, trace.BandwidthRow{
		Platform: "ppro", Layer: "vmmc", Test: "pingpong", SizeBytes: 1024, MBps: 1024 / (rows[1].OneWayNs.Value / 1000), OneWayNs: rows[1].OneWayNs,
	}, rows[1])
	pictures(t, "out")
}

// pictures checks that every plot of a directory can be read.
func pictures(t *testing.T, dir string) {
	t.Helper()
	svgs, err := filepath.Glob(dir + "/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, svgs)
	for _, file := range svgs {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		d := xml.NewDecoder(bytes.NewReader(data))
		marks := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, file)
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "title" {
				marks++
			}
		}
		require.Positive(t, marks, file)
		f, err := os.Open(file[:len(file)-len("svg")] + "png")
		require.NoError(t, err)
		img, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, 1840, img.Bounds().Dx())
		colours := map[[3]uint32]bool{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				colours[[3]uint32{r, g, b}] = true
			}
		}
		require.True(t, colours[[3]uint32{0, 0x7272, 0xb2b2}], "%s shows a mark of the first curve", file)
	}
}

// TestOutputFilesAreCheckedFirst: a file that cannot be made is told before minutes of work.
func TestOutputFilesAreCheckedFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"before", "after"} {
		sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "-q", "-o", dir)
	}
	for _, line := range []string{"why fft", "validate", "validate --detail fast", "report before", "diff before after"} {
		var stderr bytes.Buffer
		a := newApp(io.Discard, &stderr)
		a.checkOnly = true
		code := a.run(t.Context(), append(strings.Fields(line), "-o", "missing/file"))
		require.Equal(t, exitUsage, code, line)
		require.Contains(t, stderr.String(), "output file missing/file: no such file or directory\n")
	}
}

// TestNothingIsLeftOfAFailure: a directory appears whole or not at all.
func TestNothingIsLeftOfAFailure(t *testing.T) {
	t.Chdir(t.TempDir())
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	code := newApp(&stdout, &stderr).run(stopped, []string{"logp", "--platform", "ppro", "--layer", "gam", "-o", "out"})
	require.Equal(t, exitFailure, code)
	require.Contains(t, stderr.String(), "nothing was written")
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	require.Empty(t, entries)
}
