package tpil

// Plan says which mechanism takes which size: entries in the order of their sizes.
type Plan []Entry

// Entry is the mechanism of sizes from From bytes on.
type Entry struct {
	From int
	By   Mechanism
}

// Best returns the mechanism of a size: words without a plan.
func (p Plan) Best(n int) Mechanism {
	best := Word
	for _, e := range p {
		if n < e.From {
			break
		}
		best = e.By
	}
	return best
}
