package ablate

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// parts returns what can be free in a run, and what cannot. The send engine can only be
// free together with the ports, and only where packets may overtake one another. The CPU
// cannot if programs have the interface in turns.
func parts(spec experiment.RunSpec, at platform.Place) (parts []why.Part, cannot []string) {
	isFree := func(r trace.Resource) bool { return slices.Contains(spec.Uncontended, r) }
	overtaking := at.Traits.Overtaking && !spec.Faults.Any()
	for _, r := range trace.Resources() {
		switch {
		case isFree(r):
		case r == trace.CPU && at.Traits.Turns && len(spec.Programs()) > 1:
			cannot = append(cannot, fmt.Sprintf("the %s was never free: layer %s gives the interface to the program that has it", trace.Noun(r), at.Layer))
		case r == trace.SDMA && !overtaking:
			reason := "packets overtake one another, and layer " + at.Layer + " takes that for losses"
			if at.Traits.Overtaking {
				reason = "packets overtake one another, which no protocol could tell from the injected losses"
			}
			cannot = append(cannot, fmt.Sprintf("the %s was never free: %s", trace.Noun(r), reason))
		case r == trace.SDMA && !isFree(trace.Ports): // with the ports
		case r == trace.Ports && overtaking && !isFree(trace.SDMA):
			parts = append(parts, why.Part{trace.Ports, trace.SDMA})
		default:
			parts = append(parts, why.Part{r})
		}
	}
	return parts, cannot
}
