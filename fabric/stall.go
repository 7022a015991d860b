package fabric

// Stall makes a receiver refuse packets, like a stall of the specification. It panics when
// the stall begins in the past.
func (n *Net) Stall(s Stall) {
	n.spec.Faults.Stalls = append(n.spec.Faults.Stalls, s)
	n.schedule(uint64(len(n.spec.Faults.Stalls)-1), s)
}

// schedule schedules the begin and the end of stall i.
func (n *Net) schedule(i uint64, s Stall) {
	n.engine.At(s.At, n, opDeaf, i<<1|1)
	n.engine.At(s.At.Add(s.For), n, opDeaf, i<<1)
}

// deaf begins or ends an injected stall.
func (n *Net) deaf(s *Stall, begin bool) {
	d := &n.nodes[s.Node]
	if begin {
		d.deafTill = max(d.deafTill, s.At.Add(s.For))
		return
	}
	if d.deafTill <= n.engine.Now() {
		n.Resume(s.Node)
	}
}

// DropWhen makes the injector drop every packet for which take returns true. It is called
// once per packet, at injection.
func (n *Net) DropWhen(take func(*Packet) bool) {
	n.faults.when = take
	n.faults.active = true
}
