package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report/chart"
)

// fragments is how blocks become HTML.
const fragments = `{{define "blocks"}}{{range .}}{{if eq .Level 1}}<h1>{{.Heading}}</h1>
{{else if .Level}}<h2>{{.Heading}}</h2>
{{else if .Para}}<p>{{prose .Para}}</p>
{{else if .View}}{{with table .}}<div class="wide"><table{{if .Sortable}} class="sortable"{{end}}>
<thead><tr>{{range .Head}}<th{{if .Left}} class="l"{{end}}>{{.Name}}</th>{{end}}</tr></thead>
{{range .Rows}}<tr>{{range .}}<td{{if .Left}} class="l"{{end}}{{if .Value}} data-v="{{.Value}}"{{end}}>{{with .Lead}}{{if .To}}<a href="{{.To}}">{{.Text}}</a>{{else}}<code>{{.Text}}</code>{{end}}{{else}}{{.Text}}{{end}}</td>{{end}}</tr>
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
	Rows     [][]htmlCell
}

type htmlCell struct {
	Text, Value string
	Left        bool
	Lead        *Lead
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
			line[i] = htmlCell{Text: c.Text, Left: columns[i].Left}
			switch v := c.Value.(type) {
			case int, int64, float64:
				if b.Sortable {
					line[i].Value = fmt.Sprint(v)
				}
			}
		}
		if b.Sortable && b.Leads != nil {
			last := htmlCell{Left: true}
			if b.Leads[n].Text != "" {
				last.Lead = &b.Leads[n]
			}
			line = append(line, last)
		}
		t.Rows = append(t.Rows, line)
	}
	if b.Sortable && b.Leads != nil {
		t.Head = append(slices.Clip(t.Head), analysis.Column{Name: "shown by", Left: true})
	}
	return t
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

var fragmentTemplate = template.Must(template.New("fragments").Funcs(inHTML).Parse(fragments))

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
	if err := fragmentTemplate.ExecuteTemplate(&b, "blocks", blocks); err != nil {
		panic("report: fragment: " + err.Error())
	}
	return template.HTML(b.String())
}
