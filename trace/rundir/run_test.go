package rundir

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func sampleRun() trace.Run {
	return trace.Run{
		Manifest: trace.Manifest{
			ToolVersion: "v0.1.0", Seed: 7, Workload: "fft", Nodes: 2,
			Platform: trace.Platform{Name: "shrimp", Digest: "sha256:00"}, Spec: json.RawMessage(`{}`),
			SchemaVersion: trace.SchemaVersion,
		},
		Signature: sampleRows(),
		Clock:     []trace.ClockRow{{Estimator: "midpoint", OffsetNs: 12.5}},
		Extra:     []trace.Extra{{Name: "latency.hlog", Data: []byte("#[Histogram log]\n")}},
	}
}

func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, WriteRun(context.Background(), dir, sampleRun()))
	return dir
}

func TestRunRoundTrip(t *testing.T) {
	dir := write(t)
	got, err := ReadRun(dir)
	require.NoError(t, err)
	want := sampleRun()
	require.Equal(t, want.Signature, got.Signature)
	require.Equal(t, want.Clock, got.Clock)
	require.Equal(t, want.Extra, got.Extra)
	require.Empty(t, got.Pairs)
	names := make([]string, len(got.Manifest.Files))
	for i, f := range got.Manifest.Files {
		names[i] = f.Name
	}
	require.Equal(t, []string{"signature.arrow", "classes.arrow", "pairs.arrow", "histograms.arrow", "clock.arrow", "latency.hlog"}, names)
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary directory stays behind")
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(dirPerm), info.Mode().Perm())
}

func TestSameRunSameBytes(t *testing.T) {
	a, b := write(t), write(t)
	entries, err := os.ReadDir(a)
	require.NoError(t, err)
	require.Len(t, entries, 7)
	for _, e := range entries {
		x, err := os.ReadFile(filepath.Join(a, e.Name()))
		require.NoError(t, err)
		y, err := os.ReadFile(filepath.Join(b, e.Name()))
		require.NoError(t, err)
		require.Equal(t, x, y, e.Name())
	}
}

func TestWriteRunIntoEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, WriteRun(context.Background(), dir+"/", sampleRun()))
	_, err := ReadRun(dir)
	require.NoError(t, err)
}

func TestCheckTargetRefuses(t *testing.T) {
	base := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o600))
	locked := filepath.Join(base, "locked")
	require.NoError(t, os.Mkdir(locked, 0o500))
	for _, c := range []struct{ dir, want string }{
		{"", "empty, wanted a path"},
		{base, "already holds"},
		{filepath.Join(base, "file"), "is a file, wanted a new or empty directory"},
		{filepath.Join(base, "file", "run"), "not a directory"},
		{filepath.Join(base, "missing", "run"), "cannot write in " + filepath.Join(base, "missing") + ": no such file or directory"},
		{filepath.Join(locked, "run"), "permission denied"},
	} {
		if strings.HasPrefix(c.dir, locked) && os.Geteuid() == 0 {
			continue // root may write anywhere
		}
		require.ErrorContains(t, CheckTarget(c.dir), c.want)
		require.ErrorContains(t, WriteRun(context.Background(), c.dir, sampleRun()), c.want)
	}
	entries, err := os.ReadDir(base)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

func TestWriteRunLeavesNothingBehind(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	badRow, badManifest, badExtra, badTable := sampleRun(), sampleRun(), sampleRun(), sampleRun()
	badRow.Clock[0].Estimator = ""
	badManifest.Manifest.Workload = ""
	badExtra.Extra[0].Name = "../x"
	badTable.Extra[0].Name = "other.arrow"
	for _, c := range []struct {
		name, want string
		ctx        context.Context
		run        trace.Run
	}{
		{"interrupted", "context canceled", ended, sampleRun()},
		{"bad row", "clock.arrow: clock: row 1: estimator: empty", context.Background(), badRow},
		{"bad manifest", "run.json: workload: empty", context.Background(), badManifest},
		{"bad name", `extra file "../x"`, context.Background(), badExtra},
		{"a table's name", `extra file "other.arrow"`, context.Background(), badTable},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			err := WriteRun(c.ctx, filepath.Join(base, "run"), c.run)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "nothing was written")
			entries, err := os.ReadDir(base)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
	require.ErrorIs(t, WriteRun(ended, filepath.Join(t.TempDir(), "run"), sampleRun()), context.Canceled)
}

func TestReadRunRefuses(t *testing.T) {
	digest := regexp.MustCompile(`,\s*"manifest_sha256": "\w+"`)
	change := func(name string, f func([]byte) []byte) func(string) error {
		return func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, name))
			data = digest.ReplaceAll(data, nil) // as of an earlier version
			return errors.Join(err, os.WriteFile(filepath.Join(dir, name), f(data), 0o600))
		}
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	sub := func(old, by string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.Replace(string(b), old, by, 1)) }
	}
	for _, c := range []struct {
		name, want string
		damage     func(dir string) error
	}{
		{"no manifest", "run.json: no such file", func(d string) error { return os.Remove(filepath.Join(d, "run.json")) }},
		{"half a manifest", "run.json: not a whole JSON document", change("run.json", half)},
		{"newer manifest", "schema version 9 is newer", change("run.json", sub(`"schema_version": 1`, `"schema_version": 9`))},
		{"manifest changed", "run.json: changed since it was written", func(d string) error {
			data, err := os.ReadFile(filepath.Join(d, "run.json"))
			return errors.Join(err, os.WriteFile(filepath.Join(d, "run.json"), bytes.Replace(data, []byte(`"verified": false`), []byte(`"verified": true`), 1), 0o600))
		}},
		{"table gone", "pairs.arrow: no such file", func(d string) error { return os.Remove(filepath.Join(d, "pairs.arrow")) }},
		{"table cut", "signature.arrow: truncated", change("signature.arrow", half)},
		{"table changed", "signature.arrow: changed since", change("signature.arrow", flip)},
		{"table foreign", "clock.arrow: not an Arrow file", change("clock.arrow", func([]byte) []byte { return []byte("hello") })},
		{"extra cut", "latency.hlog: 8 bytes; wanted the file of 17", change("latency.hlog", half)},
		{"table not listed", "does not list clock.arrow", change("run.json", sub("clock.arrow", "other.arrow"))},
		{"other table", `pairs.arrow: holds the table "clock"; wanted sigview's table "pairs", schema version up to 1`, func(d string) error {
			swapped := strings.NewReplacer("clock.arrow", "pairs.arrow", "pairs.arrow", "clock.arrow")
			return errors.Join(
				change("run.json", func(b []byte) []byte { return []byte(swapped.Replace(string(b))) })(d),
				os.Rename(filepath.Join(d, "clock.arrow"), filepath.Join(d, "x")),
				os.Rename(filepath.Join(d, "pairs.arrow"), filepath.Join(d, "clock.arrow")),
				os.Rename(filepath.Join(d, "x"), filepath.Join(d, "pairs.arrow")))
		}},
		{"path in the list", "is not a plain name", change("run.json", sub("clock.arrow", "../clock.arrow"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t)
			require.NoError(t, c.damage(dir))
			_, err := ReadRun(dir)
			require.ErrorContains(t, err, dir)
			if c.name == "path in the list" {
				require.ErrorContains(t, err, "does not list clock.arrow")
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
