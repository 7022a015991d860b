package compare

import (
	"math"
	"sort"

	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/trace"
)

// alpha is the chance that an interval misses the true mean.
const alpha = 0.05

// estimate is a mean difference, its standard error and the degrees of freedom. df is 0 if the error is not
// known.
type estimate struct{ value, se, df float64 }

// estimates has one or two estimates of the same difference: Welch's from the two sets of runs, and after it,
// if the seeds are the same, that of the pairs. Invariant: the first has a value.
type estimates []estimate

// differences estimates b − a. pairs says that a[i] and b[i] have the same seed, and needs equal lengths.
func differences(a, b []float64, pairs bool) estimates {
	out := estimates{welch(a, b)}
	if pairs && len(a) > 1 {
		d := make([]float64, len(a))
		for i := range a {
			d[i] = b[i] - a[i]
		}
		mean, variance := portable.MeanVariance(d, nil)
		out = append(out, estimate{mean, math.Sqrt(variance) / math.Sqrt(float64(len(d))), float64(len(d) - 1)})
	}
	return out
}

// welch estimates mean(b) − mean(a) from independent runs. With va = var(a)/na: se² = va + vb, df = (va+vb)² /
// (va²/(na−1) + vb²/(nb−1)), by Welch and Satterthwaite. With one run on a side the error is not known.
func welch(a, b []float64) estimate {
	meanA, varianceA := portable.MeanVariance(a, nil)
	meanB, varianceB := portable.MeanVariance(b, nil)
	e := estimate{value: meanB - meanA}
	if len(a) < 2 || len(b) < 2 {
		return e
	}
	na, nb := float64(len(a)), float64(len(b))
	va, vb := varianceA/na, varianceB/nb
	e.se, e.df = math.Sqrt(va+vb), na+nb-2
	if den := float64(va*va)/(na-1) + float64(vb*vb)/(nb-1); den > 0 {
		e.df = float64((va+vb)*(va+vb)) / den
	}
	return e
}

// known reports whether the error of the difference is known.
func (all estimates) known() bool { return all[0].df > 0 }

// interval returns the 95 % interval, infinite if the error is not known. Of two estimates each has an interval
// of 97.5 % (Bonferroni), and the narrower one is taken. It is centred on the first.
func (all estimates) interval() (lo, hi float64) {
	half := math.Inf(1)
	for _, e := range all {
		if e.df <= 0 {
			break
		}
		half = math.Min(half, float64(e.se*student.Quantile(1-alpha/2/float64(len(all)), e.df)))
	}
	return all[0].value - half, all[0].value + half
}

// above returns the one-sided p-value of the hypothesis that the difference is not above 0. With two estimates
// it is twice the smaller p-value (Bonferroni), 1 at the most.
func (all estimates) above() float64 {
	p := 1.0
	for _, e := range all {
		one := 1.0
		switch {
		case e.se > 0:
			one = student.Survival(e.value/e.se, e.df)
		case e.value > 0:
			one = 0
		}
		p = math.Min(p, one*float64(len(all)))
	}
	return p
}

// effect returns Hedges' g: the difference over the pooled standard deviation of one run, times 1 − 3/(4·df −
// 1) for few runs. It is unknown if the runs of each side are equal.
func effect(difference float64, a, b []float64) trace.Opt[float64] {
	na, nb := float64(len(a)), float64(len(b))
	df := na + nb - 2
	_, varianceA := portable.MeanVariance(a, nil)
	_, varianceB := portable.MeanVariance(b, nil)
	pooled := (float64((na-1)*varianceA) + float64((nb-1)*varianceB)) / df
	if !(pooled > 0) {
		return trace.Opt[float64]{}
	}
	return trace.Some(difference / math.Sqrt(pooled) * (1 - 3/(float64(4*df)-1)))
}

// mostRuns is the largest number of runs a side that is proposed.
const mostRuns = 1000

// runsFor returns the least number of runs a side, above the present n, with which half the width of the
// interval is below distance. It assumes that the spread of the runs stays as it is. It returns mostRuns + 1 if
// mostRuns are too few.
func (all estimates) runsFor(distance float64, n int) int {
	least := mostRuns + 1
	for i, e := range all {
		spread := e.se * math.Sqrt(float64(n)) // of one run, of both sides together
		least = min(least, n+1+sort.Search(mostRuns-n, func(more int) bool {
			m := float64(n + 1 + more)
			df := m - 1
			if i == 0 {
				df *= 2
			}
			return spread/math.Sqrt(m)*student.Quantile(1-alpha/2/float64(len(all)), df) < math.Abs(distance)
		}))
	}
	return least
}
