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

	"github.com/sigview/sigview/experiment"
)

// TestExamplesOfTheReadmeWork runs every sigview command of the README, and of
// the help texts, up to where it begins to work. Directories that it reads hold a small run.
func TestExamplesOfTheReadmeWork(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	commands := examples(string(text))
	require.Greater(t, len(commands), 10)
	for _, c := range newApp(&bytes.Buffer{}, &bytes.Buffer{}).root().Commands() {
		commands = append(commands, examples(c.Example)...)
	}
	template := t.TempDir() + "/run"
	sigview(t, "run", "fft", "--nodes", "2", "--size", "1K", "--trace=waits", "-q", "-o", template)
	for _, words := range commands {
		t.Chdir(t.TempDir())
		a := newApp(&bytes.Buffer{}, &bytes.Buffer{})
		a.checkOnly = true
		for _, dir := range directories(words) {
			require.NoError(t, os.CopyFS(dir, os.DirFS(template)))
		}
		for _, w := range words {
			if file, named := samplesOf[filepath.Ext(w)]; named && !strings.Contains(w, "html") {
				require.NoError(t, os.MkdirAll(filepath.Dir(w), 0o755))
				data, err := os.ReadFile(filepath.Join(samples, file))
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(w, data, 0o644))
			}
		}
		_, err := a.execute(t.Context(), words)
		if !errors.Is(err, errReady) && err != nil {
			require.NotContains(t, []int{exitUsage, exitFailure}, exitCode(err), "sigview %s\n%v", strings.Join(words, " "), err)
		}
	}
}

// samplesOf are the files that stand for those of an ending.
var samplesOf = map[string]string{".toml": "layers.toml", ".txt": "listing.txt"}

// directories returns the run directories that a command reads.
func directories(words []string) (dirs []string) {
	switch words[0] {
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
