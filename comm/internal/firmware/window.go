package firmware

// Window holds the packets to a peer that it has not acknowledged, in the order of their numbers.
// Acknowledgements are cumulative. The zero value is empty.
type Window[P any] struct {
	Kept []P    // the oldest first
	base uint32 // number of the oldest, or of the next one
}

// Add keeps a packet and returns its number.
func (w *Window[P]) Add(p P) uint32 {
	w.Kept = append(w.Kept, p)
	return w.base + uint32(len(w.Kept)) - 1
}

// Acknowledge removes the packets below a number and calls a function for each, which may add
// others. It returns how many packets that are; for an answer that a later one has overtaken, a
// negative number. It returns false, and removes nothing, for a number that no packet has had.
func (w *Window[P]) Acknowledge(below uint32, f func(P)) (n int, ok bool) {
	if n = int(int32(below - w.base)); n > len(w.Kept) {
		return 0, false
	}
	if n <= 0 {
		return n, true
	}
	for _, p := range w.Kept[:n] {
		f(p)
	}
	w.Kept = w.Kept[:copy(w.Kept, w.Kept[n:])]
	w.base = below
	return n, true
}
