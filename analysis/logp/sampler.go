package logp

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/internal/student"
)

// Enough says when there are enough samples: after a whole batch, if the interval is
// within ±Relative of the mean or MaxBatches are taken.
type Enough struct {
	Batch      int
	Relative   float64
	MaxBatches int
}

// Culler is the rule of Culler et al., section 3.3: batches of 50 until ±5 %.
// They give no limit; this one is 200 batches.
//
// Samples that differ must be that accurate after three batches in a row. Stopping at
// the first narrow interval favours samples with few timer ticks, and the mean is then
// low: by 0.6 % with ticks in a tenth of the samples, so that means of many points miss
// the truth; by 0.1 % with three batches.
func Culler() Enough { return Enough{Batch: 50, Relative: 0.05, MaxBatches: 200} }

// inARow is the number of batches in a row after which the mean has to be accurate.
const inARow = 3

// Sampler collects samples until there are enough:
//
//	s := NewSampler(Culler())
//	for !s.Done() {
//		s.Add(measure())
//	}
//	mean := s.Mean()
//
// Samples that are negative or not finite count for the batch but not for the mean. Bad
// returns their number.
type Sampler struct {
	enough   Enough
	n, bad   int
	batches  int // complete ones in a row, up to the last, that were accurate
	mean, m2 float64
}

// NewSampler panics unless Batch is at least 2, Relative is positive and
// MaxBatches is at least 1.
func NewSampler(e Enough) *Sampler {
	if e.Batch < 2 || !(e.Relative > 0) || e.MaxBatches < 1 {
		panic(fmt.Sprintf("logp: Enough %+v, wanted Batch >= 2, Relative > 0, MaxBatches >= 1", e))
	}
	return &Sampler{enough: e}
}

// Add takes one sample.
func (s *Sampler) Add(x float64) {
	if !(x >= 0) || math.IsInf(x, 1) {
		s.bad++
	} else {
		s.n++
		d := x - s.mean
		s.mean += d / float64(s.n)
		s.m2 += float64(d * (x - s.mean))
	}
	switch {
	case !s.whole():
	case s.accurate():
		s.batches++
	default:
		s.batches = 0
	}
}

// whole reports whether the last batch is complete.
func (s *Sampler) whole() bool { return s.taken() > 0 && s.taken()%s.enough.Batch == 0 }

// taken returns the number of samples, those that were no valid times included.
func (s *Sampler) taken() int { return s.n + s.bad }

// Bad returns the number of samples that were not valid times.
func (s *Sampler) Bad() int { return s.bad }

// Done reports whether there are enough samples. It becomes true only after a whole batch.
func (s *Sampler) Done() bool {
	if !s.whole() {
		return false
	}
	return s.batches >= inARow || s.batches == 1 && s.m2 == 0 || s.taken() >= s.enough.Batch*s.enough.MaxBatches
}

// accurate reports whether half the interval is at most Relative of the mean. It needs two samples.
func (s *Sampler) accurate() bool {
	return s.n >= 2 && s.halfWidth() <= float64(s.enough.Relative*s.mean)
}

// halfWidth of the 95 % interval: Student's t times the standard error. Equal
// samples give zero.
func (s *Sampler) halfWidth() float64 {
	if s.n < 2 {
		return 0
	}
	return float64(student.T975(float64(s.n-1)) * math.Sqrt(s.m2/float64(s.n-1)/float64(s.n)))
}

// Mean returns the mean so far. It is Capped if it is less accurate than required.
func (s *Sampler) Mean() Mean {
	if s.n == 0 {
		return Mean{Capped: s.bad > 0}
	}
	h := s.halfWidth()
	return Mean{Value: s.mean, Lo: s.mean - h, Hi: s.mean + h, N: s.n, Capped: !s.accurate()}
}
