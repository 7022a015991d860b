package measure

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Methods of measuring LogP parameters.
const (
	Signature = "signature" // cost of messages over burst length and delay (logp, section 3)
	Sweep     = "sweep"     // code fragments over message sizes (userspace, section 4.1)
)

// Subject is a place whose LogP parameters are measured.
type Subject struct {
	platform.Place
	Ctx     context.Context
	Seed    uint64
	Method  string // of LogP
	Monitor monitor.Build
	Noise   microbench.NoiseSpec // of the hosts
	Pattern microbench.Pattern   // of a signature
	Peers   int                  // of the pattern
	Sizes   []int64              // bytes, of a sweep's messages or of stores beside a signature
	Enough  logp.Enough          // when a point has enough samples
	Done    func(what string)    // called after each of Steps, from several goroutines
	seen    *stages              // what the monitor saw of round trips
}

// New returns a subject without noise or monitor: two nodes.
func New(ctx context.Context, p platform.Place, seed uint64) *Subject {
	return &Subject{Place: p, Ctx: ctx, Seed: seed, Peers: 1, Enough: Fewer(), Done: func(string) {}}
}

// Disturb lets noise disturb the hosts; samples are then as many as they need.
func (s *Subject) Disturb(noise microbench.NoiseSpec) {
	if s.Noise = noise; s.noisy() {
		s.Enough = logp.Culler()
	}
}

func (s *Subject) noisy() bool { return s.Noise != microbench.NoiseSpec{} }

// What hosts can be disturbed by.
const (
	Ticks  = "ticks"  // timer interrupts
	Misses = "misses" // delays by caches that others have used
)

// Noise is what disturbs the hosts. The figures are assumed: timer interrupts
// of a hundred hertz, and a cache refilled line by line now and then.
func Noise(sources []string) (n microbench.NoiseSpec) {
	if slices.Contains(sources, Ticks) {
		n.TickPeriod, n.TickCost = 10*sim.Millisecond, 20*sim.Microsecond
	}
	if slices.Contains(sources, Misses) {
		n.MissPeriod, n.MissCost = 200*sim.Microsecond, 2*sim.Microsecond
	}
	return n
}

// Fewer is the rule for samples without noise, which differ only by the point
// of the interface's main loop that a message meets.
func Fewer() logp.Enough { return logp.Enough{Batch: 4, Relative: 0.01, MaxBatches: 12} }

// Cluster makes a cluster of so many nodes. Monitors record only what comes
// after Record.
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

// Mean takes samples, each a time per process, until there are enough.
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
		return logp.Mean{}, fmt.Errorf("%d samples of %s are no times", n, s.Place)
	}
	return resolved(m.Mean()), nil
}

// resolution is the least half width of an interval, in parts of the mean.
// Samples of a simulation may all be alike; what still differs from one burst
// length or delay to another, by how messages meet the interface's main loop, is
// then no error of chance that would show in them.
const resolution = 0.001

func resolved(m logp.Mean) logp.Mean {
	least := float64(resolution * m.Value)
	m.Lo, m.Hi = min(m.Lo, m.Value-least), max(m.Hi, m.Value+least)
	return m
}

// warmBurst is how many messages have used buffers and tables before any is
// measured.
const warmBurst = 8

// Round keeps two digits, as one would type a delay.
func Round(us float64) float64 {
	if us <= 0 {
		return 0.1
	}
	unit := math.Pow(10, math.Floor(math.Log10(us))-1)
	if unit >= 1 {
		return math.Ceil(us/unit) * unit
	}
	per := math.Round(1 / unit) // a whole number, so that the quotient is the nearest decimal
	return math.Ceil(us*per) / per
}

// stages is what the monitor saw of packets on an idle machine: means of the
// four latencies, µs, and of the insertion that lanai and net both hold.
type stages struct {
	source, lanai, net, dest, insertion float64
	packets                             int64
}

// way is the time from a request's appearance to the interface to the arrival
// of its data in the receiver's memory.
func (s *stages) way() float64 { return s.source + s.lanai + s.net + s.dest - s.insertion }
