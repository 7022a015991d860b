package why

import "math/bits"

// shapley returns the Shapley value of each of n players: the mean, over all orders of joining, of worth(s with
// the player) − worth(s) for the set s before it. The values sum to worth(all) − worth(none). It calls worth
// for each of the 2^n sets, most of them more than once.
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

// binomial returns n over k.
func binomial(n, k int) float64 {
	out := 1.0
	for i := range k {
		out = out * float64(n-i) / float64(i+1)
	}
	return out
}
