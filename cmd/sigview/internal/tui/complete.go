package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/trace"
)

// completeSelection completes the last word of a selection: its name, or the value
// after the "=".
func (m *Model) completeSelection(line string) (completion, tea.Cmd) {
	return m.state.selectionWords(line, strings.LastIndexByte(line, ' ')+1), nil
}

func (s *State) selectionWords(line string, from int) completion {
	if name, _, ok := strings.Cut(line[from:], "="); ok {
		from += len(name) + 1
		for _, w := range slices.Concat(scene.Words(&s.Sel), s.view().Words(), views.AllWords()) {
			if w.Name == name && w.Values != nil {
				return starting(line, from, w.Values(&s.Scene))
			}
		}
		return starting(line, from, nil)
	}
	return starting(line, from, lists.Map(views.AllWords(), func(w scene.Word) string { return w.Name + "=" }))
}

// completeCommand completes the name of a command, or its argument.
func (m *Model) completeCommand(line string) (completion, tea.Cmd) {
	word, rest, has := strings.Cut(line, " ")
	if !has {
		return starting(line, 0, commandNames()), nil
	}
	from := len(line) - len(strings.TrimLeft(rest, " "))
	k, err := commandOf(word)
	if err != nil {
		return completion{line: line, from: from}, nil
	}
	switch {
	case k.argument == "DIR":
		return completion{}, completeDirs(line, from)
	case k.argument == "FILE":
		return completeFileFrom(line, from)
	case k.argument == "WORDS":
		return m.state.selectionWords(line, max(strings.LastIndexByte(line, ' ')+1, from)), nil
	case k.words != nil:
		return starting(line, from, k.words(m)), nil
	}
	return completion{line: line, from: from}, nil
}

// completeFile completes the name of a file to write.
func completeFile(line string) (completion, tea.Cmd) { return completeFileFrom(line, 0) }

func completeFileFrom(line string, from int) (completion, tea.Cmd) {
	if dot := strings.LastIndexByte(line, '.'); dot >= from && dot > strings.LastIndexByte(line, '/') {
		return starting(line, dot, Formats()), nil
	}
	return completion{}, completeDirs(line, from)
}

// mostDirs is the most directories that are offered.
const mostDirs = 200

// completeDirs lists directories, outside of Update. A directory that holds a run
// or a measurement is complete; others end in a slash.
func completeDirs(line string, from int) tea.Cmd {
	return func() tea.Msg {
		c := completion{line: line, from: from, paths: true}
		parent, begin := filepath.Split(line[from:])
		read := parent
		if read == "" {
			read = "."
		}
		entries, err := os.ReadDir(read)
		if err != nil {
			return completed(c) // nothing there is nothing to offer
		}
		for _, e := range entries {
			name := e.Name()
			hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
			if !strings.HasPrefix(name, begin) || hidden || len(c.words) == mostDirs {
				continue
			}
			info, err := os.Stat(filepath.Join(read, name))
			if err != nil || !info.IsDir() {
				continue
			}
			if !holdsRun(filepath.Join(read, name)) {
				name += "/"
			}
			c.words = append(c.words, parent+name)
		}
		return completed(c)
	}
}

func holdsRun(dir string) bool {
	return slices.ContainsFunc(append(bench.Documents(), trace.ManifestFile), func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular()
	})
}
