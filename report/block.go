package report

import "github.com/sigview/sigview/analysis"

// A report is a list of blocks, which each format renders its own way.
type block interface{ isBlock() }

type heading struct {
	level int
	text  string
}

type para struct{ text string }

type bullets struct{ items []string }

// grid is a table. Columns are right-aligned but for the ones named left.
type grid struct {
	head []string
	left []bool
	rows [][]string
	note string // how to read it
	cut  bool   // in text, columns that do not fit go below, with the first
}

// figure is the two plots of one tag's signature.
type figure struct{ rows []row }

func (heading) isBlock() {}
func (para) isBlock()    {}
func (bullets) isBlock() {}
func (grid) isBlock()    {}
func (figure) isBlock()  {}

// Marks of a deviation's level, so that colour never stands alone.
func mark(l analysis.Level, ascii bool) string {
	marks := map[analysis.Level][2]string{
		analysis.Above: {"▲", "^"}, analysis.Below: {"▼", "v"}, analysis.Within: {"=", "="}, analysis.Unclear: {"?", "?"},
	}[l]
	if ascii {
		return marks[1]
	}
	return marks[0]
}
