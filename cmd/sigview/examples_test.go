package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/experiment"
)

// TestExamplesWork goes through the sigview commands of the README, of each page of docs and of the
// help texts, in their order and a folder for each. Those of the README run, and with SIGVIEW_LONG=1
// those of docs; the others are checked up to where they begin to work. Samples lie where
// documents say; a small run stands for a directory that no command before has made.
func TestExamplesWork(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	small := filepath.Join(t.TempDir(), "run")
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "--trace=waits", "-q", "-o", small)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		name := filepath.Base(page)
		isReadme := name == "README.md" && filepath.Dir(page) == root
		commands := examples(code(string(text)))
		require.False(t, isReadme && len(commands) < 10)
		t.Run(strings.TrimPrefix(page, root+"/"), func(t *testing.T) {
			try(t, root, commands, small, !testing.Short() && (isReadme || testlong.On()))
		})
	}
	for _, c := range newApp(&bytes.Buffer{}, &bytes.Buffer{}).root().Commands() {
		t.Run("help "+c.Name(), func(t *testing.T) {
			try(t, root, examples(c.Example), small, false)
		})
	}
}

// try goes through commands in a new folder. If they are not run, or cannot be run in a test, they are checked.
func try(t *testing.T, root string, commands [][]string, small string, run bool) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.CopyFS("docs/samples", os.DirFS(filepath.Join(root, "docs", "samples"))))
	for _, words := range commands {
		for _, dir := range directories(words) {
			if _, err := os.Stat(dir); err != nil {
				require.NoError(t, os.CopyFS(dir, os.DirFS(small)))
			}
		}
		for i, w := range words {
			_, err := os.Stat(w)
			if sample := standIn(w); err != nil && sample != "" && words[i-1] != "-o" {
				require.NoError(t, os.Symlink(filepath.Join("docs", "samples", sample), w))
			}
		}
		a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
		if words[0] == "agent" || words[0] == "serve" { // it has no end
			cmd, flags, err := a.root().Find(words)
			require.NoError(t, err)
			require.NoError(t, cmd.ParseFlags(flags))
			continue
		}
		a.checkOnly = !run || needsMore(words)
		if _, err := a.execute(t.Context(), words); err != nil && !errors.Is(err, errReady) {
			require.NotContains(t, []int{exitUsage, exitFailure}, exitCode(err), "sigview %s\n%v", strings.Join(words, " "), err)
		}
	}
}

// needsMore reports whether a command needs a terminal, another host, or messages to watch and the right to.
func needsMore(words []string) bool {
	return slices.Contains(words, "--peers") || words[0] == "watch" || words[0] == "view" && !slices.Contains(words, "--export")
}

// standIn returns the sample that stands for an input file: the one of its name, or of its ending. It
// is empty if none does.
func standIn(file string) string {
	if sample := filepath.Base(file); slices.Contains([]string{"layers.toml", "sender.pcap"}, sample) {
		return sample
	}
	return map[string]string{
		".toml": "card.toml", ".txt": "ib_write_lat.txt", ".goal": "ring.goal", ".pcap": "receiver.pcap", ".pcapng": "receiver.pcap",
	}[filepath.Ext(file)]
}

// directories returns the run directories that a command reads.
func directories(words []string) (dirs []string) {
	switch words[0] {
	case "live":
		if at := slices.Index(words, "--replay"); at >= 0 {
			return words[at+1 : at+2]
		}
		return nil
	case "report", "view", "why", "trace", "diff", "reference", "calibrate", "export":
	default:
		return nil
	}
	known := experiment.Names(experiment.Known().Workloads)
	for i, w := range words[1:] {
		before := words[i]
		isValue := strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && !slices.Contains([]string{"--records", "--json", "--unlike", "--full", "-q"}, before)
		program := slices.Contains(known, strings.Split(w, "+")[0]) && words[0] == "why"
		if (!isValue || before == "--baseline") && !program && !strings.HasPrefix(w, "-") && words[0]+" "+before != "reference reference" && !strings.Contains(w, ".") {
			dirs = append(dirs, strings.TrimPrefix(w, referenceMark))
		}
	}
	return dirs
}

// code returns the blocks of code of a page.
func code(page string) string {
	var out strings.Builder
	for i, part := range strings.Split(page, "```") {
		if i%2 == 1 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// examples returns the arguments of lines that call sigview. Comments and
// quotes go; several commands may stand on a line.
func examples(text string) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " # ")
		for part := range strings.SplitSeq(line, ";") {
			words := strings.Fields(strings.ReplaceAll(part, "'", ""))
			if len(words) > 1 && words[0] == "sigview" {
				out = append(out, words[1:])
			}
		}
	}
	return out
}
