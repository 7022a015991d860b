package causal

import (
	"slices"

	"github.com/sigview/sigview/trace"
)

// Attributed returns what is attributed to resources as runs name them, together: the time on
// the critical path with a wait for one of them, and what the replays save without, in ps.
func (e *Explanation) Attributed(free []trace.Resource) (onPath, saved int64) {
	for i := range e.Queues {
		q := &e.Queues[i]
		if name, ok := freeable[q.Resource]; ok && slices.Contains(free, name) {
			// Replays with one resource free each do not add up exactly: without one wait, another takes its
			// place.
			onPath += q.OnPath
			saved += q.Saved
		}
	}
	return onPath, saved
}
