package analysis

import (
	"fmt"

	"github.com/sigview/sigview/trace"
)

// OnlineView is for programs: what was found while the program ran.
func OnlineView(rows []trace.OnlineRow) View {
	v := Raw("time_us", "tag", "node", "policy", "finding", "evidence", "action")
	for _, r := range rows {
		v.Add(float64(r.TimeNs)/1000, int(r.Tag), r.Node, r.Policy, r.Finding, r.Evidence, r.Action)
	}
	return v
}

// onlineLines is how many findings OnlineLines lists.
const onlineLines = 8

// OnlineLines lists the first findings of a run in words.
func OnlineLines(rows []trace.OnlineRow) (out []string) {
	for _, r := range rows[:min(len(rows), onlineLines)] {
		out = append(out, fmt.Sprintf("%s, node %d: %s (%s). %s.", Time(float64(r.TimeNs)), r.Node, r.Finding, r.Evidence, r.Action))
	}
	if more := len(rows) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("%s more are in the table online.", Digits(int64(more))))
	}
	return out
}
