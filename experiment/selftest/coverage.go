package selftest

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/trace"
)

// Coverage is how many 95 % intervals of a mean latency contain the mean of all runs.
type Coverage struct {
	Program, Class string
	Stage          trace.Stage
	Intervals      int
	Contain        int
}

// level is the share of intervals that are to contain the mean.
const level = 0.95

// within reports whether the count lies in the 99 % band of as many intervals that hold.
func (c Coverage) within() bool {
	b := distuv.Binomial{N: float64(c.Intervals), P: level}
	return b.CDF(float64(c.Contain)) > 0.005 && 1-b.CDF(float64(c.Contain-1)) > 0.005
}

// overRuns makes Student's interval of each group of runs.
func overRuns(program string, all []compare.Run, group int) []Coverage {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(group - 1)}.Quantile(1 - (1-level)/2)
	return eachCell(program, all, func(c *Coverage, values []trace.Stat, mean float64) {
		for i := 0; i+group <= len(values); i += group {
			var some []float64
			for _, v := range values[i : i+group] {
				some = append(some, v.MeanNs.Value)
			}
			m, sd := stat.MeanStdDev(some, nil)
			c.count(m, float64(t*stat.StdErr(sd, float64(group))), mean)
		}
	})
}

// withinRuns takes the interval that each run gives of its own mean.
func withinRuns(program string, all []compare.Run) []Coverage {
	return eachCell(program, all, func(c *Coverage, values []trace.Stat, mean float64) {
		for _, v := range values {
			if v.DF > 0 {
				t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(v.DF)}.Quantile(1 - (1-level)/2)
				c.count(v.MeanNs.Value, float64(t*v.SENs.Value), mean)
			}
		}
	})
}

// count adds an interval. A mean that never varies is contained in spite of rounding.
func (c *Coverage) count(mean, half, truth float64) {
	c.Intervals++
	if math.Abs(mean-truth) <= half+float64(1e-9*math.Abs(truth)) {
		c.Contain++
	}
}

// eachCell calls of for each recorded stage of each size class that all runs have and that
// has enough packets.
func eachCell(program string, all []compare.Run, of func(c *Coverage, values []trace.Stat, mean float64)) (out []Coverage) {
	for _, class := range trace.Classes() {
		for stage := range trace.NumStages {
			var values []trace.Stat
			var means []float64
			packets := int64(0)
			for _, r := range all {
				for _, x := range r.Signature.Classes {
					if x.Class == class && x.Stage == stage && x.Kind == trace.AllKinds && !x.First.OK && x.MeanNs.OK {
						values, means = append(values, x.Stat), append(means, x.MeanNs.Value)
						packets += x.Count
					}
				}
			}
			if len(values) < len(all) || packets < compare.LeastPackets*int64(len(all)) {
				continue
			}
			c := Coverage{Program: program, Class: class, Stage: stage}
			if of(&c, values, stat.Mean(means, nil)); c.Intervals > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// covered says how many intervals of all cells contain their mean.
func covered(all []Coverage) string {
	contain, intervals, off := 0, 0, 0
	for _, c := range all {
		contain, intervals = contain+c.Contain, intervals+c.Intervals
		if !c.within() {
			off++
		}
	}
	return fmt.Sprintf("contain the mean of all runs in %.1f%% of %d; %d of %d cells are outside the 99%% band of intervals that hold.",
		100*float64(contain)/float64(max(intervals, 1)), intervals, off, len(all))
}
