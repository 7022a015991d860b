package graph

// event is what happens at a time of a rerun. Events of one time are in the order in which
// they were made.
type event struct {
	at, number int64
	what       occurrence
	index      int32 // of the piece, the grant, the watch, the clock or the actor
}

// occurrence is what happens in an event.
type occurrence uint8

const (
	ends   occurrence = iota // of a piece
	starts                   // of an actor
	occurs                   // that is watched
	has                      // a place: a grant
	flows                    // a transfer, after its set-up
	ticks                    // a clock
)

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.number < f.number }

// agenda is the events to come, as a heap. It is one of its own because the library's takes
// several times as long for events without pointers.
type agenda []event

func (a *agenda) add(e event) {
	h := append(*a, e)
	i := len(h) - 1
	for i > 0 && e.before(&h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i], *a = e, h
}

// take removes the first event.
func (a *agenda) take() event {
	h := *a
	top, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*a = h
	i := 0
	for {
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
