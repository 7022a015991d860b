package userspace

import "github.com/sigview/sigview/papers/judge"

// Rows says how the rows of the paper are measured. Nothing runs before a row
// is judged.
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
	return r.Rows
}
