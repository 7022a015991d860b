package svm

import "github.com/sigview/sigview/internal/ring"

// Inbox holds the messages and pages that have arrived at a node until its
// Transport returns them.
type Inbox struct {
	classes [2]queue
	free    [][]byte
}

// queue holds the messages of one class in the order of arrival.
type queue struct {
	messages ring.Ring[Received]
	last     []byte // returned last; free at the next call
}

// Buffer returns an empty buffer for a message. It reuses a returned one if
// there is any.
func (x *Inbox) Buffer() []byte {
	if k := len(x.free); k > 0 {
		b := x.free[k-1]
		x.free = x.free[:k-1]
		return b
	}
	return make([]byte, 0, 64)
}

// Put adds a message. The inbox keeps its bytes.
func (x *Inbox) Put(class Class, from int, b []byte) {
	x.classes[class].messages.Push(Received{From: from, Bytes: b})
}

// Land adds a page that has landed.
func (x *Inbox) Land(from int, p Page) {
	x.classes[Answer].messages.Push(Received{From: from, Landed: true, Page: p})
}

// Holds reports whether there is a message of a class.
func (x *Inbox) Holds(class Class) bool {
	return x.classes[class].messages.Len() > 0
}

// Take implements Transport.Receive.
func (x *Inbox) Take(class Class) (r Received, ok bool) {
	q := &x.classes[class]
	if q.last != nil {
		x.free = append(x.free, q.last[:0])
		q.last = nil
	}
	if q.messages.Len() == 0 {
		return r, false
	}
	r = q.messages.Pop()
	q.last = r.Bytes
	return r, true
}
