package measure

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Method is a way to measure LogP parameters.
type Method = names.Word[methods]

// Methods of measuring LogP parameters.
const (
	Signature = "signature" // cost of messages over burst length and delay (logp, section 3)
	Sweep     = "sweep"     // code fragments over message sizes (userspace, section 4.1)
	PLogP     = "plogp"     // trains and round trips over message sizes (plogp, section 3)
)

type methods struct{}

func (methods) Words() names.Words { return names.NewWords("method", Signature, Sweep, PLogP) }

// Subject is a place whose LogP parameters are measured.
type Subject struct {
	platform.Place
	Ctx      context.Context
	Seed     uint64
	Method   Method // of LogP
	Monitor  monitor.Build
	Noise    microbench.NoiseSpec // of the hosts
	Pattern  microbench.Pattern   // who sends to whom in a signature
	Peers    int                  // number of peers or pairs of the pattern
	Pair     *bench.Pair          // the pair among all nodes of the platform; nil: of two nodes that are alone
	Sizes    []int64              // of a sweep's messages or of stores beside a signature, bytes
	Enough   logp.Enough          // when a point has enough samples
	Search   logp.Search          // constants of the method plogp
	Saturate bool                 // the method plogp also measures gaps by saturation
	Done     func(what string)    // called after each of Steps, from several goroutines
	seen     *stages              // the monitor's stages of round trips
}

// New returns a subject of two nodes without noise or monitor.
func New(ctx context.Context, p platform.Place, seed uint64) *Subject {
	return &Subject{Place: p, Ctx: ctx, Seed: seed, Peers: 1, Enough: Fewer(), Search: logp.Published(), Done: func(string) {}}
}

// Disturb adds noise to the hosts. A point then takes as many samples as its
// accuracy needs.
func (s *Subject) Disturb(noise microbench.NoiseSpec) {
	if s.Noise = noise; s.noisy() {
		s.Enough = logp.Culler()
	}
}

func (s *Subject) noisy() bool { return s.Noise != microbench.NoiseSpec{} }

// Source is a source of noise.
type Source = names.Word[sources]

// Sources of noise.
const (
	ticks  = "ticks"  // timer interrupts
	misses = "misses" // delays by cache misses
)

type sources struct{}

func (sources) Words() names.Words { return names.NewWords("noise", ticks, misses) }

// Noise returns the noise of some sources. Its figures are assumed: timer interrupts at
// 100 Hz, and occasional cache misses.
func Noise(from []Source) (n microbench.NoiseSpec) {
	if slices.Contains(from, ticks) {
		n.TickPeriod, n.TickCost = 10*sim.Millisecond, 20*sim.Microsecond
	}
	if slices.Contains(from, misses) {
		n.MissPeriod, n.MissCost = 200*sim.Microsecond, 2*sim.Microsecond
	}
	return n
}

// Fewer is the rule for samples without noise. These differ only in the point of the
// interface's main loop at which a message arrives.
func Fewer() logp.Enough { return logp.Enough{Batch: 4, Relative: 0.01, MaxBatches: 12} }

// Cluster builds a cluster of a number of nodes. Its monitors do not record yet.
func (s *Subject) Cluster(nodes int) (*cluster.Cluster, error) {
	c, err := cluster.Warmed(cluster.Of(s.Place, nodes, s.Seed, s.Monitor))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Place, err)
	}
	if !s.noisy() {
		return c, nil
	}
	noise, err := c.Noise(s.Noise)
	if err != nil {
		c.Engine.Close()
		return nil, err
	}
	noise.Start()
	return c, nil
}

// pair builds a cluster of at least the two nodes that are measured and returns their
// numbers.
func (s *Subject) pair() (*cluster.Cluster, []int, error) {
	nodes, of := 2, []int{0, 1}
	if s.Pair != nil {
		nodes, of = s.Nodes, s.Pair.Nodes[:]
	}
	c, err := s.Cluster(nodes)
	return c, of, err
}

// Mean takes samples until there are enough and returns their mean, µs. A sample is
// a time of each process.
func (s *Subject) Mean(samples iter.Seq2[[]sim.Duration, error]) (logp.Mean, error) {
	m := logp.NewSampler(s.Enough)
	for sample, err := range samples {
		if err == nil {
			err = s.Ctx.Err()
		}
		if err != nil {
			return logp.Mean{}, err
		}
		var sum sim.Duration
		for _, d := range sample {
			sum += d
		}
		if m.Add(sum.Us() / float64(len(sample))); m.Done() {
			break
		}
	}
	if n := m.Bad(); n > 0 {
		return logp.Mean{}, fmt.Errorf("%d samples of %s are not valid times", n, s.Place)
	}
	return m.Mean().Resolved(resolution), nil
}

// resolution is the least half width of an interval, as a fraction of the mean. Samples
// of a simulation may all be equal, although the point of the main loop at which
// messages arrive differs between burst lengths and delays.
const resolution = 0.001

// warmBurst is how many messages are sent before the measured ones, so that buffers and
// tables are warm.
const warmBurst = 8

// stages are the monitor's figures of packets on an idle machine, µs: the means of the
// four stages, and of the insertion, which lanai and net both contain.
type stages struct {
	source, lanai, net, dest, insertion float64
	packets                             int64
}

// way returns the time from a request's entry into the request queue until its data is in the
// receiver's memory, µs.
func (s *stages) way() float64 { return s.source + s.lanai + s.net + s.dest - s.insertion }
