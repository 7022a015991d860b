package deposit

import (
	"slices"

	"github.com/sigview/sigview/sim/host"
)

// Waiting tracks the contexts that wait on a port whose host polls, and so who handles an arrival.
type Waiting struct {
	spins  []*host.Watch // of contexts that wait and keep the CPU
	sleeps []*host.Watch // of contexts that wait without it
	attend func()
	woken  func(*host.Context) // spends the time until a context that has waited runs; nil: none
}

// poller is what Waiting needs of a Port.
type poller interface{ Poll(*host.Context) bool }

// Attend sets the function that runs when something arrives and no context waits.
func (w *Waiting) Attend(f func()) { w.attend = f }

// Wait spins until the watch fires or an arrival has been handled.
func (w *Waiting) Wait(c *host.Context, p poller, watch *host.Watch, reason string) {
	w.idle(c, p, watch, reason, &w.spins, (*host.Context).Spin)
}

// Sleep is Wait without the CPU.
func (w *Waiting) Sleep(c *host.Context, p poller, watch *host.Watch, reason string) {
	w.idle(c, p, watch, reason, &w.sleeps, (*host.Context).Block)
}

// Around is Wait on another port, which ends also when something has arrived at p.
func (w *Waiting) Around(c *host.Context, p poller, watch *host.Watch, reason string, other Port) {
	w.idle(c, p, watch, reason, &w.spins, other.Wait)
}

// SleepAround is Around without the CPU.
func (w *Waiting) SleepAround(c *host.Context, p poller, watch *host.Watch, reason string, other Port) {
	w.idle(c, p, watch, reason, &w.sleeps, other.Sleep)
}

// idle waits by spinning or blocking, or at another port, with its watch in a list.
func (w *Waiting) idle(c *host.Context, p poller, watch *host.Watch, reason string, list *[]*host.Watch, wait func(*host.Context, *host.Watch, string)) {
	if p.Poll(c) {
		return
	}
	*list = append(*list, watch)
	wait(c, watch, reason)
	i := slices.Index(*list, watch)
	*list = slices.Delete(*list, i, i+1)
	if w.woken != nil {
		w.woken(c)
	}
	p.Poll(c) // something may have arrived since the watch fired
}

// Wake makes waiting contexts handle an arrival and reports whether there are any.
func (w *Waiting) Wake() bool {
	list := w.spins
	if len(list) == 0 {
		list = w.sleeps
	}
	for _, watch := range list {
		watch.Fire() // the context runs later, so the list does not change
	}
	return len(list) > 0
}

// Alarm runs the function of Attend.
func (w *Waiting) Alarm() {
	if w.attend != nil {
		w.attend()
	}
}
