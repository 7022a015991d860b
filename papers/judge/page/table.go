package page

import (
	"fmt"
	"io"
	"strings"
)

// table writes a Markdown table whose head follows from its first row.
type table struct {
	out  io.Writer
	head []string
	none string // instead of an empty table
	rows int
}

func (t *table) row(cells ...string) {
	if t.rows++; t.rows == 1 {
		fmt.Fprintf(t.out, "| %s |\n|%s\n", strings.Join(t.head, " | "), strings.Repeat("---|", len(t.head)))
	}
	for _, c := range cells {
		fmt.Fprintf(t.out, "| %s ", strings.NewReplacer("|", `\|`, "\n", " ").Replace(c))
	}
	fmt.Fprintln(t.out, "|")
}

func (t *table) end() {
	if t.rows == 0 && t.none != "" {
		fmt.Fprintln(t.out, t.none)
	}
}
