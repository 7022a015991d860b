package tui

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
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
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case trace.Opt[float64]:
		if v.OK {
			return csvField(v.Value)
		}
		return ""
	case trace.Opt[int64]:
		if v.OK {
			return strconv.FormatInt(v.Value, 10)
		}
		return ""
	case trace.Percentile:
		switch text := csvField(v.Ns); {
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

func (t *table) write(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(t.head); err != nil {
		return err
	}
	if err := out.WriteAll(t.rows); err != nil {
		return err
	}
	return out.Error()
}
