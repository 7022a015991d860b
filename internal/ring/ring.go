// Package ring holds a queue in a ring buffer.
package ring

// Ring is a queue that grows and never gives its memory back. The zero value
// is an empty one.
type Ring[T any] struct {
	buf  []T // a power of two, or none
	head uint32
	n    uint32
}

// Len returns how many elements wait.
func (r *Ring[T]) Len() int { return int(r.n) }

// At returns the i-th oldest element, the oldest at 0.
func (r *Ring[T]) At(i int) *T { return &r.buf[(int(r.head)+i)&(len(r.buf)-1)] }

// Push appends an element.
func (r *Ring[T]) Push(v T) { *r.Add() = v }

// Add appends an element, for the caller to set, and returns it. It holds what was there before.
func (r *Ring[T]) Add() *T {
	if int(r.n) == len(r.buf) {
		r.grow()
	}
	v := &r.buf[int(r.head+r.n)&(len(r.buf)-1)]
	r.n++
	return v
}

func (r *Ring[T]) grow() {
	grown := make([]T, max(8, 2*len(r.buf)))
	for i := range int(r.n) {
		grown[i] = *r.At(i)
	}
	r.buf, r.head = grown, 0
}

// Pop removes the oldest element and returns it. There must be one.
func (r *Ring[T]) Pop() T {
	var zero T
	first := r.At(0)
	v := *first
	*first = zero
	r.Drop()
	return v
}

// Drop removes the oldest element. What it holds stays in memory until another one takes its
// place.
func (r *Ring[T]) Drop() {
	if r.n == 1 {
		r.head, r.n = 0, 0 // the memory that is in the cache is used again
		return
	}
	r.head = (r.head + 1) & uint32(len(r.buf)-1)
	r.n--
}

// Take removes the i-th oldest element and returns it.
func (r *Ring[T]) Take(i int) T {
	v := *r.At(i)
	for ; i > 0; i-- {
		*r.At(i) = *r.At(i - 1)
	}
	r.Pop()
	return v
}

// Clear removes all elements.
func (r *Ring[T]) Clear() {
	if r.n > 0 {
		clear(r.buf)
	}
	r.head, r.n = 0, 0
}
