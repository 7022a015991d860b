package page

import (
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/sigview/sigview/report"
)

// Link is a text that leads to another page, or to none.
type Link struct{ Text, To string }

// List is a table whose cells lead to pages.
type List struct {
	Title string
	Heads []string
	Rows  [][]Link
	Note  string
	Again int // when browsers are to ask for it again, in seconds; 0: never
}

var listTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("list").Parse(`{{if .Rows}}<div class="wide"><table class="sortable">
<thead><tr>{{range .Heads}}<th class="l">{{.}}</th>{{end}}</tr></thead>
{{range .Rows}}<tr>{{range .}}<td class="l">{{if .To}}<a href="{{.To}}">{{.Text}}</a>{{else}}{{.Text}}{{end}}</td>{{end}}</tr>
{{end}}</table></div>{{end}}
<p class="note">{{.Note}}</p>`))
})

// WriteList writes a page that leads to others.
func WriteList(w io.Writer, l List) error {
	var b strings.Builder
	if err := listTemplate().Execute(&b, l); err != nil {
		return err
	}
	d := empty()
	d.Again = l.Again
	return execute(w, sheet{Sections: []report.Section{{Title: l.Title, Body: template.HTML(b.String())}}}, d, nil)
}
