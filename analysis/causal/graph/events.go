package graph

// event is what happens at a time of a rerun. Events of one time happen in the order of their
// numbers.
type event struct {
	at, number int64 // ps; counts from 1
	what       occurrence
	index      int32 // of the piece, the grant, the watch, the clock or the actor
}

// occurrence is what happens in an event.
type occurrence uint8

const (
	ends   occurrence = iota // a piece ends
	starts                   // an actor begins
	occurs                   // a watched instant comes
	has                      // the lag of a grant has passed
	flows                    // the set-up of a transfer has passed
	ticks                    // a clock reaches its next event
)

// before reports whether e happens before f.
func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.number < f.number }

// agenda is a binary heap of the events to come. Invariant: h[(i-1)/2] is before h[i]. The heap of
// the standard library takes several times as long, because it calls through an interface.
type agenda []event

// add adds an event.
func (a *agenda) add(e event) {
	h := append(*a, e)
	i := len(h) - 1
	for i > 0 && e.before(&h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i], *a = e, h
}

// take removes the earliest event and returns it. There has to be one.
func (a *agenda) take() event {
	h := *a
	top, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	i := 0
	for {
		// e moves down from the root while one of its children is before it.
		k := 2*i + 1
		if k >= len(h) {
			break
		}
		if k+1 < len(h) && h[k+1].before(&h[k]) {
			k++
		}
		if !h[k].before(&e) {
			break
		}
		h[i], i = h[k], k
	}
	if len(h) > 0 {
		h[i] = e
	}
	return top
}
