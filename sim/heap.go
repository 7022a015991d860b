package sim

// key orders an event by its time and sequence number, without pointers, so that sorting
// crosses no write barrier.
type key struct {
	at    Time
	order uint64 // sequence number, then the slot in the low slotBits
}

// maxSlots is the largest number of pending events; a model that exceeds it is out
// of control. That leaves 2^40 sequence numbers.
const (
	slotBits = 24
	maxSlots = 1 << slotBits
)

func (a *key) before(b *key) bool { return a.at < b.at || a.at == b.at && a.order < b.order }

func (a *key) slot() uint32 { return uint32(a.order & (maxSlots - 1)) }

// heap is a 4-ary heap of keys.
type heap struct{ keys []key }

func (h *heap) push(k key) {
	h.keys = append(h.keys, k)
	i := len(h.keys) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !k.before(&h.keys[parent]) {
			break
		}
		h.keys[i] = h.keys[parent]
		i = parent
	}
	h.keys[i] = k
}

// pop removes the least key.
func (h *heap) pop() {
	n := len(h.keys) - 1
	k := h.keys[n]
	h.keys = h.keys[:n]
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		best := first
		for c := first + 1; c < min(first+4, n); c++ {
			if h.keys[c].before(&h.keys[best]) {
				best = c
			}
		}
		if !h.keys[best].before(&k) {
			break
		}
		h.keys[i] = h.keys[best]
		i = best
	}
	if n > 0 {
		h.keys[i] = k
	}
}
