package logp

import (
	"context"

	"github.com/sigview/sigview/papers/judge"
)

// assessRPC holds the row of asynchronous RPC (logp, section 5).
func (r *rows) assessRPC(a *assessment) {
	r.Versus("logp-rpc-sig", "signature", a.busy(unchanged), string(tenthWire), a.busy(tenthWire))
}

// busy tells whether the processor never idles: the first delay lifts the
// steady cost by itself, and the gap is both overheads.
func (a *assessment) busy(c change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		m := machine{sunRPC, c}
		s, err := a.pair(m)(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		none, err := a.steady(steadyKey{machine: m})(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		const delta = 20
		some, err := a.steady(steadyKey{machine: m, deltaUs: delta})(ctx)
		sum := s.Os.Value + s.Or.Value
		return holds(near(some-none, delta, 0.2) && near(none, sum, 0.02),
			"a delay of %d µs adds %.1f; g %.0f, o_s + o_r %.0f µs", delta, some-none, none, sum), err
	}
}
