package hunt

import (
	"fmt"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/sim"
)

// Command returns the arguments of sigview that make the run of a case. What no flag can say
// is in the second result.
func (c *Case) Command() (args, unsaid []string) {
	s, usual := c.Spec, experiment.DefaultRun(c.Spec.Workload)
	if c.Schedule != "" {
		s.Schedule.File = scheduleFile
	}
	for _, x := range s.Faults.Drops {
		unsaid = append(unsaid, fmt.Sprintf("%d packets of kind %v are lost from number %d on", max(1, x.Count), x.Kind, x.Nth))
	}
	for _, x := range s.Faults.Breaks {
		unsaid = append(unsaid, fmt.Sprintf("the link between nodes %d and %d is dead from %s on", x.From, x.To, flags.SpanText(sim.Duration(x.At))))
	}
	return append([]string{"run", s.Workload}, flags.Args(&s, &usual)...), unsaid
}
