package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
)

// Kind is an entry of the table of views.
type Kind struct {
	Name  string
	Short string // where there is little room
	Fresh func() View
	Clone func(View) View
}

// kindOf returns the entry of a view. Its fresh state is the zero value, or what its
// method start makes of that.
func kindOf[T any, P interface {
	*T
	View
}](name, short string) Kind {
	fresh := func() View {
		v := P(new(T))
		if s, ok := any(v).(interface{ start() }); ok {
			s.start()
		}
		return v
	}
	return Kind{name, short, fresh, func(v View) View {
		c := *v.(P)
		return P(&c)
	}}
}

// Kinds is the table of views, in the order of their number keys: 0 to 9, and none from the eleventh on.
var Kinds = []Kind{
	kindOf[OverviewView]("overview", "over"),
	kindOf[signatureView]("signature", "sig"),
	kindOf[histogramView]("histogram", "hist"),
	kindOf[MatrixView]("matrix", "pairs"),
	kindOf[percentilesView]("percentiles", "pct"),
	kindOf[SpansView]("spans", "spans"),
	kindOf[TimelineView]("timeline", "time"),
	kindOf[LogpView]("LogP", "LogP"),
	kindOf[ClockView]("clock", "clock"),
	kindOf[CompareView]("compare", "cmp"),
}

// Views lists the names of the views in the order of their number keys.
func Views() []string {
	return lists.Map(Kinds, func(k Kind) string { return k.Name })
}

// ViewOf finds a view by name or number.
func ViewOf(name string) (int, error) {
	for i, k := range Kinds {
		if strings.EqualFold(k.Name, name) || k.Short == name || fmt.Sprint(i) == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("view %q, want one of %v", name, Views())
}

// FreshViews returns all views in their fresh states.
func FreshViews() []View {
	return lists.Map(Kinds, func(k Kind) View { return k.Fresh() })
}

// AllWords returns the words of the selection and of all views, each name once.
func AllWords() []scene.Word {
	sel := data.NewSelection()
	out := scene.Words(&sel)
	for _, v := range FreshViews() {
		for _, w := range v.Words() {
			if !slices.ContainsFunc(out, func(o scene.Word) bool { return o.Name == w.Name }) {
				out = append(out, w)
			}
		}
	}
	return out
}
