package slowest

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/trace/waits"
)

// Chains calls add with the actors for whom processes wait in the steps of the longest operations, as far as an
// account of a part of the log has them.
func Chains(a *account.Account, found spans.Found, add func(waits.ID)) {
	list := Of(a, found)
	for i := range list {
		o := &list[i]
		process := o.process()
		if process == 0 {
			continue
		}
		for _, s := range o.Steps {
			for p := range a.Parts(process, 1000*s.BeginNs, 1000*(s.BeginNs+s.DurationNs)) {
				for _, link := range a.Chain(process, p.Begin) {
					add(link.Actor)
				}
			}
		}
	}
}
