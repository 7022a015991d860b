package causal

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace/waits"
)

// throughNamed is how many places are named in a finding.
const throughNamed = 3

// through says for which port most of a queue's waiting is, how much of that is before the port itself, where the rest
// stands, and how much of it is of packets that do not go there. It returns nothing if ports have no names.
func (e *Explanation) through(q *Queue) (port, text string) {
	sums, most := map[int32]int64{}, int32(-1)
	for _, x := range q.Through {
		sums[x.Port] += x.Waited
	}
	for _, x := range q.Through { // in their order, so that of equal ones the first counts
		if most < 0 || sums[x.Port] > sums[most] {
			most = x.Port
		}
	}
	// most is -1 without waiting, which has no name either.
	if port = e.Ports[most]; port == "" {
		return "", ""
	}
	var before, elsewhere int64
	var names []string
	for _, x := range q.Through {
		switch {
		case x.Port != most:
		case q.Resource == waits.Port && x.At == most:
			before = x.Waited
		default:
			// Elsewhere: behind a packet that waits for the port.
			names = append(names, fmt.Sprintf("%s %s", e.placeName(q.Resource, x.At), span(x.Waited)))
			elsewhere += x.Elsewhere
		}
	}
	text = fmt.Sprintf(" At the end of the chains is mostly port %s, for %s (%s of this waiting)", port, span(sums[most]), percent(sums[most], q.Waited))
	if before > 0 {
		text += fmt.Sprintf(", %s of it before the port itself", span(before))
	}
	if more := len(names) - throughNamed; more > 0 {
		names = append(names[:throughNamed], fmt.Sprintf("%d more less", more))
	}
	if len(names) > 0 {
		text += "; elsewhere because of it: " + strings.Join(names, ", ")
	}
	if text += "."; elsewhere > 0 {
		text += fmt.Sprintf(" Packets to other nodes wait %s of that (head-of-line blocking).", span(elsewhere))
	}
	return port, text
}

// placeName names an instance of a resource.
func (e *Explanation) placeName(r waits.Resource, instance int32) string {
	if r != waits.Port {
		return fmt.Sprintf("node %d", instance)
	}
	if name := e.Ports[instance]; name != "" {
		return name
	}
	return fmt.Sprintf("channel %d", instance)
}
