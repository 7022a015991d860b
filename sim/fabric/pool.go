package fabric

// poolChunk is how many packets are allocated at a time. So many begin at the border of a
// cache line.
const poolChunk = 128

// NewPacket returns a packet with a zero header and no payload: the one that was freed last,
// which is the likeliest to be in a cache.
func (n *Net) NewPacket() *Packet {
	if k := len(n.free); k > 0 {
		p := n.free[k-1]
		n.free = n.free[:k-1]
		p.route.used = true
		return p
	}
	if n.made == len(n.packets)*poolChunk {
		n.packets = append(n.packets, new([poolChunk]Packet))
	}
	p := n.packet(n.made)
	p.route.path = p.route.short[:0]
	p.route.id = uint32(n.made)
	p.route.used = true
	n.made++
	return p
}

// packet returns packet number i.
func (n *Net) packet(i int) *Packet { return &n.packets[i/poolChunk][i%poolChunk] }

// Free returns a packet to the pool. Its payload must not be used afterwards.
func (n *Net) Free(p *Packet) {
	r := &p.route
	if !r.used {
		n.fail("packet %d of node %d freed twice", r.id, p.Src)
	}
	path, id, gen, data := r.path[:0], r.id, r.gen+1, p.data[:0]
	if p.lent {
		data = nil
	}
	*p = Packet{} // in place: a literal with fields would be made elsewhere and copied
	r.path, r.id, r.gen, p.data = path, id, gen, data
	n.free = append(n.free, p)
}

// Lend makes the payload bytes of the sender's, which must stay as they are until the packet has been
// freed or its data is not read any more. On a network that damages packets they are copied.
func (n *Net) Lend(p *Packet, b []byte) {
	if n.spec.Faults.ErrorPerByte > 0 {
		copy(p.Payload(len(b)), b)
		return
	}
	p.data, p.lent = b, true
}

// InUse returns how many packets are out of the pool.
func (n *Net) InUse() int { return n.made - len(n.free) }

// deref returns the packet of a reference, or nil if the reference is stale.
func (n *Net) deref(ref uint64) *Packet {
	p := n.packet(int(uint32(ref)))
	if p.route.gen != uint32(ref>>32) {
		return nil
	}
	return p
}

// ref returns a reference for events; it becomes stale when the packet is
// freed.
func (p *Packet) ref() uint64 { return uint64(p.route.gen)<<32 | uint64(p.route.id) }
