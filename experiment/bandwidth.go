package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
)

// Bandwidth measures the bandwidth of layers over message sizes, results in
// the order of platforms and, of each, of layers.
func Bandwidth(ctx context.Context, spec BandwidthSpec, watch Watch) ([]bench.Bandwidth, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	places, err := spec.places()
	if err != nil {
		return nil, err
	}
	names, err := spec.names(places)
	if err != nil {
		return nil, err
	}
	sizes := slices.Sorted(slices.Values(spec.Sizes))
	if len(sizes) == 0 {
		sizes = PerturbSizes()
	}
	out := make([]bench.Bandwidth, len(places))
	for i, p := range places {
		if err := p.accepts(sizes); err != nil {
			return nil, err
		}
		out[i] = bench.Bandwidth{Place: p.record(), Test: spec.Test, Points: make([]bench.BandwidthPoint, len(sizes))}
		out[i].Platform = names[i]
	}
	done := watch.counting(len(places)*len(sizes), "measurements")
	// Largest sizes first: they take longest.
	err = parallel(ctx, len(places)*len(sizes), func(i int) error {
		p, k := i%len(places), len(sizes)-1-i/len(places)
		var err error
		out[p].Points[k], err = places[p].bandwidth(spec.Seed, spec.Test, int(sizes[k]))
		done(fmt.Sprintf("%s, %d B", places[p], sizes[k]))
		return err
	})
	return out, err
}

// bandwidth measures one size on a cluster of its own.
func (p place) bandwidth(seed uint64, test string, n int) (bench.BandwidthPoint, error) {
	out := bench.BandwidthPoint{SizeBytes: int64(n)}
	c, err := p.cluster(seed, 2, BuildOff)
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	pair, err := c.Pair(0, 1, n)
	if err != nil {
		return out, err
	}
	messages := min(600, max(6, (8<<20)/max(n, 1)))
	switch test {
	case testPingPong:
		r, err := pair.PingPong(n, min(60, max(4, (4<<20)/max(n, 1))))
		if err != nil {
			return out, fmt.Errorf("%s, %d B: %w", p, n, err)
		}
		out.OneWayUs = figure(r.OneWay().Us())
		out.MBps = float64(n) / r.OneWay().Us()
	case testUnidirectional:
		r, err := pair.Stream(n, messages)
		if err != nil {
			return out, fmt.Errorf("%s, %d B: %w", p, n, err)
		}
		out.MBps = r.BytesPerSecond() / 1e6
	case testSimultaneous:
		r, err := pair.Simultaneous(n, messages)
		if err != nil {
			return out, fmt.Errorf("%s, %d B: %w", p, n, err)
		}
		out.MBps = (r[0].BytesPerSecond() + r[1].BytesPerSecond()) / 1e6
	default:
		panic("experiment: bandwidth test " + test)
	}
	return out, nil
}
