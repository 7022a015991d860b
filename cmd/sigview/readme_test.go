package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExamplesOfTheReadmeWork runs every sigview command of the README, and of
// the help texts, with a lab that depends on no model.
func TestExamplesOfTheReadmeWork(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	commands := examples(string(text))
	require.Greater(t, len(commands), 10)
	for _, c := range newApp(&bytes.Buffer{}, &bytes.Buffer{}, fakeLab()).root().Commands() {
		commands = append(commands, examples(c.Example)...)
	}
	for _, words := range commands {
		t.Chdir(t.TempDir())
		if len(words) > 2 && words[0] == "reference" && words[1] == "accept" { // its directory is copied, not only read
			require.NoError(t, os.Mkdir(words[2], 0o755))
		}
		var stdout, stderr bytes.Buffer
		code := newApp(&stdout, &stderr, fakeLab()).run(context.Background(), words)
		require.NotEqual(t, exitUsage, code, "sigview %s\n%s", strings.Join(words, " "), stderr.String())
		require.NotEqual(t, exitFailure, code, "sigview %s\n%s", strings.Join(words, " "), stderr.String())
	}
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
