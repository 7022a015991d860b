package report

import "github.com/sigview/sigview/analysis"

// Tables is a document of tables, each under its title, with what they say before them
// and remarks below.
type Tables struct {
	Title   string
	Lead    []string
	Views   []analysis.View
	Remarks []string
}

func (t Tables) title() string { return t.Title }

func (t Tables) blocks(bool) []block {
	out := []block{heading(1, t.Title)}
	if len(t.Lead) > 0 {
		out = append(out, bullets(t.Lead))
	}
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
