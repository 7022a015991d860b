package tui

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/sigview/sigview/trace"
)

// table is the data of a view for a CSV file.
type table struct {
	head []string
	rows [][]string
}

// newTable returns an empty table. Blanks separate its headings.
func newTable(head string) table { return table{head: strings.Fields(head)} }

// add adds a row. Unknown values become empty fields.
func (t *table) add(values ...any) {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = csvField(v)
	}
	t.rows = append(t.rows, row)
}

func csvField(v any) string {
	switch v := v.(type) {
	case trace.Opt[float64]:
		return known(v)
	case trace.Opt[int64]:
		return known(v)
	case trace.Percentile:
		switch text := known(v.Ns); {
		case v.Ns.OK && v.LowerBound:
			return ">=" + text
		case v.Ns.OK && v.UpperBound:
			return "<=" + text
		default:
			return text
		}
	}
	return fmt.Sprint(v)
}

func known[T any](v trace.Opt[T]) string {
	if !v.OK {
		return ""
	}
	return fmt.Sprint(v.Value)
}

func (t *table) write(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{t.head}, t.rows...))
}
