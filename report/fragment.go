package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart"
)

// fragments is how blocks become HTML.
const fragments = `{{define "blocks"}}{{range .}}{{if eq .Level 1}}<h1>{{.Heading}}</h1>
{{else if .Level}}<h2>{{.Heading}}</h2>
{{else if .Para}}<p>{{prose .Para}}</p>
{{else if .View}}{{with table .}}<div class="wide"><table{{if .Sortable}} class="sortable"{{end}}>
<thead><tr>{{range .Head}}<th{{if .Left}} class="l"{{end}}>{{.Name}}</th>{{end}}</tr></thead>
{{range .Rows}}<tr{{with .Node}} data-node="{{.}}"{{end}}{{with .Kind}} data-kind="{{.}}"{{end}}{{with .Operation}} data-operation="{{.}}"{{end}}{{with .From}} data-from="{{.}}"{{end}}{{with .To}} data-to="{{.}}"{{end}}>{{range .Cells}}<td{{if .Left}} class="l"{{end}}{{if .Value}} data-v="{{.Value}}"{{end}}>{{if .To}}<a href="{{.To}}">{{.Text}}</a>{{else if .Command}}<code>{{.Text}}</code>{{else}}{{.Text}}{{end}}</td>{{end}}</tr>
{{end}}</table></div>{{end}}
<p class="note">{{.View.Note}}</p>
{{else if .Charts}}{{svg .Charts}}{{else}}<ul>
{{range .Items}}<li>{{prose .}}</li>
{{end}}</ul>
{{end}}{{end}}{{end}}`

// htmlTable is a table for the template. One that a script may sort has the values of its figures, and every cell.
type htmlTable struct {
	Sortable bool
	Head     []analysis.Column
	Rows     []htmlRow
}

// htmlRow is a row. One that a script may lead from says what it is about: a node, a kind of packets, an operation, and a time in ns.
type htmlRow struct {
	Cells                           []htmlCell
	Node, Kind, Operation, From, To string
}

type htmlCell struct {
	Text, Value, To string
	Left, Command   bool
}

func tableOf(b block) htmlTable {
	v := *b.View
	if b.Sortable {
		v = v.Repeated()
	}
	columns, rows := v.Shown(true)
	t := htmlTable{Sortable: b.Sortable, Head: columns}
	for n, r := range rows {
		line := make([]htmlCell, len(r))
		for i, c := range r {
			line[i] = htmlCell{Text: c.Text, To: c.To, Left: columns[i].Left}
			switch v := c.Value.(type) {
			case int, int64, float64:
				if b.Sortable {
					line[i].Value = fmt.Sprint(v)
				}
			}
		}
		if b.Sortable && b.Leads != nil {
			lead := b.Leads[n]
			line = append(line, htmlCell{Text: lead.Text, To: lead.To, Left: true, Command: lead.To == "" && lead.Text != ""})
		}
		row := htmlRow{Cells: line}
		if b.Sortable {
			row.isAbout(v, v.Rows[n])
		}
		t.Rows = append(t.Rows, row)
	}
	if b.Sortable && b.Leads != nil {
		t.Head = append(slices.Clip(t.Head), analysis.Column{Name: "shown by", Left: true})
	}
	return t
}

// isAbout takes from a row of a view what it is about, by the keys of the columns.
func (r *htmlRow) isAbout(v analysis.View, cells []analysis.Cell) {
	begin := 0.0 // µs
	for i, c := range v.Columns {
		switch value := cells[i].Value; c.Key {
		case "node":
			r.Node = cells[i].Text
		case "operation":
			r.Operation = fmt.Sprint(value)
		case "begin_us":
			begin, _ = value.(float64)
		case "length_us":
			if length, ok := value.(float64); ok {
				r.From, r.To = fmt.Sprintf("%.0f", 1000*begin), fmt.Sprintf("%.0f", 1000*(begin+length))
			}
		}
		if c.Name == "kind" {
			r.Kind = cells[i].Text
		}
	}
}

// inHTML are the functions of the templates.
var inHTML = template.FuncMap{
	"table": tableOf,
	// Words between back quotes are commands.
	"prose": func(text string) template.HTML {
		parts := strings.Split(text, "`")
		if len(parts)%2 == 0 {
			return template.HTML(template.HTMLEscapeString(text))
		}
		for i, p := range parts {
			parts[i] = template.HTMLEscapeString(p)
			if i%2 == 1 {
				parts[i] = "<code>" + parts[i] + "</code>"
			}
		}
		return template.HTML(strings.Join(parts, ""))
	},
	// The drawing escapes the texts in it.
	"svg": func(charts []chart.Chart) template.HTML {
		if !slices.ContainsFunc(charts, func(c chart.Chart) bool { return !c.Empty() }) {
			return ""
		}
		return template.HTML(chart.InlineSVG(charts...))
	},
}

// fragmentTemplate is parsed when it is first used.
var fragmentTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("fragments").Funcs(inHTML).Parse(fragments))
})

// Section is the part of a document under one heading, as HTML whose tables a script may sort.
type Section struct {
	Title string
	Body  template.HTML
}

// pairsChart begins the names of pictures by sender and receiver.
const pairsChart = "pairs-"

// mostPairs is of how many pairs of nodes sections have a picture. Of more, scripts draw one.
const mostPairs = 1000

// Sections returns the parts of a document in their order. The first one has the main heading.
func Sections(d Document) (out []Section) {
	var parts [][]block
	for _, b := range pageBlocks(d) {
		if b.Level > 0 {
			out, parts = append(out, Section{Title: b.Heading}), append(parts, nil)
			continue
		}
		if slices.ContainsFunc(b.Charts, func(c chart.Chart) bool { return strings.HasPrefix(c.Name, pairsChart) && len(c.Cells) > mostPairs }) {
			continue
		}
		last := len(parts) - 1 // documents begin with their heading
		parts[last] = append(parts[last], b)
	}
	for i, part := range parts {
		out[i].Body = fragment(part)
	}
	return out
}

// Sortable returns a view as HTML.
func Sortable(v analysis.View) template.HTML { return fragment([]block{view(v)}) }

func fragment(blocks []block) template.HTML {
	for i := range blocks {
		blocks[i].Sortable = true
	}
	var b strings.Builder
	if err := fragmentTemplate().ExecuteTemplate(&b, "blocks", blocks); err != nil {
		panic("report: fragment: " + err.Error())
	}
	return template.HTML(b.String())
}
