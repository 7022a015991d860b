package logp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func run(e Enough, next func() float64) *Sampler {
	s := NewSampler(e)
	for !s.Done() {
		s.Add(next())
	}
	return s
}

func TestSamplerStops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	nan := math.NaN()
	tests := []struct {
		name   string
		next   func() float64
		n      int
		capped bool
	}{
		{"equal samples, one batch", func() float64 { return 3 }, 50, false},
		{"zeros", func() float64 { return 0 }, 50, false},
		{"no times", func() float64 { return nan }, 0, true},
		{"no accuracy", func() float64 { return math.Exp(8 * r.NormFloat64()) }, 10000, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := run(Culler(), tt.next)
			m := s.Mean()
			assert.Equal(t, tt.n, m.N)
			assert.Equal(t, tt.capped, m.Capped)
			assert.LessOrEqual(t, m.Lo, m.Value)
			assert.LessOrEqual(t, m.Value, m.Hi)
		})
	}
	assert.Equal(t, 10000, run(Culler(), func() float64 { return nan }).Bad())
	m := run(Culler(), func() float64 { return 3 }).Mean()
	assert.Equal(t, Mean{3, 3, 3, 50, false}, m)
}

func TestSamplerTakesAsManyAsItNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := run(Enough{50, 0.02, 200}, func() float64 { return 10 + 2*r.NormFloat64() }).Mean()
	// 1.96·2/√n <= 0.2 wants n of about 400, and two batches confirm it.
	assert.Zero(t, m.N%50)
	assert.Greater(t, m.N, 400)
	assert.Less(t, m.N, 650)
	assert.LessOrEqual(t, m.Hi-m.Value, 0.02*m.Value)
	assert.False(t, m.Capped)
}

func TestSamplerIntervalIsStudents(t *testing.T) {
	s := NewSampler(Enough{Batch: 4, Relative: 10, MaxBatches: 1})
	for _, x := range []float64{1, 2, 3, 4} {
		s.Add(x)
	}
	m := s.Mean()
	// t(0.975, 3) = 3.182446, s = 1.290994, s/√4 = 0.645497.
	assert.InDelta(t, 2.5, m.Value, 1e-12)
	assert.InDelta(t, 3.182446*0.645497, m.Hi-m.Value, 1e-5)
	assert.InDelta(t, m.Hi-m.Value, m.Value-m.Lo, 1e-12)
}

func TestSamplerRefusesNonsense(t *testing.T) {
	for _, e := range []Enough{{}, {1, 0.05, 10}, {50, 0, 10}, {50, 0.05, 0}, {50, math.NaN(), 1}} {
		assert.Panics(t, func() { NewSampler(e) }, "%+v", e)
	}
}
