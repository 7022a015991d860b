package fm

import "github.com/sigview/sigview/sim/host"

// ring is a process's receive region: places for packets, taken by the
// interface in the order of arrival and freed by the library in the same order.
type ring struct {
	base  host.Addr
	place int
	slots []slot
	come  uint64 // places that the interface has taken
	taken uint64 // places that the library has freed
}

// slot holds the fields of a packet in its place.
type slot struct {
	landed  bool
	lost    bool
	from    int
	order   uint32
	handler uint8
	message uint64 // bytes of the whole message
	offset  uint64 // of the packet in it
	bytes   int    // of the packet
}

// claim takes the next place; it fails when the ring is full.
func (r *ring) claim() (uint64, bool) {
	if r.come-r.taken == uint64(len(r.slots)) {
		return 0, false
	}
	r.come++
	return (r.come - 1) % uint64(len(r.slots)), true
}

func (r *ring) at(place uint64) host.Addr { return r.base + host.Addr(int(place)*r.place) }

func (r *ring) slot(place uint64) *slot { return &r.slots[place] }

// next returns the oldest packet and its address, or nil.
func (r *ring) next() (*slot, host.Addr) {
	place := r.taken % uint64(len(r.slots))
	if s := &r.slots[place]; s.landed {
		return s, r.at(place)
	}
	return nil, 0
}

// free frees the oldest packet's place.
func (r *ring) free() {
	*r.slot(r.taken % uint64(len(r.slots))) = slot{}
	r.taken++
}
