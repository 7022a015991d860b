package fabric

// NewPacket returns a packet with a zero header and no payload.
func (n *Net) NewPacket() *Packet {
	if k := len(n.free); k > 0 {
		p := n.free[k-1]
		n.free = n.free[:k-1]
		p.route.used = true
		return p
	}
	if len(n.fresh) == 0 {
		n.fresh = make([]Packet, 64)
	}
	p := &n.fresh[0]
	n.fresh = n.fresh[1:]
	p.route.path = p.route.short[:0]
	p.route.id = uint32(len(n.packets))
	p.route.used = true
	n.packets = append(n.packets, p)
	return p
}

// Free returns a packet to the pool. Its payload must not be used afterwards.
func (n *Net) Free(p *Packet) {
	r := &p.route
	if !r.used {
		n.fail("packet %d of node %d freed twice", r.id, p.Src)
	}
	path, id, gen, buffer := r.path[:0], r.id, r.gen+1, p.buffer
	*p = Packet{} // in place: a literal with fields would be made elsewhere and copied
	r.path, r.id, r.gen, p.buffer = path, id, gen, buffer
	n.free = append(n.free, p)
}

// InUse returns how many packets are out of the pool.
func (n *Net) InUse() int { return len(n.packets) - len(n.free) }

// deref returns the packet of a reference, or nil if the reference is stale.
func (n *Net) deref(ref uint64) *Packet {
	p := n.packets[uint32(ref)]
	if p.route.gen != uint32(ref>>32) {
		return nil
	}
	return p
}

// ref returns a reference for events; it becomes stale when the packet is
// freed.
func (p *Packet) ref() uint64 { return uint64(p.route.gen)<<32 | uint64(p.route.id) }
