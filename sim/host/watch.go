package host

// Watch is a condition that contexts wait for: a word of memory, a queue. The
// zero value is ready to use.
type Watch struct{ first, last *Context }

// Waiting reports whether a context waits for w.
func (w *Watch) Waiting() bool { return w.first != nil }

// Fire wakes all contexts that wait for w now, in the order in which they began
// to wait. Any caller may use it.
func (w *Watch) Fire() {
	c := w.first
	w.first, w.last = nil, nil
	for c != nil {
		next := c.next
		c.watch, c.next = nil, nil
		c.signal()
		c = next
	}
}

func (w *Watch) add(c *Context) {
	c.watch = w
	if w.last == nil {
		w.first = c
	} else {
		w.last.next = c
	}
	w.last = c
}

func (w *Watch) remove(c *Context) {
	var before *Context
	at := &w.first
	for *at != c {
		before = *at
		at = &before.next
	}
	if *at = c.next; w.last == c {
		w.last = before
	}
	c.watch, c.next = nil, nil
}
