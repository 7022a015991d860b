package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExportsOfARunWithout: a run that recorded nothing is exported as tables without rows; forms that need more
// are refused with the reason, and leave no file. So is a run with a damaged or missing file.
func TestExportsOfARunWithout(t *testing.T) {
	t.Chdir(t.TempDir())
	s := viewed{t: t}
	for dir, words := range map[string]string{"fast": "--detail fast", "off": "--monitor off", "clock": "--monitor clock", "traced": "--trace=waits"} {
		s.command(strings.Fields("run alltoall --nodes 2 --count 1 -q -o " + dir + " " + words)...)
	}
	damage := func(dir, file string, change func([]byte) []byte) {
		require.NoError(t, os.CopyFS(dir, os.DirFS("traced")))
		data, err := os.ReadFile(dir + "/" + file)
		require.NoError(t, err)
		if data = change(data); data == nil {
			require.NoError(t, os.Remove(dir+"/"+file))
			return
		}
		require.NoError(t, os.WriteFile(dir+"/"+file, data, 0o644))
	}
	for _, file := range []string{"run.json", "packets.arrow", "classes.arrow", "latency.hlog", "waits.arrow"} {
		damage("flipped-"+file, file, func(data []byte) []byte { data = bytes.Clone(data); data[len(data)/2] ^= 1; return data })
		damage("cut-"+file, file, func(data []byte) []byte { return data[:len(data)/2] })
		damage("no-"+file, file, func([]byte) []byte { return nil })
	}
	const nothing, untraced, unwaited, unpacked = "the run has none: nothing was recorded", "record it with sigview run --trace", "record it with sigview run --trace=waits", "record it with sigview run --trace=packets"
	for _, c := range []struct{ dir, to, want string }{
		{"fast", "csv", ""}, {"fast", "parquet", ""}, {"fast", "hlog", nothing}, {"fast", "hgrm", nothing}, {"fast", "perfetto", untraced}, {"fast", "goal", unwaited}, {"fast", "htsim", unpacked},
		{"off", "csv", ""}, {"off", "parquet", ""}, {"off", "hlog", nothing}, {"off", "hgrm", nothing}, {"off", "perfetto", untraced}, {"off", "goal", unwaited}, {"off", "htsim", unpacked},
		{"clock", "csv", ""}, {"clock", "hlog", nothing}, {"clock", "hgrm", nothing}, {"clock", "perfetto", untraced}, {"clock", "goal", unwaited}, {"clock", "htsim", unpacked},
		{"off", "csv --table packets", "table packets: the run has none, it has [signature classes pairs histograms clock]"},
		{"traced", "csv", ""}, {"traced", "parquet", ""}, {"traced", "hlog", ""}, {"traced", "hgrm", ""}, {"traced", "perfetto", ""}, {"traced", "goal", ""}, {"traced", "htsim", ""},
	} {
		s.exports(c.dir, c.to, c.want)
	}
	for to, files := range map[string][]string{
		"csv": {"run.json", "packets.arrow", "classes.arrow", "waits.arrow"}, "parquet": {"run.json", "packets.arrow", "classes.arrow", "waits.arrow"},
		"hlog": {"run.json", "latency.hlog"}, "hgrm": {"run.json", "latency.hlog"}, "perfetto": {"run.json", "packets.arrow", "waits.arrow"}, "goal": {"run.json", "waits.arrow"}, "htsim": {"run.json", "packets.arrow"},
	} {
		for _, file := range files {
			for _, how := range []string{"flipped-", "cut-", "no-"} {
				s.exports(how+file, to, file)
			}
		}
	}
}

// exports exports a run; want is in the message of one that is refused.
func (s viewed) exports(dir, to, want string) {
	s.t.Helper()
	out := dir + "-as-" + strings.Fields(to)[0]
	a, _, stderr := realApp()
	code := a.run(s.t.Context(), append([]string{"export", dir, "-o", out, "--to"}, strings.Fields(to)...))
	if want == "" {
		require.Equal(s.t, exitPass, code, "%s: %s", out, stderr)
		require.NoError(s.t, os.RemoveAll(out))
		return
	}
	require.NotEqual(s.t, exitPass, code, out)
	require.Contains(s.t, stderr.String(), want, out)
	require.NoDirExists(s.t, out)
	require.NoFileExists(s.t, out)
}
