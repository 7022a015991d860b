package fft

import (
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/dsp/fourier"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/ideal"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/rig"
)

var program = rig.Program[Spec, *FFT]{
	New: New,
	Of:  func(s *Spec) (*uint64, *svm.Homes) { return &s.Seed, &s.Homes },
	Holds: func(t require.TestingT, f *FFT, w *rig.World) {
		relative, err := f.deviation(w.System)
		require.NoError(t, err)
		require.Less(t, relative, 1e-12)
	},
	Draw: func(r *rapid.T) Spec {
		m := rapid.IntRange(1, 6).Draw(r, "digits of the root")
		return Spec{Points: 1 << (2 * m), Nodes: 1 << rapid.IntRange(0, min(m, 3)).Draw(r, "digits of the nodes"), Seed: rapid.Uint64().Draw(r, "seed")}
	},
	Refused: map[string]Spec{
		"fft.size is 0, want 2^m points with m even": {Points: 0, Nodes: 1},
		"fft.size is -4":         {Points: -4, Nodes: 1},
		"nearest: 4":             {Points: 1, Nodes: 1},
		"nearest: 4096 or 16384": {Points: 8192, Nodes: 2},
		"m even":                 {Points: 100000, Nodes: 2},
		"nearest: 268435456":     {Points: 1 << 30, Nodes: 2},
		"fft.nodes is 0, want a power of two that divides √size = 64": {Points: 4096, Nodes: 0},
		"fft.nodes is -2":                 {Points: 4096, Nodes: -2},
		"fft.nodes is 6":                  {Points: 4096, Nodes: 6},
		"√size = 64":                      {Points: 4096, Nodes: 128},
		"fft.homes is \"home policy(9)\"": {Points: 4096, Nodes: 2, Homes: 9},
	},
	Default: Spec{Points: DefaultPoints, Nodes: 8, Seed: 1},
}

func TestProgram(t *testing.T) { program.Test(t) }

func TestTransformsOfManyShapes(t *testing.T) {
	for _, c := range []struct {
		points, nodes int
		homes         svm.Homes
		service       svm.Service
		check         bool
	}{
		{4, 1, svm.Blocks, svm.Interrupt, true},
		{4, 2, svm.Blocks, svm.Interrupt, true},
		{64, 8, svm.Blocks, svm.Polling, true},
		{1024, 2, svm.RoundRobin, svm.Interrupt, true},
		{4096, 64, svm.Blocks, svm.Interrupt, false},
		{16384, 1, svm.Blocks, svm.Interrupt, false},
		{16384, 4, svm.FirstTouch, svm.Interrupt, true},
		{16384, 16, svm.FirstTouch, svm.Polling, false},
		{65536, 8, svm.RoundRobin, svm.Polling, false},
		{65536, 32, svm.Blocks, svm.Interrupt, false},
	} {
		t.Run(fmt.Sprintf("%d on %d", c.points, c.nodes), func(t *testing.T) {
			f, w := program.Run(t, Spec{Points: c.points, Nodes: c.nodes, Seed: 3, Homes: c.homes}, func(s *svm.Spec, n *ideal.Spec) {
				s.Service, s.Check = c.service, c.check
				n.Jitter = 30 * sim.Microsecond
			})
			relative, err := f.deviation(w.System)
			require.NoError(t, err)
			require.Less(t, relative, 1e-12)
		})
	}
}

// TestPublishedShape holds the default transform on eight nodes against the
// figures derived for it.
func TestPublishedShape(t *testing.T) {
	spec := Spec{Points: DefaultPoints, Nodes: 8, Seed: 1}
	h := spec.shape()
	require.Equal(t, 512, h.root)
	require.Equal(t, 64, h.rows)
	require.Equal(t, 8256, h.stride*elementBytes)
	require.Equal(t, 129*svm.PageSize, h.bandBytes())

	// By enumeration of addresses: what a processor reads of others in one transpose.
	for p := range 8 {
		segments, pages := 0, map[int]bool{}
		for row := range 512 {
			if row/64 == p {
				continue
			}
			segments++
			for column := p * 64; column < (p+1)*64; column++ {
				pages[(row*8256+column*16)/4096] = true
			}
		}
		require.Equal(t, 448, segments)
		require.Len(t, pages, 553)
	}

	f, w := program.Run(t, spec, nil)
	relative, err := f.deviation(w.System)
	require.NoError(t, err)
	require.Less(t, relative, 1e-12)
	_, done := w.System.Elapsed()
	require.True(t, done)
	fetched, sent := uint64(0), uint64(0)
	for p := range 8 {
		st := w.System.Member(p).Stats()
		// Three transposes; the counter's page and the two pages of small roots, unless they live here.
		own := map[int]uint64{0: 2, 1: 1}[p]
		require.EqualValues(t, 3*553+3-own, st.Fetches, "node %d", p)
		// Only the counter's page is ever written away from home.
		require.LessOrEqual(t, st.Diffs, uint64(1))
		fetched += st.Fetches
		sent += st.Bytes[trace.PageReply]
	}
	require.Equal(t, fetched*svm.PageSize, sent)
	t.Logf("relative error %.2g", relative)
	w.Log(t)
}

// TestStructure counts barriers and locks by their messages.
func TestStructure(t *testing.T) {
	_, w := program.Run(t, Spec{Points: 4096, Nodes: 4, Seed: 1}, nil)
	for p := range 4 {
		m := w.System.Member(p).Stats().Messages
		if p == 0 {
			require.EqualValues(t, 7*3, m[trace.BarrierRelease])
			require.EqualValues(t, 0, m[trace.LockRequest])
			continue
		}
		require.EqualValues(t, 7, m[trace.BarrierArrive])
		require.EqualValues(t, 1, m[trace.LockRequest])
	}
}

// TestVerifyNotices damages results.
func TestVerifyNotices(t *testing.T) {
	f, w := program.Run(t, Spec{Points: 4096, Nodes: 2, Seed: 1}, func(_ *svm.Spec, n *ideal.Spec) { n.Damage = 40 })
	_, err := f.deviation(w.System)
	require.ErrorContains(t, err, "relative error")

	f, w = program.Run(t, Spec{Points: 4096, Nodes: 2, Seed: 1}, nil)
	f.spec.Seed = 2
	_, err = f.deviation(w.System)
	require.ErrorContains(t, err, "relative error")
	f.spec.Seed, f.spec.Nodes = 1, 3
	_, err = f.deviation(w.System)
	require.ErrorContains(t, err, "2 threads counted themselves, want 3")
}

func TestTransformAgainstGonum(t *testing.T) {
	for n := 2; n <= 4096; n *= 2 {
		s := sim.NewStream(uint64(n), "test")
		row := make([]complex128, n)
		for i := range row {
			row[i] = complex(s.Float64()-0.5, s.Float64()-0.5)
		}
		want := fourier.NewCmplxFFT(n).Coefficients(nil, row)
		transform(row, rowRoots(n))
		for i := range row {
			require.InDelta(t, 0, cmplx.Abs(row[i]-want[i]), 1e-14*float64(n), "n %d element %d", n, i)
		}
	}
}

func TestRootsOfUnity(t *testing.T) {
	for _, n := range []int{1, 2, 4, 8, 64, 1024, 1 << 18} {
		for k := 0; k < n; k += max(1, n/1000) {
			u := unit(k, n)
			s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			require.InDelta(t, c, real(u), 1e-15)
			require.InDelta(t, -s, imag(u), 1e-15)
		}
	}
	require.Equal(t, complex(0, -1), unit(1, 4))
	require.Equal(t, complex(-1, 0), unit(2, 4)+0)
	// The last bit, against a sine of high precision.
	x := new(big.Float).SetPrec(200).SetFloat64(0.3)
	sum, term := new(big.Float).SetPrec(200).Set(x), new(big.Float).SetPrec(200).Set(x)
	for i := 1; i < 20; i++ {
		term.Mul(term, x).Mul(term, x).Quo(term, big.NewFloat(-float64(2*i*(2*i+1))))
		sum.Add(sum, term)
	}
	exact, _ := sum.Float64()
	got, _ := sincos(0.3)
	require.InDelta(t, exact, got, 1.2e-16)
}

func BenchmarkTransform(b *testing.B) {
	row, roots := make([]complex128, 512), rowRoots(512)
	for i := range row {
		row[i] = complex(float64(i%7), 1)
	}
	for b.Loop() {
		transform(row, roots)
		for i := range row {
			row[i] *= 1.0 / 512
		}
	}
}

// BenchmarkFFT is the default run on an ideal network, without verification.
func BenchmarkFFT(b *testing.B) { program.Bench(b) }
