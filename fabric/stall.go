package fabric

// Stall makes a receiver refuse packets from a later time on, as a stall of
// the specification does. It panics when the stall lies in the past.
func (n *Net) Stall(s Stall) {
	i := uint64(len(n.spec.Faults.Stalls))
	n.spec.Faults.Stalls = append(n.spec.Faults.Stalls, s)
	n.engine.At(s.At, n, opDeaf, i<<1|1)
	n.engine.At(s.At.Add(s.For), n, opDeaf, i<<1)
}
