package tui

import (
	"fmt"
	"slices"
	"strings"
)

// kind is an entry of the table of views.
type kind struct {
	name  string
	short string // where there is little room
	fresh func() view
	clone func(view) view
}

// kindOf returns the entry of a view. Its fresh state is the zero value, or what its
// method start makes of that.
func kindOf[T any, P interface {
	*T
	view
}](name, short string) kind {
	fresh := func() view {
		v := P(new(T))
		if s, ok := any(v).(interface{ start() }); ok {
			s.start()
		}
		return v
	}
	return kind{name, short, fresh, func(v view) view {
		c := *v.(P)
		return P(&c)
	}}
}

// kinds is the table of views, in the order of their number keys, from 0 on.
var kinds = []kind{
	kindOf[overviewView]("overview", "over"),
	kindOf[signatureView]("signature", "sig"),
	kindOf[histogramView]("histogram", "hist"),
	kindOf[matrixView]("matrix", "pairs"),
	kindOf[percentilesView]("percentiles", "pct"),
	kindOf[spansView]("spans", "spans"),
	kindOf[timelineView]("timeline", "time"),
	kindOf[logpView]("LogP", "LogP"),
	kindOf[clockView]("clock", "clock"),
	kindOf[compareView]("compare", "cmp"),
}

// Views lists the names of the views in the order of their number keys.
func Views() []string {
	return made(kinds, func(k kind) string { return k.name })
}

// ViewOf finds a view by name or number.
func ViewOf(name string) (int, error) {
	for i, k := range kinds {
		if strings.EqualFold(k.name, name) || k.short == name || fmt.Sprint(i) == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("view %q, want one of %v", name, Views())
}

// freshViews returns all views in their fresh states.
func freshViews() []view {
	return made(kinds, func(k kind) view { return k.fresh() })
}

// allWords returns the words of the selection and of all views, each name once.
func allWords() []word {
	sel := NewSelection()
	out := sel.words()
	for _, v := range freshViews() {
		for _, w := range v.words() {
			if !slices.ContainsFunc(out, func(o word) bool { return o.name == w.name }) {
				out = append(out, w)
			}
		}
	}
	return out
}
