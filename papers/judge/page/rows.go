package page

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/papers/judge"
)

const rowsFile = "rows.csv"

// Columns of the rows, in their order. The values by seed are separated by blanks.
var Columns = []string{
	"id", "paper", "where", "platform", "layer", "quantity", "conditions", "unit",
	"published_lo", "published_hi", "published_text", "verdict", "because",
	"modelled", "modelled_lo", "modelled_hi", "error_pct", "held", "by_seed",
	"rule", "criterion", "experiment", "counter_experiment", "note",
}

// Rows returns a record for each row.
func Rows(doc *judge.Document) [][]string {
	var out [][]string
	for _, r := range doc.Rows {
		var bySeed []string
		for _, v := range r.BySeed {
			bySeed = append(bySeed, plain(v))
		}
		held := ""
		if r.Seeds > 0 {
			held = r.HeldText()
		}
		out = append(out, []string{
			r.ID, r.Paper, r.Where, r.Platform, r.Layer, r.Quantity, r.Conditions, r.Unit,
			plain(r.PublishedLo), plain(r.PublishedHi), r.Text, string(r.Verdict), r.Because,
			plain(r.Modelled), plain(r.ModelledLo), plain(r.ModelledHi), plain(r.ErrorPct), held, strings.Join(bySeed, " "),
			r.Rule, r.Criterion, r.Experiment, r.Counter, r.Note,
		})
	}
	return out
}

func csvFile(doc *judge.Document) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	err := w.WriteAll(append([][]string{Columns}, Rows(doc)...))
	return out.Bytes(), err
}

// plain formats a value for programs: nothing if there is none.
func plain(v any) string {
	switch v := v.(type) {
	case *float64:
		if v != nil {
			return strconv.FormatFloat(*v, 'g', 6, 64)
		}
	case bool:
		return fmt.Sprint(v)
	}
	return ""
}
