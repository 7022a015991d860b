package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// TestTranscripts runs the commands of testdata/*.txt in a fresh directory
// each file, and compares the first lines that they print and the exit code. A line "$ …" is a command, "> " marks standard error and
// "[n]" the exit code. "$ touch NAME", "$ mkdir NAME", "$ ls" and "$ copy SAMPLE" do what
// they say.
func TestTranscripts(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that run one after another")
	}
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	ran := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			path, err := filepath.Abs(file)
			require.NoError(t, err)
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			t.Setenv("NO_COLOR", "")
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			t.Chdir(t.TempDir())
			got := transcript(t, string(want))
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(want), got)
			ran++
		})
	}
	if ran == len(files) {
		// Others draw, write files, measure real sockets, say when and how they were made, take minutes or have no end.
		elsewhere := append([]string{"view", "serve", "export", "live", "watch", "calibrate", "reference", "version", "resources", "selftest"}, whole...)
		silent := slices.DeleteFunc(commandNames(newApp(&bytes.Buffer{}, &bytes.Buffer{}).root()), func(name string) bool {
			return answered[name] || slices.Contains(elsewhere, name)
		})
		require.Empty(t, silent, "no transcript shows what these commands print")
	}
}

// runner returns a function that runs a command, requires its exit code and that an answer fits,
// and returns what the command prints.
func runner(t *testing.T) func(want int, args ...string) string {
	return func(want int, args ...string) string {
		t.Helper()
		var out, messages bytes.Buffer
		require.Equal(t, want, newApp(&out, &messages).run(context.Background(), args), "%v: %s", args, &messages)
		requireFits(t, args, out.String(), messages.String())
		return out.String() + messages.String()
	}
}

// samples are the files that transcripts copy.
var samples, _ = filepath.Abs("testdata/samples")

// shownLines is how many lines of an output a transcript has. Tests of reports have all.
const shownLines = 12

func transcript(t *testing.T, script string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "# ") {
			fmt.Fprintln(&out, line)
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		fmt.Fprintf(&out, "$ %s\n%s\n", command, play(t, strings.Fields(command)))
	}
	return out.String()
}

func play(t *testing.T, words []string) string {
	t.Helper()
	var out strings.Builder
	switch words[0] {
	case "touch":
		require.NoError(t, os.WriteFile(words[1], []byte("x"), 0o644))
		return ""
	case "mkdir":
		require.NoError(t, os.Mkdir(words[1], 0o755))
		return ""
	case "copy":
		data, err := os.ReadFile(filepath.Join(samples, words[1]))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(words[1], data, 0o644))
		return ""
	case "ls":
		for _, dir := range words[1:] {
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			for _, e := range entries {
				fmt.Fprintf(&out, "%s/%s\n", dir, e.Name())
			}
		}
		if len(words) > 1 {
			return out.String()
		}
		require.NoError(t, filepath.WalkDir(".", func(p string, _ os.DirEntry, err error) error {
			if p != "." {
				fmt.Fprintln(&out, filepath.ToSlash(p))
			}
			return err
		}))
		return out.String()
	case "cat":
		data, err := os.ReadFile(words[1])
		require.NoError(t, err)
		return string(data)
	}
	ctx := context.Background()
	if words[0] == "interrupted" {
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		ctx, words = stopped, words[1:]
	}
	require.Equal(t, "sigview", words[0])
	var stdout, stderr bytes.Buffer
	a := newApp(&stdout, &stderr)
	code, commands := a.run(ctx, words[1:]), strings.Join(commandNames(a.root()), ", ")
	requireFits(t, words[1:], stdout.String(), stderr.String())
	lines := strings.SplitAfter(stdout.String(), "\n")
	for _, line := range lines[:min(len(lines), shownLines)] {
		if strings.HasPrefix(line, "# ") {
			line = " " + line // no comment of the transcript
		}
		out.WriteString(line)
	}
	if len(lines) > shownLines {
		out.WriteString("…\n")
	}
	messages := slices.Collect(strings.Lines(stderr.String()))
	slices.SortStableFunc(messages, func(a, b string) int { // runs fail in the order in which they end
		if strings.HasPrefix(a, "failed: ") && strings.HasPrefix(b, "failed: ") {
			return strings.Compare(a, b)
		}
		return 0
	})
	for _, line := range messages {
		out.WriteString("> " + line)
	}
	fmt.Fprintf(&out, "[%d]\n", code)
	return strings.NewReplacer(version.Tool(), "VERSION", commands, "COMMANDS").Replace(out.String())
}

// whole are the commands and flags whose output is not an answer: all of a report or a help
// text, a named thing, a document for other programs.
var whole = []string{"report", "help", "man", "completion", "agent", "platforms", "--help", "--full", "--json", "--format", "--export"}

// answered are the commands that transcripts have made answer.
var answered = map[string]bool{}

// requireFits requires that what a command prints fits: that of run on a screen with its messages,
// that of others within the lines of an answer.
func requireFits(t *testing.T, words []string, printed, messages string) {
	t.Helper()
	if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { name, _, _ := strings.Cut(w, "="); return slices.Contains(whole, name) }) {
		return
	}
	most := report.AnswerLines
	if words[0] == "run" {
		most, printed = report.ScreenLines+1, printed+messages
	}
	require.LessOrEqual(t, strings.Count(printed, "\n"), most, "sigview %s\n%s", strings.Join(words, " "), printed)
	answered[words[0]] = answered[words[0]] || strings.Contains(printed, "\n")
}

// TestExitCodeOfTheWholeProgram goes through the function that main calls.
func TestExitCodeOfTheWholeProgram(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitPass, run([]string{"version"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "sigview ")
	require.Empty(t, stderr.String())
	require.Equal(t, exitUsage, run([]string{"versoin"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), `did you mean "version"?`)
}

// TestBrokenPipeIsAFailure: a result that cannot be written is never a pass.
func TestBrokenPipeIsAFailure(t *testing.T) {
	var stderr bytes.Buffer
	require.Equal(t, exitFailure, newApp(brokenPipe{}, &stderr).run(context.Background(), []string{"platforms"}))
	require.Contains(t, stderr.String(), "pipe is broken")
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, fmt.Errorf("pipe is broken") }

// TestEveryCommandIsDocumented keeps help texts complete.
func TestEveryCommandIsDocumented(t *testing.T) {
	root := newApp(&bytes.Buffer{}, &bytes.Buffer{}).root()
	for _, c := range root.Commands() {
		require.NotEmpty(t, c.Short, c.Name())
		require.False(t, strings.HasSuffix(c.Short, "."), c.Name())
	}
}

func TestManualPagesAreTheSameEveryDay(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"a", "b"} {
		require.Equal(t, exitPass, newApp(&bytes.Buffer{}, &bytes.Buffer{}).run(context.Background(), []string{"man", "--dir", dir}))
	}
	pages, err := filepath.Glob("a/*.1")
	require.NoError(t, err)
	require.Greater(t, len(pages), 10)
	for _, p := range pages {
		first, err := os.ReadFile(p)
		require.NoError(t, err)
		second, err := os.ReadFile(filepath.Join("b", filepath.Base(p)))
		require.NoError(t, err)
		require.Equal(t, string(first), string(second))
	}
}
