package shrimp

import (
	"context"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// Rows that are not yet written with testbed's sticky errors use a bed that
// returns them.
type bedSpec struct {
	platform string
	nodes    int
	build    experiment.Build
	tags     int
	kinds    []trace.Kind
	bytes    int
	clock    experiment.ClockSpec

	profile func(*platform.Profile)
	cluster func(*cluster.Spec)
	layout  func(*histo.Spec)
	silent  bool
	cold    bool
}

type bed struct {
	*testbed.Bed
	profile *platform.Profile
}

func newBed(seed uint64, s bedSpec) (*bed, error) {
	b, err := testbed.Build(context.Background(), testbed.Spec{
		Platform: s.platform, Profile: s.profile, Nodes: s.nodes, Seed: seed, Bytes: s.bytes, Monitor: string(s.build),
		Tags: s.tags, Kinds: s.kinds, Layout: s.layout, Silent: s.silent, Cold: s.cold,
		Cluster: func(c *cluster.Spec) {
			if s.clock.Estimator != "" {
				c.Clock = s.clock
			}
			if s.cluster != nil {
				s.cluster(c)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return &bed{b, b.Place.Profile}, nil
}

// on measures a row on a bed.
func (r *rows) on(s bedSpec, f func(*bed) (judge.Measured, error)) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		b, err := newBed(r.seed, s)
		if err != nil {
			return judge.Measured{}, err
		}
		defer b.Engine.Close()
		return f(b)
	})
}

type nodeProgram struct {
	node int
	run  func(*host.Context)
}

func (b *bed) run(programs ...nodeProgram) error {
	var all []testbed.Program
	for _, p := range programs {
		all = append(all, testbed.On(p.node, p.run))
	}
	b.Run(all...)
	return b.Err()
}

func (b *bed) rest(d sim.Duration) error {
	b.Rest(d)
	return b.Err()
}

func (b *bed) each(from, to int, sizes []int, gap sim.Duration) nodeProgram {
	p := b.Each(from, to, sizes, gap)
	return nodeProgram{p.Node, p.Do}
}

func (b *bed) snapshot() (*histo.Snapshot, error) { return b.Snapshot(), b.Err() }

func (b *bed) moments(q histo.Query) (histo.Moments, error) { return b.Moments(q), b.Err() }

func (b *bed) tap(see func(*fabric.Packet)) { b.Tap(see) }

func (b *bed) watch() *testbed.Witness { return b.Watch() }

func (b *bed) proc(node int) *testbed.Depositor { return b.Depositor(node) }

func (b *bed) interrupted(from, to int, serve func(*host.Context)) (*vmmc.Import, error) {
	return b.Interrupting(from, to, serve), b.Err()
}

const quiet = testbed.Quiet

func same(n, count int) []int { return testbed.Same(n, count) }

const settle = sim.Millisecond

func (r *rows) idle(platform string, f func(*bed) (judge.Measured, error)) judge.Measure {
	return r.on(bedSpec{platform: platform, nodes: 8}, f)
}
