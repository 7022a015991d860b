package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/parallel"
)

// TPILSpec asks for the fastest way from a host's memory into its card.
type TPILSpec struct {
	Platform string  `json:"platform"`
	Seed     uint64  `json:"seed" range:"0.."`
	Sizes    []int64 `json:"sizes" range:"1..4194304 bytes"` // of injections; none: 4 B to 2 MB
}

// DefaultTPIL returns the specification for a platform that has the library.
func DefaultTPIL() TPILSpec { return TPILSpec{Platform: "grim-p3-lanai9", Seed: DefaultSeed} }

// Validate checks what can be checked without loading a platform's file.
func (s TPILSpec) Validate(known Catalogue) error {
	return cmp.Or(known.checkPlace(s.Platform, ""), bounds.Check("", s), once("size", "size", s.Sizes))
}

// TPIL measures every mechanism of injection at each size, and tunes the library.
func TPIL(ctx context.Context, spec TPILSpec, watch Watch) (*bench.Injection, error) {
	p, err := loaded(spec, spec.Platform)
	if err != nil {
		return nil, err
	}
	if p.TPIL == nil {
		return nil, wrong("platform", p.Name, "one with the section [tpil]: %s", bounds.List(platformsWith(func(p *platform.Profile) bool { return p.TPIL != nil })))
	}
	m := tpil.Machine{Host: p.Host, Card: p.NI, TPIL: *p.TPIL}
	sizes := slices.Sorted(slices.Values(spec.Sizes))
	if len(sizes) == 0 {
		for n := int64(4); n <= 2<<20; n *= 2 {
			sizes = append(sizes, n)
		}
	}
	out := &bench.Injection{Platform: p.Name, Digest: p.Digest(), Absent: []string{}}
	mechanisms := tpil.Mechanisms(&m.Host)
	for _, how := range tpil.AllMechanisms() {
		if slices.Contains(mechanisms, how) {
			out.Mechanisms = append(out.Mechanisms, how.String())
		} else {
			out.Absent = append(out.Absent, how.String())
		}
	}
	out.Points = make([]bench.Injected, len(sizes)*len(mechanisms))
	done := watch.Counting(len(out.Points), "measurements")
	err = parallel.Each(ctx, len(out.Points), func(i int) error {
		n, how := sizes[i/len(mechanisms)], mechanisms[i%len(mechanisms)]
		s, err := m.Measure(how, int(n), spec.Seed)
		out.Points[i] = bench.Injected{SizeBytes: n, Mechanism: how.String(), TimeUs: s.Took.Us(), MBps: float64(n) / s.Took.Us()}
		done(fmt.Sprintf("%v, %d B", how, n))
		return err
	})
	if err != nil {
		return nil, err
	}
	for same := range slices.Chunk(out.Points, len(mechanisms)) {
		least := -1
		for i, p := range same {
			if m.TPIL.Takes(mechanisms[i]) && (least < 0 || p.TimeUs < same[least].TimeUs) {
				least = i
			}
		}
		same[least].Fastest = true
	}
	plan, err := tpil.Tune(m)
	for _, e := range plan {
		out.Plan = append(out.Plan, bench.Choice{FromBytes: int64(e.From), Mechanism: e.By.String()})
	}
	return out, err
}

// platformsWith returns the built-in platforms that have something.
func platformsWith(something func(*platform.Profile) bool) (names []string) {
	for _, name := range platform.Names() {
		if p, err := platform.Load(name); err == nil && something(p) {
			names = append(names, name)
		}
	}
	return names
}
