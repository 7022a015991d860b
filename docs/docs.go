// Package docs holds what sigview view shows of the documentation: the glossary.
package docs

import (
	_ "embed"
	"strings"
)

//go:embed words.md
var glossary string

// Word is an entry of the glossary.
type Word struct{ Word, Meaning string }

// Words returns the glossary of words.md, in its order.
func Words() []Word {
	_, table, _ := strings.Cut(glossary, "|---|---|---|\n")
	var out []Word
	for row := range strings.Lines(table) {
		cells := strings.Split(row, "|")
		if len(cells) != 5 {
			break
		}
		plain := func(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "`", "")) }
		out = append(out, Word{plain(cells[1]), plain(cells[2])})
	}
	return out
}
