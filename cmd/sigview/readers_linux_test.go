package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// inputs are files that users name, or that are in directories which they name, with command
// lines that read them.
var inputs = []struct {
	files string // pattern
	lines []string
	code  int
}{
	{"traced/*", []string{
		"report IN/traced", "export IN/traced --to csv -o out", "export IN/traced --to hlog -o out",
		"trace IN/traced", "view IN/traced --view timeline --export out.svg", "reference accept IN/traced new --references out",
	}, exitFailure},
	{"set/seed-0002/[rs]*", []string{"report IN/set", "diff IN/set IN/run --unlike"}, exitFailure},
	{"set/summary.json", []string{"report IN/set"}, exitFailure},
	{"swept/sweep.json", []string{"report IN/swept", "export IN/swept --to csv -o out"}, exitFailure},
	{"swept/sweep/*/*/*.parquet", []string{"report IN/swept", "export IN/swept --to csv -o out"}, exitFailure},
	{"swept/runs/*/seed-0001/signature.arrow", []string{"sweep IN/sweep.toml --collect -o IN/swept"}, exitFailure},
	{"logp/logp.json", []string{"report IN/logp", "export IN/logp --to csv -o out", "diff IN/logp IN/logp"}, exitFailure},
	{"references/kept/reference.json", []string{"reference list --references IN/references", "diff @kept IN/run --unlike --references IN/references"}, exitFailure},
	{"references/kept/runs/run.json", []string{"diff @kept IN/run --unlike --references IN/references"}, exitFailure},
	{"sweep.toml", []string{"sweep IN/sweep.toml --list"}, exitUsage},
	{"mine.toml", []string{"run alltoall --platform IN/mine.toml --nodes 2 --count 1 -o out"}, exitUsage},
	{"schedule.goal", []string{"run goal --schedule IN/schedule.goal -o out", "messages goal --schedule IN/schedule.goal"}, exitUsage},
}

// damages are done to a file.
var damages = []struct {
	name  string
	plant func(file string, whole []byte) error
}{
	{"empty", cut(func(int) int { return 0 })},
	{"first half", cut(func(n int) int { return n / 2 })},
	{"end cut off", cut(func(n int) int { return n - 2 })},
	{"missing", func(string, []byte) error { return nil }},
	{"directory", func(file string, _ []byte) error { return os.Mkdir(file, 0o755) }},
	{"link to itself", func(file string, _ []byte) error { return os.Symlink(filepath.Base(file), file) }},
	{"read error", func(file string, _ []byte) error { return os.Symlink("/proc/self/mem", file) }}, // nothing is at its begin
	{"no permission", func(file string, whole []byte) error {
		return os.WriteFile(file, whole, 0)
	}},
}

func cut(to func(int) int) func(string, []byte) error {
	return func(file string, whole []byte) error { return os.WriteFile(file, whole[:to(len(whole))], 0o644) }
}

// TestFailingReaders damages each input: the commands that read it fail with one error that
// names it, and write nothing.
func TestFailingReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	w := newWorkshop(t)
	for _, in := range inputs {
		files, err := filepath.Glob(filepath.Join(w.inputs, in.files))
		require.NoError(t, err)
		require.NotEmpty(t, files, in.files)
		for _, file := range files {
			t.Run(file[len(w.inputs)+1:], func(t *testing.T) {
				t.Chdir(t.TempDir())
				whole, err := os.ReadFile(file)
				require.NoError(t, err)
				restore := func() {
					require.NoError(t, os.RemoveAll(file))
					require.NoError(t, os.WriteFile(file, whole, 0o644))
				}
				defer restore()
				for _, d := range damages {
					if d.name == "no permission" && os.Getuid() == 0 {
						continue // root reads everything
					}
					require.NoError(t, os.Remove(file))
					require.NoError(t, d.plant(file, whole))
					failed := 0
					for _, line := range in.lines {
						failed += w.reads(t, line, file, in.code, d.name)
					}
					if d.name != "missing" || filepath.Base(file) != "summary.json" { // sets of runs need none
						require.NotZero(t, failed, "%s: nothing finds it", d.name)
					}
					restore()
				}
				for _, line := range in.lines {
					require.Zero(t, w.reads(t, line, file, in.code, "none"), line)
				}
			})
		}
	}
}

// reads runs a command line that may read a damaged file, and returns 1 if it fails.
func (w workshop) reads(t *testing.T, line, file string, want int, damage string) int {
	t.Helper()
	a, _, stderr := realApp()
	code := a.run(t.Context(), w.words(line))
	if code == exitPass || code == exitInconclusive {
		require.Empty(t, stderr.String())
		require.NoError(t, errors.Join(os.RemoveAll("out"), os.RemoveAll("out.svg")))
		return 0
	}
	message := line + ": " + damage
	require.Equal(t, want, code, "%s: %s", message, stderr)
	name := regexp.QuoteMeta(filepath.Base(file))
	if damage == "missing" { // the directory is then one of another sort, or of none
		name += "|" + regexp.QuoteMeta(filepath.Dir(file))
	}
	require.Regexp(t, "^sigview [^\n]*("+name+")[^\n]*\n(See 'sigview [a-z ]+ --help'.\n)?$", stderr.String(), message)
	require.NotContains(t, stderr.String(), "runtime error", message)
	require.Empty(t, tree(t, "."), message)
	return 1
}
