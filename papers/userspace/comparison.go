package userspace

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
)

// compared are the layers that were measured side by side (userspace,
// section 4), in the order of its tables.
var compared = []string{"gam", "bip", "fm", "pm", "vmmc"}

// compare holds the rows that compare them.
func (r *rows) compare() {
	r.minima()
	r.bandwidths()
	r.knees()
	r.overheadRows()
	r.stageTable()
	r.methods()
	r.sends()
	r.designs()
	r.transfers()
}

// comparison are the measurements of the compared layers that rows share.
type comparison struct {
	seed uint64

	curve      func(curveKey) func(context.Context) ([]bench.BandwidthPoint, error)
	parameters func(parametersKey) func(context.Context) (logp.Result, error)
	minima     func(context.Context) (perLayer, error)
	attribute  func(stageKey) func(context.Context) (finding, error)
}

// curveKey is a bandwidth test of a layer over a set of sizes.
type curveKey struct {
	layer, test string
	sizes       string // doubling, around: see sizesOf
	change      change
}

// parametersKey is a sweep's point.
type parametersKey struct {
	layer  string
	bytes  int
	change change
}

func newComparison(seed uint64) *comparison {
	l := &comparison{seed: seed}
	l.curve = judge.Memo(l.measureCurve)
	l.parameters = judge.Memo(l.measureParameters)
	l.attribute = judge.Memo(l.attribution)
	l.minima = judge.Once(l.measureMinima)
	return l
}

// place is a layer on the pair's platform, changed.
func (l *comparison) place(layer string, c change) (platform.Place, error) {
	return overlays.Place(pairPlatform, layer, string(c))
}

// pair is a running pair of a layer on the changed platform.
func (l *comparison) pair(layer string, v change) (*livePair, error) {
	p, err := l.place(layer, v)
	if err != nil {
		return nil, err
	}
	c, err := cluster.Warmed(cluster.Of(p, 2, l.seed, monitor.Off))
	if err != nil {
		return nil, err
	}
	return newLivePair(c, 64<<10)
}

// live makes a measurement on such a pair.
func (l *comparison) live(layer string, v change, f func(*livePair) (judge.Measured, error)) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		p, err := l.pair(layer, v)
		if err != nil {
			return judge.Measured{}, err
		}
		defer p.Engine.Close()
		return f(p)
	})
}

// Sets of sizes.
const (
	doubling = "doubling" // 4 B to 4 MB
	around   = "around"   // word by word around powers of two, 64 B to 1 KB
)

func sizesOf(set string) []int {
	var out []int
	switch set {
	case doubling:
		for n := 4; n <= experiment.MaxMessage; n *= 2 {
			out = append(out, n)
		}
	case around:
		for n := 64; n <= 1024; n *= 2 {
			out = append(out, n-8, n-4, n, n+4, n+8)
		}
	default:
		panic("experiment: set of sizes " + set)
	}
	return out
}

func (l *comparison) measureCurve(ctx context.Context, k curveKey) ([]bench.BandwidthPoint, error) {
	p, err := l.place(k.layer, k.change)
	if err != nil {
		return nil, err
	}
	sizes := sizesOf(k.sizes)
	out := make([]bench.BandwidthPoint, len(sizes))
	err = measure.Parallel(ctx, len(sizes), func(i int) error {
		at := len(sizes) - 1 - i // the longest first
		out[at], err = measure.Bandwidth(p, l.seed, k.test, sizes[at])
		return err
	})
	return out, err
}

func (l *comparison) measureParameters(ctx context.Context, k parametersKey) (logp.Result, error) {
	p, err := l.place(k.layer, k.change)
	if err != nil {
		return logp.Result{}, err
	}
	r, err := measure.New(ctx, p, l.seed).Received(k.bytes)
	if err != nil {
		return r, fmt.Errorf("%s, %d B, %q: %w", p, k.bytes, k.change, err)
	}
	return r, nil
}

// overheads are the parameters of one size as numbers, µs. L follows from the
// others even where it is below zero: sending and receiving then overlap.
type overheads struct{ os, or, l, g, half float64 }

func (l *comparison) overheads(ctx context.Context, layer string, n int, v change) (overheads, error) {
	r, err := l.parameters(parametersKey{layer, n, v})(ctx)
	if err != nil {
		return overheads{}, err
	}
	o := overheads{os: r.Os.Value, or: r.Or.Value, g: r.G.Value, half: r.RTT.Value / 2}
	if !r.Os.OK() || !r.RTT.OK() || !r.G.OK() {
		return o, fmt.Errorf("%s, %d B, %q: %s%s%s", layer, n, v, r.Os.Reason, r.RTT.Reason, r.G.Reason)
	}
	if !r.Or.OK() {
		o.or = 0
	}
	o.l = o.half - o.os - o.or
	return o, nil
}

// highest returns the highest bandwidth of a curve and its size.
func highest(points []bench.BandwidthPoint) (mb float64, bytes int64) {
	for _, p := range points {
		if p.MBps > mb {
			mb, bytes = p.MBps, p.SizeBytes
		}
	}
	return mb, bytes
}

// mbAt returns the bandwidth at a size, NaN when it was not measured.
func mbAt(points []bench.BandwidthPoint, bytes int) float64 {
	for _, p := range points {
		if p.SizeBytes == int64(bytes) {
			return p.MBps
		}
	}
	return math.NaN()
}
