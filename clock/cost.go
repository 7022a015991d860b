package clock

// ConverterBytes returns the memory of a node's firmware for one clock: the
// curve as received and its anchor.
func (p Protocol) ConverterBytes() int {
	if p.Estimator == Cristian {
		return 8 + 8 + 8 + 4 + 8 + 32 // epoch, offset, rate, error, its growth; anchor
	}
	return 4*(p.Words().Entry-1) + 32 // an entry without its node, anchor
}

// CoordinatorBytes returns node 0's additional memory for one clock: the open
// probe with the points of data packets in both directions, and the estimator.
func (p Protocol) CoordinatorBytes() int {
	const smallestBytes = 2*(4+8*smallestRanks) + 8 + 4
	if p.Estimator == Cristian {
		return 2*8 + 8 + 8 + 8 + smallestBytes // probe, its predecessor, error
	}
	const symmetric = states * (states + 1) / 2
	return 4*8 + 2*replyPoints*4*pointWords + 16 + // probe, points, the open window
		8*(states+symmetric+3) + 2*smallestBytes // state, covariance, zero, time, strain
}
