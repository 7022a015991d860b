package tui

import (
	"github.com/sigview/sigview/analysis"
)

// findingsView is the list of findings, for files.
func findingsView(list []finding) analysis.View {
	v := analysis.Raw("grade", "share_of_run_time", "waited_us", "finding", "text")
	for _, c := range list {
		var share, waits any
		if c.cost.OK {
			share = c.cost.Value
		}
		if c.waits > 0 {
			waits = c.waits / 1000
		}
		v.Add(c.grade.String(), share, waits, c.brief, c.text())
	}
	return v
}
