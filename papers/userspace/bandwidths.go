package userspace

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// bandwidths holds the rows of the bandwidth tests.
func (r *rows) bandwidths() {
	l := r.comparison
	most := func(f func(mb []float64) (judge.Measured, error)) judge.Measure {
		return judge.Read(l.mostWay(unchanged), f)
	}
	r.Of("us-range-zerocopy", "ping-pong and stream of three layers", most(func(mb []float64) (judge.Measured, error) {
		zero := []float64{mb[1], mb[3], mb[4]}
		return farther(slices.Min(zero), slices.Max(zero), 95, labelled(mb, "MB/s at most")), nil
	}))
	r.Of("us-range-copy", "stream of FM", most(func(mb []float64) (judge.Measured, error) {
		return value(mb[2], "and GAM %.1f MB/s: the published 50 to 70 in all, of which 60-70 is FM's", mb[0]), nil
	}))
	r.Of("us-range-concl", "ping-pong and stream of five layers", most(func(mb []float64) (judge.Measured, error) {
		return farther(slices.Min(mb), slices.Max(mb), 50, labelled(mb, "MB/s at most")), nil
	}))
	r.Of("us-bip-bw-d", "ping-pong and stream", most(func(mb []float64) (judge.Measured, error) {
		return value(mb[1], ""), nil
	}))
	for id, other := range map[string]int{"us-am-vs-vmmc": 4, "us-am-vs-bip": 1} {
		r.Of(id, "ping-pong of 4 MB", judge.Read(l.longWay(unchanged), func(mb []float64) (judge.Measured, error) {
			return value(100*(1-mb[0]/mb[other]), "%.1f against %.1f MB/s", mb[0], mb[other]), nil
		}))
	}
	r.Versus("us-order-bw", "4 MB over five layers", judge.Read(l.longWay(unchanged), inOrderMB), string(stores), judge.Read(l.longWay(stores), inOrderMB))
	r.Versus("us-copy-rule", "4 MB over five layers", judge.Read(l.longWay(unchanged), copyRule), string(fastCopies), judge.Read(l.longWay(fastCopies), copyRule))
	r.Versus("us-order-bw-small", "streams of 64 B to 2 KB", judge.Read(l.streams(unchanged), fastSmall),
		"FM without combined stores, PM without immediate sending", judge.Read(l.streams(plainSending), fastSmall))
}

// mostWay is the highest bandwidth that a message or a stream of messages of any
// size reaches on each compared layer, MB/s.
func (l *comparison) mostWay(v change) func(context.Context) ([]float64, error) {
	return l.way(v, func(points []bench.BandwidthPoint) float64 {
		mb, _ := highest(points)
		return mb
	})
}

// longWay is that of messages of 4 MB: what the published curves tend to.
func (l *comparison) longWay(v change) func(context.Context) ([]float64, error) {
	return l.way(v, func(points []bench.BandwidthPoint) float64 { return mbAt(points, experiment.MaxMessage) })
}

func (l *comparison) way(v change, of func([]bench.BandwidthPoint) float64) func(context.Context) ([]float64, error) {
	return func(ctx context.Context) ([]float64, error) {
		out := make([]float64, len(compared))
		for i, layer := range compared {
			for _, test := range []string{measure.PingPong, measure.Unidirectional} {
				points, err := l.curve(curveKey{layer, test, doubling, v})(ctx)
				if err != nil {
					return nil, err
				}
				out[i] = max(out[i], of(points))
			}
		}
		return out, nil
	}
}

// inOrderMB is {BIP, PM, VMMC-2} > FM > GAM, BIP highest.
func inOrderMB(mb []float64) (judge.Measured, error) {
	gam, bip, fm, pm, vmmc := mb[0], mb[1], mb[2], mb[3], mb[4]
	return holds(bip > pm && bip > vmmc && min(pm, vmmc) > fm && fm > gam, "%s", labelled(mb, "MB/s")), nil
}

// copyRule is that layers fall into two classes of bandwidth by what their path
// has: DMA on both sides and nothing else, or a copy or programmed I/O.
func copyRule(mb []float64) (judge.Measured, error) {
	zero, copying := min(mb[1], mb[3], mb[4]), max(mb[0], mb[2])
	return holds(zero >= 95 && copying <= 70, "%s", labelled(mb, "MB/s")), nil
}

// streams are the one-way curves of the compared layers.
func (l *comparison) streams(v change) func(context.Context) ([][]bench.BandwidthPoint, error) {
	return func(ctx context.Context) ([][]bench.BandwidthPoint, error) {
		out := make([][]bench.BandwidthPoint, len(compared))
		for i, layer := range compared {
			var err error
			if out[i], err = l.curve(curveKey{layer, measure.Unidirectional, doubling, v})(ctx); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

// considerably is by how much a bandwidth has to be above another one to be
// called considerably better.
const considerably = 1.2

// fastSmall is that FM and PM carry small and medium messages considerably
// better than the others: on average over the sizes, and nowhere worse.
func fastSmall(curves [][]bench.BandwidthPoint) (judge.Measured, error) {
	least, sum, sizes, where := math.Inf(1), 0.0, 0, int64(0)
	for i, p := range curves[0] {
		if p.SizeBytes < 64 || p.SizeBytes > 2048 {
			continue
		}
		slow := min(curves[2][i].MBps, curves[3][i].MBps)
		fast := max(curves[0][i].MBps, curves[1][i].MBps, curves[4][i].MBps)
		if slow/fast < least {
			least, where = slow/fast, p.SizeBytes
		}
		sum += math.Log(slow / fast)
		sizes++
	}
	mean := math.Exp(sum / float64(sizes))
	return holds(mean >= considerably && least > 0.9, "the slower of FM and PM against the fastest other: ×%.2f on average, ×%.2f at %s", mean, least, sizeName(where)), nil
}

func sizeName(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
