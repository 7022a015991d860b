package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/trace"
)

// ruler is two marks in the time of a run, the time between which is said.
type ruler [2]trace.Opt[int64]

// rulerMarks are the marks as they are drawn.
var rulerMarks = [2]rune{'<', '>'}

// word writes the marks as FROM-TO, in which one may be missing.
func (r *ruler) word() scene.Word {
	return scene.Word{Name: "marks", Want: "two times in ns, as 1000-5000, or none",
		Get: func() string {
			var text [2]string
			for i, at := range r {
				if at.OK {
					text[i] = strconv.FormatInt(at.Value, 10)
				}
			}
			if text == [2]string{} {
				return "none"
			}
			return text[0] + "-" + text[1]
		},
		Set: func(v string) error {
			next := ruler{}
			if v == "none" {
				*r = next
				return nil
			}
			from, to, ok := strings.Cut(v, "-")
			if !ok {
				return fmt.Errorf("%q", v)
			}
			for i, text := range []string{from, to} {
				if text == "" {
					continue
				}
				n, err := data.ParseNumber(text, 0, math.MaxInt64)
				if err != nil {
					return err
				}
				next[i] = trace.Some(n)
			}
			*r = next
			return nil
		}}
}

// between returns the time between the marks.
func (r *ruler) between() (p data.Period, ok bool) {
	a, b := r[0], r[1]
	return data.Period{From: min(a.Value, b.Value), To: max(a.Value, b.Value)}, a.OK && b.OK && a.Value != b.Value
}

// Act puts a mark at the cursor, or selects the time between both. It returns false for other actions.
func (r *ruler) Act(sel *data.Selection, p *data.Packets, a action.Action) (said string, done bool) {
	switch a {
	case action.MarkBegin:
		r[0] = trace.Some(sel.TimeCursor(p))
	case action.MarkEnd:
		r[1] = trace.Some(sel.TimeCursor(p))
	case action.SelectMarked:
		span, ok := r.between()
		if !ok {
			return "There are not two marks: < and > put them at the cursor.", true
		}
		sel.FromNs, sel.ToNs, sel.AtNs = span.From, span.To, span.From
		sel.Within(p)
		return "selected " + analysis.Period(span.From, span.To) + ", which the signature and other views show too", true
	default:
		return "", false
	}
	return r.String(), true
}

// String says where the marks are, and the time between them.
func (r *ruler) String() string {
	var out []string
	for i, at := range r {
		if at.OK {
			out = append(out, fmt.Sprintf("%c %s", rulerMarks[i], analysis.Instant(at.Value)))
		}
	}
	if span, ok := r.between(); ok {
		out = append(out, analysis.Time(float64(span.To-span.From))+" between")
	}
	return strings.Join(out, ", ")
}
