package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fileSize limits the files that the test binary can write as the program itself, in bytes.
const fileSize = "SIGVIEW_TEST_FILE_SIZE"

func init() {
	limit, err := strconv.ParseUint(os.Getenv(fileSize), 10, 64)
	if err != nil {
		return // no limit
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
}

// outputs are command lines that write files, in a folder where IN is that of inputs.
var outputs = []struct {
	line  string
	place string // what the error names
	given string // what is there before: the file itself, with another content, or a copy of this input
}{
	{"run alltoall --nodes 2 --count 1 --trace=waits -o out", "out", ""},
	{"run alltoall --nodes 2 --count 1", "sigview-runs/alltoall-001", ""},
	{"run alltoall --nodes 2 --count 1 --detail fast -o a/out", "a/out", "a/file"},
	{"run alltoall --nodes 2 --count 1 --seeds 2 -o set", "set", ""},
	{"run alltoall --nodes 2 --count 1 --seeds 2", "sigview-runs/alltoall-001", ""},
	{"run alltoall --nodes 2 --count 1 --seeds 2 -o set", "set/summary.json", "IN/set"},
	{"sweep IN/sweep.toml -o sw", "sw", ""},
	{"sweep IN/sweep.toml", "sigview-runs/sweep", ""},
	{"sweep IN/sweep.toml --collect -o swept", "swept", "IN/swept"},
	{"sweep IN/sweep.toml --slurm -o sw", "sw/slurm.sh", ""},
	{"baseline --platform ppro -o base", "base", ""},
	{"logp --platform meiko -o logp", "logp", ""},
	{"bandwidth --platform ppro --layer gam --size 64,1K -o bandwidth", "bandwidth", ""},
	{"tpil --size 64 -o tpil", "tpil", ""},
	{"verbs --size 64 -o verbs", "verbs", ""},
	{"perturb --size 64 --tests pingpong -o perturb", "perturb", ""},
	{"why alltoall --nodes 2 --count 1 --seeds 1 -o why.txt", "why.txt", "why.txt"},
	{"why alltoall --nodes 2 --count 1 --seeds 1 --format html -o why.html", "why.html", ""},
	{"validate --only grim-mtu -o rows.txt", "rows.txt", "rows.txt"},
	{"validate --only grim-mtu --json -o rows.json", "rows.json", ""},
	{"validate --only grim-mtu --pages pages", "pages", ""},
	{"validate --only grim-mtu --pages pages", "pages", "pages/validation.md"},
	{"validate --detail fast --only pingpong --platform ppro --nodes 2 -o fast.txt", "fast.txt", ""},
	{"report IN/traced --format text -o r.txt", "r.txt", "r.txt"},
	{"report IN/traced --format md -o r.md", "r.md", ""},
	{"report IN/traced --format html -o r.html", "r.html", "r.html"},
	{"report IN/traced --format json -o r.json", "r.json", ""},
	{"report IN/swept --format html -o r.html", "r.html", ""},
	{"report IN/traced --format svg -o r.svg", "r.svg", "r.svg"},
	{"report IN/traced --format png -o r.png", "r.png", ""},
	{"report IN/logp --format pdf -o r.pdf", "r.pdf", ""},
	{"report IN/logp --format json -o r.json", "r.json", "r.json"},
	{"diff IN/traced IN/run --unlike -o d.txt", "d.txt", ""},
	{"diff IN/traced IN/run --unlike --format html -o d.html", "d.html", "d.html"},
	{"diff IN/traced IN/run --unlike --format junit -o d.xml", "d.xml", ""},
	{"export IN/traced --to parquet -o e", "e", ""},
	{"export IN/traced --to csv -o e", "e", ""},
	{"export IN/traced --to csv --table waits -o e", "e", ""},
	{"export IN/set --to csv -o e", "e", ""},
	{"export IN/logp --to csv -o e", "e", ""},
	{"export IN/swept --to parquet -o e", "e", ""},
	{"export IN/traced --to hlog -o e.hlog", "e.hlog", "e.hlog"},
	{"export IN/set --to hlog -o e", "e", ""},
	{"export IN/traced --to hgrm -o e", "e", ""},
	{"export IN/traced --to perfetto -o e.pftrace", "e.pftrace", "e.pftrace"},
	{"export IN/traced --to goal -o e.goal", "e.goal", ""},
	{"view IN/traced --export v.svg", "v.svg", "v.svg"},
	{"view IN/traced --export v.png", "v.png", ""},
	{"view IN/traced --export v.csv", "v.csv", ""},
	{"view IN/traced --export v.txt", "v.txt", ""},
	{"reference accept IN/traced kept --references refs", "refs/kept", ""},
	{"reference accept IN/set kept --references references", "references/kept", "IN/references"},
	{"reference accept IN/logp kept", ".sigview/references/kept", ""},
	{"man --dir share/man1", "share/man1", ""},
	{"man --dir man1", "man1", "man1/sigview-run.1"},
}

// TestFailingWriters lets files of outputs be too small for them: the command fails with one
// error, which names what was to be written, and all is as it was.
func TestFailingWriters(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	w := newWorkshop(t)
	for _, o := range outputs {
		t.Run(o.line, func(t *testing.T) {
			written, code, _, stderr := w.run(t, o.line, o.given, "")
			require.Contains(t, []int{exitPass, exitInconclusive}, code, stderr)
			largest := 0
			for _, text := range written {
				largest = max(largest, len(text))
			}
			require.NotZero(t, largest)
			before := w.before(t, o.given)
			for _, limit := range []int{0, largest / 2} {
				after, code, stdout, stderr := w.run(t, o.line, o.given, strconv.Itoa(limit))
				require.Equal(t, exitFailure, code, "%s %s", stdout, stderr)
				require.Empty(t, stdout)
				require.Regexp(t, `^sigview [^\n]*[ :/]`+regexp.QuoteMeta(o.place)+`[:/ ][^\n]*file too large[^\n]*\n$`, stderr)
				require.Equal(t, 1, strings.Count(stderr, "file too large"), stderr)
				require.NotRegexp(t, `incomplete|-[0-9]{6}|`+w.base, stderr, "a name of the program's own, or one that was read")
				if strings.HasPrefix(o.line, "sweep") { // its folders stay, for the runs to come
					maps.DeleteFunc(after, func(_, text string) bool { return text == "" })
					maps.DeleteFunc(before, func(_, text string) bool { return text == "" })
				}
				require.Equal(t, before, after, "what is there is not as it was")
				require.Empty(t, tree(t, w.at("tmp")))
				for file := range tree(t, w.at("cache")) {
					require.NotRegexp(t, `/\.`, file, "a temporary file")
				}
			}
		})
	}
}

// TestPlacesThatCannotBe names a place below a file: no command writes there, and those with -o
// do no work before they say so.
func TestPlacesThatCannotBe(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	w := newWorkshop(t)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("file", []byte("as it was"), 0o644))
	for line, want := range map[string]int{
		"run alltoall --nodes 2 --count 1 -o file/x": exitUsage, "run alltoall --nodes 2 --count 1 --seeds 2 -o file/x": exitUsage,
		"sweep IN/sweep.toml -o file/x": exitUsage, "sweep IN/sweep.toml --slurm -o file/x": exitUsage, "logp --platform meiko -o file/x": exitUsage,
		"why alltoall -o file/x": exitUsage, "validate -o file/x": exitUsage, "report IN/run -o file/x": exitUsage,
		"export IN/run --to csv -o file/x": exitUsage, "export IN/run --to hlog -o file/x": exitUsage, "view IN/run --export file/x.svg": exitUsage,
		"validate --only grim-mtu --pages file/x": exitFailure, "man --dir file/x": exitFailure, "reference accept IN/run kept --references file/x": exitFailure,
	} {
		a, _, stderr := realApp()
		require.Equal(t, want, a.run(t.Context(), w.words(line)), "%s: %s", line, stderr)
		require.Regexp(t, `^sigview [a-z ]+: [a-z ]+ file/x[^\n]*: not a directory\n(See .*\n)?$`, stderr.String(), line)
		require.Equal(t, map[string]string{"file": "as it was"}, tree(t, "."), line)
	}
}

// printing are command lines that write to standard output.
var printing = []string{
	"run alltoall --nodes 2 --count 1", "run alltoall --nodes 2 --count 1 --json -o json", "run alltoall --nodes 2 --count 1 --seeds 2 -o runs",
	"sweep IN/sweep.toml -o swept", "sweep IN/sweep.toml --list", "baseline --platform ppro", "baseline --platform ppro --json",
	"logp --platform meiko", "bandwidth --platform ppro --layer gam --size 64 --json", "tpil --size 64", "verbs --size 64", "perturb --size 64 --tests pingpong",
	"messages alltoall --ranks 2 --rounds 1", "clocktest --nodes 2", "why alltoall --nodes 2 --count 1 --seeds 1",
	"validate --only grim-mtu", "validate --only grim-mtu --json", "report IN/traced", "report IN/traced --format html", "report IN/logp --format json",
	"diff IN/traced IN/run --unlike", "diff IN/traced IN/run --unlike --format github", "trace IN/traced", "trace IN/traced --json",
	"reference list --references IN/references", "reference show kept --references IN/references --json", "reference",
	"platforms", "platforms ppro", "layers", "workloads --json", "workloads fft", "version", "version --json", "--version",
	"", "help", "help resources", "run --help", "--help", "completion bash", "completion zsh", "completion fish", "completion powershell",
}

// TestFullStandardOutput lets standard output take nothing: a result that is lost is never a
// pass.
func TestFullStandardOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	w := newWorkshop(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	t.Setenv("XDG_CACHE_HOME", w.at("cache"))
	t.Chdir(t.TempDir())
	for _, line := range printing {
		var stderr bytes.Buffer
		code := newApp(full, &stderr).run(t.Context(), w.words(line))
		require.Equal(t, exitFailure, code, "%s: %s", line, &stderr)
		require.Regexp(t, "^sigview[a-z ]*: standard output: no space left on device\n$", stderr.String(), line)
	}
}

// workshop runs command lines in a fresh folder each.
type workshop struct {
	base   string
	inputs string // folder
}

// newWorkshop makes the inputs: a run of each kind, whatever reads it.
func newWorkshop(t *testing.T) workshop {
	w := workshop{base: t.TempDir()}
	w.inputs = w.at("inputs")
	for _, dir := range []string{w.inputs, w.at("tmp"), w.at("cache")} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	profile, err := os.ReadFile("../../cluster/platform/profiles/ppro.toml")
	require.NoError(t, err)
	profile = regexp.MustCompile(` *#.*`).ReplaceAll(profile, nil) // so that it ends with a value
	require.NoError(t, os.WriteFile(filepath.Join(w.inputs, "mine.toml"), profile, 0o644))
	sweep := "programs = [\"alltoall\"]\nplatforms = [\"ppro\"]\nnodes = [2]\nseeds = \"1..2\"\n[run]\npattern.count = 1\n"
	require.NoError(t, os.WriteFile(filepath.Join(w.inputs, "sweep.toml"), []byte(sweep), 0o644))
	for _, line := range []string{
		"run alltoall --nodes 2 --count 1 --trace=waits -o traced", "run alltoall --nodes 2 --count 2 -o run",
		"run alltoall --nodes 2 --count 1 --seeds 2 -o set", "logp --platform meiko -o logp", "sweep sweep.toml -o swept",
		"reference accept traced kept --references references", "export traced --to goal -o schedule.goal",
	} {
		code, _, stderr := w.program(t, w.inputs, line, "")
		require.Equal(t, exitPass, code, stderr)
	}
	return w
}

func (w workshop) at(name string) string { return filepath.Join(w.base, name) }

// folder makes a fresh folder with what is given.
func (w workshop) folder(t *testing.T, given string) string {
	t.Helper()
	dir := t.TempDir()
	if name, ok := strings.CutPrefix(given, "IN/"); ok {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(w.inputs, name))))
	} else if given != "" {
		file := filepath.Join(dir, given)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte("as it was"), 0o644))
	}
	return dir
}

func (w workshop) before(t *testing.T, given string) map[string]string {
	return tree(t, w.folder(t, given))
}

// run runs a command line in a fresh folder, and returns what is then there.
func (w workshop) run(t *testing.T, line, given, limit string) (after map[string]string, code int, stdout, stderr string) {
	t.Helper()
	dir := w.folder(t, given)
	code, stdout, stderr = w.program(t, dir, line, limit)
	return tree(t, dir), code, stdout, stderr
}

// words are those of a command line, whose messages are of no interest.
func (w workshop) words(line string) []string {
	words := strings.Fields(strings.ReplaceAll(line, "IN/", w.inputs+"/"))
	return append(words, "-q")
}

// program runs a command line as a process of its own.
func (w workshop) program(t *testing.T, dir, line, limit string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], w.words(line)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", fileSize+"="+limit, "TMPDIR="+w.at("tmp"), "XDG_CACHE_HOME="+w.at("cache"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// tree returns the files of a folder with their contents, and the folders in it.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		text := []byte("")
		if !e.IsDir() {
			text, err = os.ReadFile(path)
		}
		out[strings.TrimPrefix(path, dir)] = string(text)
		return err
	}))
	return out
}
