package views

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
)

// findingsView is the list of findings, for files.
func findingsView(list []data.Finding) analysis.View {
	v := analysis.Raw("grade", "share_of_run_time", "waited_us", "finding", "text")
	for _, c := range list {
		var share, waits any
		if c.Cost.OK {
			share = c.Cost.Value
		}
		if c.Waits > 0 {
			waits = c.Waits / 1000
		}
		v.Add(c.Grade.String(), share, waits, c.Brief, c.Text())
	}
	return v
}
