package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/sim/fabric"
)

// Verbs measures operations on cards with RDMA verbs, and lays a listing beside them. Results are in the order of
// platforms, operations, queue pairs and operations under way.
func Verbs(ctx context.Context, spec VerbsSpec, watch Watch) ([]bench.Verbs, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	var listing *bench.Listing
	if spec.Beside != "" {
		var err error
		if listing, err = bench.ReadListing(spec.Beside); err != nil {
			return nil, err
		}
	}
	if err := spec.follow(listing); err != nil {
		return nil, err
	}
	x := &verbsTests{spec: spec, listing: listing}
	for _, name := range spec.Platforms {
		p, err := WithVerbs(name)
		if err != nil {
			return nil, err
		}
		for _, op := range spec.Operations {
			for _, pairs := range spec.QueuePairs {
				for _, outstanding := range spec.Outstanding {
					if err := x.add(p, op, pairs, outstanding); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return x.out, x.run(ctx, watch)
}

// follow fills in what is not given from a listing, if there is one, or else with perftest's defaults.
func (s *VerbsSpec) follow(l *bench.Listing) error {
	pairs, depth := int64(1), int64(128)
	operation, measure := perftest.Operation(perftest.Write), perftest.Measure(perftest.Latency)
	if l != nil {
		measure = perftest.Measure(l.Measure)
		pairs, depth = max(l.QueuePairs, 1), l.Depth
		if depth == 0 {
			depth = 128
		}
		switch said := perftest.Operation(l.Operation); {
		case said == "" && len(s.Operations) == 0:
			return wrong("operation", "empty", "the operation of %s, which does not say it", s.Beside)
		case said != "" && len(s.Operations) > 0 && said != s.Operations[0]:
			return wrong("operation", s.Operations[0], "%s, as %s", said, s.Beside)
		case said != "":
			operation = said
		}
		if s.Measure != "" && s.Measure != measure {
			return wrong("measure", s.Measure, "%s, as %s", measure, s.Beside)
		}
		if len(s.Sizes) == 0 {
			for _, p := range l.Points {
				s.Sizes = append(s.Sizes, p.SizeBytes)
			}
		}
	}
	if s.Measure == "" {
		s.Measure = measure
		if l == nil && (s.Threads > 1 || s.Swarm) {
			s.Measure = perftest.Bandwidth
		}
	}
	if s.Measure == perftest.Latency {
		pairs, depth = 1, 1
	}
	if len(s.Operations) == 0 {
		s.Operations = []perftest.Operation{operation}
	}
	if len(s.QueuePairs) == 0 {
		s.QueuePairs = []int64{pairs}
	}
	if len(s.Outstanding) == 0 {
		s.Outstanding = []int64{depth}
	}
	return nil
}

// WithVerbs loads a platform that has verbs.
func WithVerbs(name string) (*platform.Profile, error) {
	p, err := platform.Load(name)
	if err == nil && p.Verbs == nil {
		err = wrong("platforms", p.Name, "one with the layer verbs: %s", bounds.List(platformsWith(func(p *platform.Profile) bool { return p.Verbs != nil })))
	}
	return p, err
}

// verbsTests are the tests of a specification.
type verbsTests struct {
	spec    VerbsSpec
	listing *bench.Listing
	out     []bench.Verbs
	all     []verbsTest
}

// verbsTest is one of them, and where its figures go.
type verbsTest struct {
	testbed perftest.Testbed
	test    perftest.Test
	to      [2]int // result, point
	lost    uint64 // datagrams
}

// add adds the tests of a result.
func (x *verbsTests) add(p *platform.Profile, op perftest.Operation, pairs, outstanding int64) error {
	r := bench.Verbs{
		Platform: p.Name, Digest: p.Digest(), Operation: string(op), Measure: string(x.spec.Measure), Network: "cable",
		QueuePairs: pairs, Outstanding: outstanding, Threads: x.spec.Threads, Swarm: x.spec.Swarm, Warnings: []string{},
	}
	r.Describe()
	var err error
	if r.Trust, err = trust(p, x.spec.Measure); err != nil {
		return err
	}
	if x.spec.Switch {
		r.Network = "switch"
	}
	if l := x.listing; l != nil {
		r.Listing = l.File
		if len(l.LeftOut) > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s has figures that are 0 to their digits, and left out: %s", l.File, strings.Join(l.LeftOut, "; ")))
		}
		v := p.Verbs
		for _, d := range l.Differs(int64(v.MTU), int64(v.InlineBytes), int64(v.Window), p.Network.Buffer.Control == fabric.Credits) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s has %s", l.File, d))
		}
	}
	sizes, err := x.sizes(op, p.Verbs)
	if err != nil {
		return err
	}
	for i, n := range sizes {
		t := perftest.Test{Operation: op, Measure: x.spec.Measure, Bytes: n, Pairs: pairs, Outstanding: outstanding, Threads: x.spec.Threads, Swarm: x.spec.Swarm, Count: x.spec.Count}
		if t.Count == 0 {
			t.Count = perftest.Count(t.Measure, n)
		}
		if err := t.Validate(); err != nil {
			return err
		}
		point := bench.VerbsPoint{SizeBytes: n, Iterations: t.Count}
		if x.listing != nil {
			for _, l := range x.listing.Points {
				if l.SizeBytes == n {
					point.Listed = &l.Value
				}
			}
		}
		r.Points = append(r.Points, point)
		x.all = append(x.all, verbsTest{perftest.Testbed{Profile: p, Cable: !x.spec.Switch, Seed: x.spec.Seed}, t, [2]int{len(x.out), i}, 0})
	}
	x.out = append(x.out, r)
	return nil
}

// LongestMessage returns the most bytes of an operation, and which field of a profile says so.
func LongestMessage(op perftest.Operation, v *verbs.Spec) (bytes int64, field string) {
	switch op {
	case perftest.Send:
		return int64(v.MessageBytes), "verbs.message_bytes"
	case perftest.SendUD:
		return int64(v.MTU), "verbs.mtu_bytes"
	}
	return 8 << 20, ""
}

// sizes returns the sizes of an operation, of messages up to the longest.
func (x *verbsTests) sizes(op perftest.Operation, v *verbs.Spec) (sizes []int64, err error) {
	most, field := LongestMessage(op, v)
	if len(x.spec.Sizes) > 0 {
		sizes = slices.Sorted(slices.Values(x.spec.Sizes))
		if last := sizes[len(sizes)-1]; field != "" && last > most {
			err = wrong("sizes", last, "at most %s = %d for %s", field, most, op)
		}
		return sizes, err
	}
	if perftest.Atomic(op) {
		return []int64{8}, nil
	}
	for n := int64(2); n <= most; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// share returns the misses of a cache of both cards, as a share of what was looked up.
func share(r perftest.Result, of func(verbs.Stats) (hits, misses uint64)) float64 {
	hits, misses := uint64(0), uint64(0)
	for _, s := range r.Cards {
		h, m := of(s)
		hits, misses = hits+h, misses+m
	}
	return float64(misses) / float64(max(hits+misses, 1))
}

// run makes all tests, those of the largest sizes first: they take longest.
func (x *verbsTests) run(ctx context.Context, watch Watch) error {
	slices.SortStableFunc(x.all, func(a, b verbsTest) int { return int(b.test.Bytes - a.test.Bytes) })
	done := watch.Counting(len(x.all), "measurements")
	err := parallel.Each(ctx, len(x.all), func(i int) error {
		t := x.all[i]
		r, err := t.testbed.Measure(ctx, t.test)
		x.all[i].lost = r.Lost
		done(fmt.Sprintf("%s, %s, %d B", t.testbed.Profile.Name, t.test.Operation, t.test.Bytes))
		p := &x.out[t.to[0]].Points[t.to[1]]
		if t.test.Measure == perftest.Bandwidth {
			p.VerbsRate = &bench.VerbsRate{MiBps: r.MiBps, Mpps: r.PerSecond / 1e6, ContextMiss: share(r, func(s verbs.Stats) (uint64, uint64) { return s.ContextHit, s.ContextMiss })}
			p.PageMiss = share(r, func(s verbs.Stats) (uint64, uint64) { return s.PageHit, s.PageMiss })
		} else {
			p.VerbsLatency = &bench.VerbsLatency{MinUs: r.MinUs, MaxUs: r.MaxUs, TypicalUs: r.TypicalUs, AverageUs: r.AverageUs, DeviationUs: r.DeviationUs, P99Us: r.P99Us, P999Us: r.P999Us}
		}
		return err
	})
	for _, t := range x.all {
		if r := &x.out[t.to[0]]; t.lost > 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%d datagrams of %d B found no receive buffer: the receiver's program is slower than %s", t.lost, t.test.Bytes, r.Test))
		}
	}
	return err
}
