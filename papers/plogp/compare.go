package plogp

import (
	"math"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/workloads/microbench"
)

const overTCP = "fast method and saturation over TCP"

// region is where the paper sees saturation far below the fast method, bytes.
type region struct{ from, to int }

var regions = map[string]region{wan: {64, 1024}, myrinet: {128, 4096}}

// compare adds the rows of both methods' gaps (plogp, section 4, Figure 2).
func (r rows) compare() {
	const both = "fast method and saturation over LFC and TCP"
	r.Of("pl-close", both, judge.Both(r.fast(whole(myrinet)), r.fast(whole(wan)), agree))
	r.Of("pl-dev", both, judge.Both(r.fast(whole(myrinet)), r.fast(whole(wan)), func(a, b measure.Fast) judge.Measured {
		most, n := deepest(a)
		other, m := deepest(b)
		return judge.Value(max(most, other), "over LFC %.1f %% at %d B, over TCP %.1f %% at %d B", most, n, other, m)
	}))
	r.Of("pl-dev-myr", "fast method and saturation over LFC", r.of(whole(myrinet), where))
	r.Of("pl-dev-tcp", overTCP, r.of(whole(wan), where))
	usual := upTo(myrinet, "lfc", 2)
	usual.saturate = true
	exact := usual.with(func(s *logp.Search) { s.Epsilon, s.MostTrain = 1e-4, 1<<15 })
	r.Versus("pl-sat-error", "saturation on LFC, and a loop of sends", r.low(usual), "an accuracy of 0.01 %", r.low(exact))
}

// below returns by how much saturation is below the fast method, in per cent of it.
func below(f measure.Fast, bytes int) float64 {
	return 100 * (1 - f.Saturated[bytes].Value/at(f, bytes).G.Value)
}

// deepest returns where saturation is furthest below the fast method.
func deepest(f measure.Fast) (pct float64, bytes int) {
	for n := range f.Saturated {
		if d := below(f, n); d > pct {
			pct, bytes = d, n
		}
	}
	return pct, bytes
}

// where measures the size at which saturation is furthest below the fast method. It is 0
// if that is by no more than 10 %.
func where(f measure.Fast) judge.Measured {
	pct, n := deepest(f)
	if pct <= 10 {
		return judge.Value(0, "nowhere over 10 %% below: at most %.1f %%, at %d B", pct, n)
	}
	return judge.Value(float64(n), "%.1f %% below", pct)
}

// agree states that both methods agree within 5 % outside of the paper's regions of
// deviation, and that the fast method reads more in general.
func agree(overLFC, overTCP measure.Fast) judge.Measured {
	var claims []judge.Claim
	for _, x := range []struct {
		name string
		measure.Fast
		region
	}{{"LFC", overLFC, regions[myrinet]}, {"TCP", overTCP, regions[wan]}} {
		worst, higher := 0.0, 0
		for n := range x.Saturated {
			if n < x.from || n > x.to {
				worst = max(worst, math.Abs(below(x.Fast, n)))
			}
			if below(x.Fast, n) > 0 {
				higher++
			}
		}
		claims = append(claims,
			judge.Below(judge.Fig("largest difference over "+x.name, worst, "%"), judge.Limit(5, "%"), 0),
			judge.Above(judge.Fig("share of sizes whose g is higher by the fast method over "+x.name, float64(higher)/float64(len(x.Saturated))), judge.Limit(0.5), 0))
	}
	return judge.All(claims...)
}

// low states that saturation reads less than the gap of a loop whose queues are full.
func (r rows) low(a asked) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		const n = 4
		f := judge.Get(s, r.fast(a))
		loop := pair(s, r, a.platform, a.layer, n, func(p *microbench.Pair) (float64, error) {
			d, err := p.SendGap(microbench.Loop{Bytes: n, Warm: 4000, Messages: 4000})
			return d.Us(), err
		})
		return judge.All(judge.Below(judge.Fig("g by saturation", f.Saturated[n].Value, "µs"), judge.Fig("gap of a loop of sends", loop, "µs"), 0.3))
	})
}

// costs adds the rows of completion times (plogp, section 4, Table 2; section 5).
func (r rows) costs() {
	took := func(parts ...int) func(measure.Fast) judge.Measured {
		return func(f measure.Fast) judge.Measured {
			v := 0.0
			for _, i := range parts {
				v += f.Costs[i].TookS
			}
			return judge.Value(v, "%d sizes", len(f.Sizes))
		}
	}
	for _, x := range []struct{ id, platform, experiment string }{{"myr", myrinet, "fast method and saturation over LFC"}, {"tcp", wan, overTCP}} {
		all := whole(x.platform)
		r.Of("pl-t2-g0-"+x.id, x.experiment, r.of(all, took(0)))
		r.Of("pl-t2-o-"+x.id, x.experiment, r.of(all, took(1, 2)))
		r.Of("pl-t2-g-"+x.id, x.experiment, r.of(all, took(3)))
		r.Of("pl-fast-"+x.id, x.experiment, r.of(all, took(0, 1, 2)))
		r.Of("pl-gain-"+x.id, x.experiment, r.of(all, func(f measure.Fast) judge.Measured {
			return judge.Value(f.Costs[3].TookS/(f.Costs[0].TookS+f.Costs[1].TookS), "g of the first sizes by saturation in %.4g s, all their parameters by the fast method in %.4g s",
				f.Costs[3].TookS, f.Costs[0].TookS+f.Costs[1].TookS)
		}))
	}
	r.Of("pl-slow", overTCP, r.of(whole(wan), took(0, 1, 2)))
	r.Versus("pl-intrusive", "saturation over TCP", r.of(whole(wan), intrusive), "over LFC, whose links are fast and short", r.of(whole(myrinet), intrusive))
}

// intrusive states that saturation sends at least ten times as much as the fast method for the same
// sizes, and takes minutes.
func intrusive(f measure.Fast) judge.Measured {
	return judge.All(judge.Above(judge.Fig("bytes by saturation", float64(f.Costs[3].Bytes)), judge.Fig("bytes by the fast method", float64(f.Costs[1].Bytes)), 900),
		judge.Above(judge.Fig("time of saturation", f.Costs[3].TookS, "s"), judge.Limit(60, "s"), 0))
}
