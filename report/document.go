package report

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/report/chart"
)

// Document is a report that can be shown as text, Markdown and HTML: a Run, a Diff, a
// Why, a Trace, a Sweep, a LogP, a Bandwidth, a Perturb, an Injection or Tables.
type Document interface {
	title() string
	// blocks returns the content, which is the same in every format. If full, it has
	// every size bin instead of doublings of the size.
	blocks(full bool) []block
}

// Measured returns the report of what a directory with a measurement holds.
func Measured(m *bench.Measured) Document {
	switch {
	case m.Perturb != nil:
		return Perturb{m.Perturb}
	case m.Injection != nil:
		return Injection{m.Seed, m.Injection}
	case len(m.LogP) > 0:
		return LogP{m.Seed, m.LogP}
	case len(m.Verbs) > 0:
		return Verbs{m.Seed, m.Verbs}
	}
	return Bandwidth{m.Seed, m.Bandwidth}
}

// block is a part of a document: one of its members is set.
type block struct {
	Heading string
	Level   int // of the heading
	Para    string
	Items   []string
	View    *analysis.View
	Charts  []chart.Chart // side by side
	Rich    bool          // only on pages, which have room for much
	Plain   bool          // not on pages
	// Sortable makes a table of HTML one that a script may sort.
	Sortable bool
	// Leads are beside the rows of such a table, one for each row; nil: none.
	Leads []Lead
}

// Lead is how to get from a row of a page to what it is about: an address or, without one, a command.
type Lead struct{ Text, To string }

func heading(level int, text string) block { return block{Heading: text, Level: level} }
func para(text string) block               { return block{Para: text} }
func bullets(items []string) block         { return block{Items: items} }
func view(v analysis.View) block           { return block{View: &v} }
func figure(charts ...chart.Chart) block   { return block{Charts: charts} }
func picture(charts ...chart.Chart) block  { return block{Charts: charts, Rich: true} }

// pairs puts charts side by side, two at a time, on pages only.
func pairs(charts []chart.Chart) (out []block) {
	for two := range slices.Chunk(charts, 2) {
		out = append(out, picture(two...))
	}
	return out
}

// pageBlocks returns the blocks of a document for pages.
func pageBlocks(d Document) []block {
	return slices.DeleteFunc(d.blocks(false), func(b block) bool { return b.Plain })
}

// plainBlocks returns the blocks of a document that are not for pages only.
func plainBlocks(d Document, full bool) []block {
	return slices.DeleteFunc(d.blocks(full), func(b block) bool { return b.Rich })
}

// Figures returns the charts of a document that have a name, each once.
func Figures(d Document) (out []chart.Chart) {
	for _, b := range d.blocks(false) {
		for _, c := range b.Charts {
			if c.Name != "" && !c.Empty() && !slices.ContainsFunc(out, func(o chart.Chart) bool { return o.Name == c.Name }) {
				out = append(out, c)
			}
		}
	}
	return out
}

// warnings returns the section of warnings, nil if there are none.
func warnings(list []string) []block {
	if len(list) == 0 {
		return nil
	}
	return []block{heading(2, "Warnings"), bullets(list)}
}

// list keeps an empty list from becoming null.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
