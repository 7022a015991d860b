package logp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
)

// lift is the time per message at one Δ, spin included, in its steady state.
type lift struct {
	deltaUs float64
	cost    reading
}

// lifted returns the lifts whose cost exceeds g by 1 % and by three standard errors. At these Δ the processor
// is the limit, not the gap.
func lifted(ls []lift, g reading) []lift {
	var out []lift
	for _, l := range ls {
		up := l.cost.minus(g)
		if l.deltaUs > 0 && up.v > float64(0.01*g.v)+float64(3/student.Z975*up.half) {
			out = append(out, l)
		}
	}
	return out
}

// overhead returns the processor time per message in µs: cost − Δ, which is the same at every Δ that lifts the
// cost.
//
// ls are in the order of Δ. It takes the largest Δ and then smaller ones, as long as each agrees with those
// before within 2 %, 0.2 % of the cost and three standard errors; used says how many do. The first that does
// not causes the warning. g is the cost without delay, zero if unknown.
func overhead(ls []lift, g reading, of string) (r reading, res Residual, used int, warning string) {
	var rs []reading
	var sizes []float64
	for i := len(ls) - 1; i >= 0; i-- {
		e := ls[i].cost.minus(reading{v: ls[i].deltaUs})
		if len(rs) > 0 {
			off := e.minus(r)
			if math.Abs(off.v) > float64(0.02*math.Abs(r.v))+float64(0.002*ls[i].cost.v)+float64(3/student.Z975*off.half) {
				warning = left(ls[i], r, g, of)
				break
			}
		}
		rs, sizes = append(rs, e), append(sizes, ls[i].cost.v)
		r, res = constant(rs, sizes, of)
	}
	return r, res, len(rs), warning
}

// left returns the warning about a Δ that does not agree with longer ones: the processor time differs there, or
// the processor waits and something else takes the time. "" if the cost is no more than rise above g.
func left(l lift, busy, g reading, of string) string {
	switch {
	case float64(busy.v+l.deltaUs) > g.v:
		return fmt.Sprintf("%s = cost − Δ is not the same at every Δ: %.4g µs at Δ = %g µs, %.4g µs at longer ones, which are used", of, l.cost.v-l.deltaUs, l.deltaUs, busy.v)
	case l.cost.v > float64(g.v*(1+rise)):
		return fmt.Sprintf("at Δ = %g µs a message takes %.4g µs, longer than g = %.4g µs, although the processor waits: %s = %.4g µs", l.deltaUs, l.cost.v, g.v, of, busy.v)
	}
	return ""
}
