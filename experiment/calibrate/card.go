package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/parallel"
)

// CardSpec says which card to fit to a listing of perftest.
type CardSpec struct {
	Name     string `json:"name"`     // of the platform
	Listing  string `json:"listing"`  // file
	Platform string `json:"platform"` // to start from
}

// CardResult is a platform and how well it meets a listing.
type CardResult struct {
	Fit     *bench.Card
	Profile string // its file
}

// pipeline is the one number that is fitted: what nothing published splits.
const pipeline = "verbs.card.pipeline_ns"

// Card fits a card's pipeline to the shortest write of a listing, and predicts the others.
func Card(ctx context.Context, s CardSpec, watch experiment.Watch) (*CardResult, error) {
	l, err := bench.ReadListing(s.Listing)
	if err != nil {
		return nil, err
	}
	if l.Operation != perftest.Write || l.Measure != perftest.Latency {
		return nil, bounds.Wrong("listing", s.Listing, "latencies of RDMA_Write, as ib_write_lat prints them with their header")
	}
	base, err := experiment.WithVerbs(s.Platform)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(l.Points, func(a, b bench.ListedPoint) int { return int(a.SizeBytes - b.SizeBytes) })
	least := l.Points[0]
	p, ns, err := fitPipeline(ctx, base, s.Name, least)
	if err != nil {
		return nil, err
	}
	out := &bench.Card{
		Platform: s.Name, Base: base.Name, Listing: l.File, LeftOut: l.LeftOut, Points: make([]bench.CardPoint, len(l.Points)),
		Parameters: []bench.Fitted{{Field: pipeline, Value: ns, From: fmt.Sprintf("the write of %d B", least.SizeBytes)}},
	}
	done := watch.Counting(len(l.Points), "sizes")
	err = parallel.Each(ctx, len(l.Points), func(i int) error {
		x := l.Points[i]
		us, err := writeLatency(ctx, p, x.SizeBytes)
		out.Points[i] = bench.CardPoint{SizeBytes: x.SizeBytes, ListedUs: x.Value, ModelledUs: us, Use: bench.Held}
		if i == 0 {
			out.Points[i].Use = bench.Fit
		}
		done(fmt.Sprintf("%d B", x.SizeBytes))
		return err
	})
	return &CardResult{out, cardText(out, p)}, err
}

// fitPipeline returns a platform whose write takes as long as the listed one. A write passes through two pipelines.
func fitPipeline(ctx context.Context, base *platform.Profile, name string, least bench.ListedPoint) (*platform.Profile, float64, error) {
	p, ns := base, 1000*base.Verbs.Card.Pipeline.Us()
	for range rounds {
		us, err := writeLatency(ctx, p, least.SizeBytes)
		if err != nil {
			return nil, 0, err
		}
		if ns += float64(500 * (least.Value - us)); ns < 0 {
			return nil, 0, bounds.Wrong("listing", fmt.Sprintf("%g µs for %d B", least.Value, least.SizeBytes),
				"at least the %.2f µs that platform %s takes without %s; host.pcie has most of them", least.Value-2*ns/1000, base.Name, pipeline)
		}
		ns = math.Round(10*ns) / 10
		p, err = base.With(platform.OverlayOf(name, map[string]any{
			"name": name, "title": base.Title + ", fitted to a listing", "verbs": map[string]any{"card": map[string]any{"pipeline_ns": ns}},
		}))
		if err != nil {
			return nil, 0, err
		}
	}
	return p, ns, nil
}

// writeLatency is that of the model, by a cable.
func writeLatency(ctx context.Context, p *platform.Profile, bytes int64) (float64, error) {
	r, err := perftest.Testbed{Profile: p, Cable: true, Seed: seed}.Measure(ctx, perftest.Test{
		Operation: perftest.Write, Measure: perftest.Latency, Bytes: bytes, Pairs: 1, Outstanding: 1, Threads: 1, Count: 20,
	})
	return r.TypicalUs, err
}

// cardText is the profile's file.
func cardText(c *bench.Card, p *platform.Profile) string {
	f := c.Parameters[0]
	return fmt.Sprintf("# A card that sigview calibrate has fitted to the listing %s: %s from %s.\n# Everything else is as in the platform %s. %s\n\n",
		c.Listing, f.Field, f.From, c.Base, c.Summary()) + p.Text()
}
