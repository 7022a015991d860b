package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// kinds are the files that users name, or that are in directories which they name, with command lines that
// read them. Only the first line is run with what it accepts.
var kinds = []struct {
	name, file string
	other      string // a file of another kind
	lines      []string
}{
	{"profile", "mine.toml", "sweep.toml", []string{
		"run alltoall --platform IN/mine.toml --nodes 2 --count 1 --json", "why alltoall --platform IN/mine.toml", "baseline --platform IN/mine.toml",
		"logp --platform IN/mine.toml", "bandwidth --platform IN/mine.toml", "perturb --platform IN/mine.toml", "clocktest --platform IN/mine.toml",
		"tpil --platform IN/mine.toml", "selftest --platform IN/mine.toml", "verbs --platform IN/mine.toml", "messages pingpong --platform IN/mine.toml",
		"validate --detail fast --platform IN/mine.toml", "sweep IN/places.toml --list", "calibrate IN/listing.txt --platform IN/mine.toml -o out.toml",
	}},
	{"sweep", "sweep.toml", "mine.toml", []string{"sweep IN/sweep.toml --list"}},
	{"schedule", "schedule.goal", "listing.txt", []string{
		"messages goal --schedule IN/schedule.goal --json", "run goal --schedule IN/schedule.goal", "why goal --schedule IN/schedule.goal",
		"validate --detail fast --only goal --schedule IN/schedule.goal", "sweep IN/schedules.toml --list",
	}},
	{"listing", "listing.txt", "schedule.goal", []string{
		"verbs --platform cx6-hdr --beside IN/listing.txt --json", "calibrate IN/listing.txt --platform cx6-hdr -o out.toml",
	}},
	{"capture", "a.pcap", "listing.txt", []string{"import pcap IN/a.pcap IN/b.pcap --json -o out", "import pcap IN/b.pcap IN/a.pcap -o out"}},
	{"key", "key", "listing.txt", []string{"agent --key IN/key --listen 127.0.0.1:99999", "live --key IN/key --peers 127.0.0.1:99999", "watch --agent 127.0.0.1:99999 --key IN/key --for 1s"}},
	{"run", "traced/run.json", "logp/logp.json", []string{
		"report IN/traced", "trace IN/traced", "trace IN/traced --against IN/traced", "export IN/traced --to csv -o out", "view IN/traced --export out.svg", "why IN/traced",
		"diff IN/traced IN/run --unlike", "report IN/run --baseline IN/traced", "view IN/run --baseline IN/traced --export out.svg",
		"reference accept IN/traced new --references out", "live --replay IN/traced", "calibrate IN/traced -o out.toml", "calibrate IN/live --check IN/traced -o out.toml",
	}},
	{"runs", "set/summary.json", "logp/logp.json", []string{"report IN/set", "diff IN/set IN/run --unlike"}},
	{"swept", "swept/sweep.json", "logp/logp.json", []string{"report IN/swept", "export IN/swept --to csv -o out"}},
	{"figures", "logp/logp.json", "traced/run.json", []string{"report IN/logp", "diff IN/logp IN/logp", "calibrate IN/live --logp IN/logp -o out.toml"}},
	{"reference", "references/kept/reference.json", "traced/run.json", []string{
		"reference list --references IN/references", "reference show kept --references IN/references", "diff @kept IN/run --unlike --references IN/references",
		"reference accept IN/run kept --references IN/references", "reference prune --references IN/references",
	}},
}

// noFiles are flags with a text, and arguments, that name no file which a command reads.
var noFiles = strings.Fields("--layer --output --operations --only --pages --listen --new-key --peers --congestion --fail-on --select " +
	"--export --geometry --figure --size --workload --table --faster --phases --dir --comm --metrics --agent --cgroup --port --program --free-port --quick-program NAME FOLDER WORKLOAD PROGRAM PROGRAM... ARGS... COMMAND TOPIC")

// states are given to a file.
var states = []struct {
	name string
	of   func(whole []byte) []byte
}{
	{"whole", bytes.Clone},
	{windows, func(whole []byte) []byte {
		return append([]byte("\ufeff"), bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n"))...)
	}},
	{"UTF-16", func(whole []byte) []byte {
		text := []byte{0xff, 0xfe}
		for _, c := range utf16.Encode([]rune(string(whole))) {
			text = append(text, byte(c), byte(c>>8))
		}
		return text
	}},
	{"empty", func([]byte) []byte { return nil }},
	{"first half", func(whole []byte) []byte { return whole[:len(whole)/2] }},
	{"line of 2 MB", func(whole []byte) []byte { return append(bytes.Repeat([]byte("x"), 2<<20), whole...) }},
	{"number of 400 digits", func(whole []byte) []byte {
		number := regexp.MustCompile(`(?m)(^num_ranks |^[^/#\n]*(?:= |: )"?)\d+`) // not in a comment
		at := number.FindSubmatchIndex(append(bytes.Clone(whole), "\n: 1"...))    // at the end, if it has none
		return slices.Concat(whole[:min(at[3], len(whole))], bytes.Repeat([]byte("9"), 400), whole[min(at[1], len(whole)):])
	}},
	{"100 MB", nil},
	{"picture", func([]byte) []byte { return []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10") }},
	{"program", func([]byte) []byte {
		return []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00>\x00")
	}},
	{"another kind", nil},
	{"directory", nil},
	{"missing", nil},
	{pipe, nil},
}

const (
	windows = "byte order mark and CRLF"
	pipe    = "pipe"
)

// TestTableOfInputs: testdata/inputs.golden has what users see of every file that a command reads, in every
// condition. A command line is left out where it says what the first of its kind says.
func TestTableOfInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	golden, err := filepath.Abs("testdata/inputs.golden")
	require.NoError(t, err)
	listing, err := os.ReadFile(filepath.Join(samples, "listing.txt"))
	require.NoError(t, err)
	captures, err := filepath.Abs("../../live/capture/testdata")
	require.NoError(t, err)
	w := newWorkshop(t)
	for name, text := range map[string]string{
		"listing.txt": string(listing), "key": "k7yV2m0bqJ9xTzR4uWcNfLhAeGsPdQ1oXiBvKjY6r8M=\n",
		"places.toml":    fmt.Sprintf("programs = [\"alltoall\"]\nplatforms = [%q]\n", w.inputs+"/mine.toml"),
		"schedules.toml": fmt.Sprintf("programs = [\"goal\"]\n[run]\nschedule.file = %q\n", w.inputs+"/schedule.goal"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(w.inputs, name), []byte(text), 0o644))
	}
	sigview(t, "live", "--count", "20", "-q", "-o", filepath.Join(w.inputs, "live"))
	for _, name := range []string{"a.pcap", "b.pcap"} {
		text, err := os.ReadFile(filepath.Join(captures, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(w.inputs, name), text, 0o644))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var table strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&table, "\n%s: IN/%s\n", k.name, k.file)
		file := filepath.Join(w.inputs, k.file)
		whole, err := os.ReadFile(file)
		require.NoError(t, err)
		first := map[string]string{}
		for i, line := range k.lines {
			var said []string
			of := map[string][]string{}
			good := ""
			for _, c := range states {
				if i > 0 && (first[c.name] == first["whole"] || c.name == "100 MB") {
					continue
				}
				require.NoError(t, os.RemoveAll(file))
				planted := plant(t, w, file, whole, c.name, k.other, c.of)
				answer, out := w.answers(t, line)
				planted()
				switch {
				case i > 0 && answer == first[c.name]:
					continue
				case i > 0:
				case c.name == "whole":
					good = out
				case answer == first["whole"] && (c.name == windows || c.name == pipe):
					require.Equal(t, good, out, "%s: %s", line, c.name)
				}
				if i == 0 {
					first[c.name] = answer
				}
				if of[answer] == nil {
					said = append(said, answer)
				}
				of[answer] = append(of[answer], c.name)
			}
			require.NoError(t, os.RemoveAll(file))
			require.NoError(t, os.WriteFile(file, whole, 0o644))
			if len(said) > 0 {
				fmt.Fprintf(&table, "  $ sigview %s\n", line)
			}
			for _, answer := range said {
				fmt.Fprintf(&table, "    %s: %s\n", strings.Join(of[answer], ", "), answer)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(table.String()), 0o644))
		return
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), table.String())
}

// plant puts a file into a state until the function that it returns is called.
func plant(t *testing.T, w workshop, file string, whole []byte, state, other string, of func([]byte) []byte) (end func()) {
	t.Helper()
	var err error
	end = func() {}
	switch state {
	case "100 MB":
		err = errors.Join(os.WriteFile(file, whole, 0o644), os.Truncate(file, 100<<20))
	case "another kind":
		whole, err = os.ReadFile(filepath.Join(w.inputs, other))
		err = errors.Join(err, os.WriteFile(file, whole, 0o644))
	case "directory":
		err = os.Mkdir(file, 0o755)
	case "missing":
	case pipe:
		err = unix.Mkfifo(file, 0o644)
		end = write(t, file, whole)
	default:
		err = os.WriteFile(file, of(whole), 0o644)
	}
	require.NoError(t, err)
	return end
}

// write gives a text to whoever reads a pipe, until the function that it returns is called. The text fits into
// the pipe.
func write(t *testing.T, pipe string, text []byte) (end func()) {
	done := make(chan bool)
	go func() {
		if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil { // waits for a reader
			_, _ = f.Write(text) // which may be gone
			_ = f.Close()
		}
		close(done)
	}()
	return func() {
		f, err := os.OpenFile(pipe, os.O_RDONLY|unix.O_NONBLOCK, 0)
		require.NoError(t, err)
		<-done
		require.NoError(t, f.Close())
	}
}

// answers runs a command line in a fresh folder and returns its exit code with what it says if it fails, and
// what it prints without what differs from one file to another.
func (w workshop) answers(t *testing.T, line string) (answer, printed string) {
	t.Helper()
	t.Chdir(t.TempDir())
	a, out, stderr := realApp()
	code := a.run(t.Context(), w.words(line))
	printed = regexp.MustCompile(`.*("[a-z_]*(digest|sha256)"|"spec"|cached|dir).*\n`).ReplaceAllString(out.String(), "")
	message := strings.ReplaceAll(stderr.String(), w.inputs, "IN")
	require.Less(t, len(message), 10_000, line)
	message = regexp.MustCompile(`^sigview [a-z ]+: |( \(nothing was written to [^)]+\))?\n(See 'sigview [a-z ]+ --help'.\n)?$`).ReplaceAllString(message, "")
	message = regexp.MustCompile(`x{50,}|9{50,}`).ReplaceAllStringFunc(message, func(s string) string { return s[:1] + "…" })
	if code != exitPass && code != exitInconclusive && code != exitOutOfBounds {
		require.Empty(t, tree(t, "."), line)
	}
	require.NotContains(t, message, "runtime error", line)
	return strings.TrimSpace(fmt.Sprint(code, " ", message)), printed
}

// TestTableHasEveryInput: a flag or an argument that may name a file is in the table, or in noFiles.
func TestTableHasEveryInput(t *testing.T) {
	root := func() *cobra.Command { a, _, _ := realApp(); return a.root() }
	listed := map[string]bool{}
	for _, k := range kinds {
		for _, line := range k.lines {
			cmd, words, err := root().Find(strings.Fields(line))
			require.NoError(t, err, line)
			require.NoError(t, cmd.ParseFlags(words), line)
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if strings.Contains(f.Value.String(), "IN/") {
					listed[cmd.CommandPath()+" --"+f.Name] = true
				}
			})
			for i, word := range cmd.Flags().Args() {
				if strings.HasPrefix(word, "IN/") {
					listed[cmd.CommandPath()+" "+arguments(cmd)[i]] = true
				}
			}
		}
	}
	taken := map[string]bool{}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
		if !cmd.Runnable() || cmd.HasSubCommands() {
			return
		}
		words := arguments(cmd)
		visitTexts := func(f *pflag.Flag) {
			if slices.Contains([]string{"*pflag.stringValue", "*pflag.stringSliceValue", "*pflag.stringArrayValue"}, fmt.Sprintf("%T", f.Value)) {
				words = append(words, "--"+f.Name)
			}
		}
		cmd.NonInheritedFlags().VisitAll(visitTexts)
		cmd.InheritedFlags().VisitAll(visitTexts)
		for _, word := range words {
			if !slices.Contains(noFiles, word) {
				taken[cmd.CommandPath()+" "+word] = true
			}
		}
	}
	visit(root())
	require.Equal(t, taken, listed)
}

// arguments returns the names of a command's arguments.
func arguments(cmd *cobra.Command) []string {
	form, _, _ := strings.Cut(cmd.Use, " -")
	return regexp.MustCompile(`[A-Z][A-Z_]*[^ \]]*`).FindAllString(form, -1)
}
