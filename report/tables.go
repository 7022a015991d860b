package report

import "github.com/sigview/sigview/analysis"

// Tables is a document of tables, each under its title, with remarks below.
type Tables struct {
	Title   string
	Views   []analysis.View
	Remarks []string
}

func (t Tables) title() string { return t.Title }

func (t Tables) blocks(bool) []block {
	out := []block{heading(1, t.Title)}
	for _, v := range t.Views {
		if v.Title != "" {
			out = append(out, heading(2, v.Title))
		}
		out = append(out, view(v))
	}
	if len(t.Remarks) > 0 {
		out = append(out, heading(2, "Remarks"), bullets(t.Remarks))
	}
	return out
}
