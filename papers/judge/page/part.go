package page

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

// pagesDir is the directory of all files but the first page, relative to it.
const pagesDir = "validation"

// Link is a further page in Dir.
type Link struct{ File, Shows string }

// Further returns the pages that other programs have written beside these in a directory.
func Further(dir string) []Link {
	sensitivity := Link{"sensitivity.md", "which rows and figures change with an assumed number"}
	if _, err := os.Stat(filepath.Join(dir, pagesDir, sensitivity.File)); err != nil {
		return nil
	}
	return []Link{sensitivity}
}

// part is the rows of one paper.
type part struct {
	judge.Paper
	rows    []judge.Result
	studied bool // assumed numbers have been changed one by one
}

// of returns the rows with one of some verdicts.
func (p part) of(verdicts ...judge.Verdict) (out []judge.Result) {
	for _, r := range p.rows {
		if slices.Contains(verdicts, r.Verdict) {
			out = append(out, r)
		}
	}
	return out
}

// measured returns the number of rows that the model contains.
func (p part) measured() int { return len(p.rows) - len(p.of(judge.NotModelled)) }

func words(v judge.Verdict) string { return strings.ReplaceAll(string(v), "_", " ") }

func code(id string) string { return "`" + id + "`" }

// quantity returns what a row is about, with its conditions.
func quantity(r judge.Result) string {
	if r.Conditions == "" {
		return judge.Readable(r.Quantity)
	}
	return judge.Readable(r.Quantity + " (" + r.Conditions + ")")
}
