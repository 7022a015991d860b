package why

import "math/bits"

// shapley returns the share of each of n players in the worth of all of them together: the
// mean, over all orders in which they can join, of what a player adds when it joins. The
// shares sum to worth(all) - worth(none). It is exact and asks for all 2^n sets.
func shapley(n int, worth func(Set) float64) []float64 {
	orders := make([]float64, n) // share of the orders in which a player joins a set of that size
	for size := range orders {
		orders[size] = 1 / float64(n) / binomial(n-1, size)
	}
	out := make([]float64, n)
	for s := range First(n) {
		before, size := worth(s), bits.OnesCount32(uint32(s))
		for i := range n {
			if !s.Has(i) {
				out[i] += float64(orders[size] * (worth(s.With(i)) - before))
			}
		}
	}
	return out
}

func binomial(n, k int) float64 {
	out := 1.0
	for i := range k {
		out = out * float64(n-i) / float64(i+1)
	}
	return out
}
