package gauss

// Spoil multiplies one element of the factors.
func (g *Gauss) Spoil(i, j int, by float64) {
	r := &g.workers[g.owner(i)].rows[i/g.spec.Nodes]
	r.set(j, by*r.get(j))
}
