package causal

import (
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/peers"
)

// Windows sums the waiting of packets in windows of a run that is too long for one account. Its memory does not
// grow with their number, and the sums do not depend on where windows end.
type Windows struct{ tally }

// NewWindows returns sums of no window, of a run on so many nodes.
func NewWindows(nodes int) *Windows { return &Windows{tally{Crowd: account.CrowdOf(nodes)}} }

// Add adds the waiting between two instants, in ps, of an account that has all that happens in between.
func (w *Windows) Add(a *account.Account, from, to int64) {
	w.Next(a)
	w.all(from, to)
}

// Explanation returns for whom packets wait from an instant to another, in ps, without a critical path. All sums are
// multiplied by scale, of what happens then to what happens in the windows.
func (w *Windows) Explanation(from, to int64, scale float64) *Explanation {
	e := &Explanation{Dir: "DIR", From: from, To: to, Waited: w.waited, Known: w.known, Queues: w.longest(), Crowd: w.Crowd}
	// The shares belong to windows, so that there is no actor to point at.
	e.Crowd.Account = &account.Account{}
	times := []*int64{&e.Waited, &e.Known}
	for i := range e.Queues {
		q := &e.Queues[i]
		times = append(times, &q.Waited, &q.Unknown, &q.Elsewhere)
		for k := range q.At {
			times = append(times, &q.At[k].Waited)
		}
		for k := range q.Through {
			times = append(times, &q.Through[k].Waited, &q.Through[k].Elsewhere)
		}
		for _, shares := range [][]Share{q.Holders, q.Roots} {
			for k := range shares {
				times = append(times, &shares[k].Waited)
			}
		}
	}
	for _, t := range times {
		*t = int64(float64(*t) * scale)
	}
	return e
}

// Stops returns the events that gaps are.
func Stops(gaps []peers.Gap) (out []Event) {
	for i := range gaps {
		out = append(out, stop(&gaps[i]))
	}
	return out
}
