package userspace

import "github.com/sigview/sigview/papers/judge"

// Rows returns the checks of the paper's rows. No experiment runs before a row is
// judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{judge.Rows{}, study{seed: seed, shared: judge.Memory{}}}
	r.hardware()
	r.network()
	r.transfers()
	r.latencies()
	r.bandwidths()
	r.knees()
	r.overheads()
	r.stages()
	r.methods()
	r.sends()
	r.designs()
	r.cells()
	r.limits()
	return r.Rows
}
