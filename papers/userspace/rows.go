package userspace

import (
	"github.com/sigview/sigview/papers/beds"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/testbed"
)

// Rows says how the rows of the paper are measured. Nothing runs before a row
// is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{seed: seed, Rows: judge.Rows{}, comparison: newComparison(seed)}
	r.hardware()
	r.network()
	r.vmmc()
	r.cells()
	r.compare()
	return r.Rows
}

// rows are the checks, with the experiments that several of them read.
type rows struct {
	judge.Rows
	seed       uint64
	comparison *comparison
}

var value, holds = judge.Value, judge.Holds

// pairPlatform is the pair of nodes that the layers were compared on.
const pairPlatform = "ppro"

// bare is a pair without a monitor.
var bare = testbed.Spec{Monitor: "off"}

// bed makes a measurement on a bed of the pair.
func (r *rows) bed(s testbed.Spec, f func(*testbed.Bed) judge.Measured) judge.Measure {
	s.Platform, s.Seed = pairPlatform, r.seed
	return beds.On(s, f)
}

// on makes a measurement on a bare bed of a layer of the pair, changed.
func (r *rows) on(layer string, c change, f func(*testbed.Bed) judge.Measured) judge.Measure {
	return r.bed(testbed.Spec{Layer: layer, Overlay: overlays.Of(string(c)), Monitor: "off", Bytes: 64 << 10}, f)
}
