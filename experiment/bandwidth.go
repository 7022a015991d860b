package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/parallel"
)

// Bandwidth measures the bandwidth of layers over message sizes. Results are in the
// order of platforms and, for each, of layers.
func Bandwidth(ctx context.Context, spec BandwidthSpec, watch Watch) ([]bench.Bandwidth, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	places, records, err := spec.places()
	if err != nil {
		return nil, err
	}
	sizes := slices.Sorted(slices.Values(spec.Sizes))
	if len(sizes) == 0 {
		sizes = PerturbSizes()
	}
	out := make([]bench.Bandwidth, len(places))
	for i, p := range places {
		if err := accepts(p, sizes); err != nil {
			return nil, err
		}
		out[i] = bench.Bandwidth{Place: records[i], Test: string(spec.Test), Points: make([]bench.BandwidthPoint, len(sizes)), Warnings: []string{}}
	}
	done := watch.Counting(len(places)*len(sizes), "measurements")
	// Largest sizes first: they take longest.
	err = parallel.Each(ctx, len(places)*len(sizes), func(i int) error {
		p, k := i%len(places), len(sizes)-1-i/len(places)
		var err error
		out[p].Points[k], err = measure.Bandwidth(places[p], spec.Seed, string(spec.Test), int(sizes[k]))
		done(fmt.Sprintf("%s, %d B", places[p], sizes[k]))
		return err
	})
	return out, err
}
