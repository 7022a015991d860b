package cluster

import (
	"cmp"
	"strconv"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/comm/sampled"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Spec describes a cluster.
type Spec struct {
	Profile *platform.Profile
	Layer   string // "": the profile's native layer
	Nodes   int
	Seed    uint64
	// Others are the profiles of nodes whose host, card or settings of the layer differ from Profile;
	// the network, the payload of a packet and the monitor are those of Profile.
	Others map[int]*platform.Profile

	// Fast, unless messages are sampled, replaces interfaces, network and monitor by these costs of messages.
	Fast *fast.Params
	// Sampled, if not nil, has these costs beside interfaces, network and monitor, and says which messages
	// have them.
	Sampled *sampled.Net

	monitor.Options
	Tags      int              // number of programs with histograms of their own
	Kinds     []trace.Kind     // packet kinds with histograms of their own
	Sequences []trace.Sequence // kinds told apart by their predecessor
	// Histograms, if not nil, changes the specification of the histograms.
	Histograms func(*histo.Spec)

	Clock
	// WanderPerRound makes the oscillators wander as much in a round as they
	// otherwise do in a round of the profile's length.
	WanderPerRound bool

	Throttle bool // VMMC-2 keeps fewer packets in flight to swamped peers
	Gang     bool // hosts switch between programs at the same instants
	Hosts    host.Uncontended
	Cards    ni.Uncontended
	FreeAt   []int // nodes whose hosts and cards these are; none: all
	Ports    bool  // uncontended switch ports
	// FreePorts are single ports with infinite capacity, as the network names them.
	FreePorts []string
	Faults    fabric.Faults
}

// Clock describes the oscillators and the clock protocol. The zero value is the
// improved estimator on reference oscillators, with the profile's rounds.
type Clock struct {
	// Estimator of a testbed may also be one of package clock.
	Estimator   Estimator    `json:"estimator" flag:"clock-estimator" help:"estimator of remote clocks: %s"`
	Oscillators Oscillators  `json:"oscillators" flag:"clock-oscillators" help:"clock drift: %s"`
	Round       sim.Duration `json:"round_ps" range:"0|1e9..8.64e16 (1ms to 24h)" flag:"clock-round" help:"time between global clock rounds (default: the platform's own)"`
	// NoPriority serves clock packets in order with all others.
	NoPriority bool `json:"no_priority" flag:"no-clock-priority" help:"serve clock packets without priority"`
	// NoInlineChecks removes the inline checks for pending events from long
	// operations, so instants are stamped late.
	NoInlineChecks bool `json:"no_inline_checks" flag:"no-inline-checks" help:"omit the checks for events inside long firmware operations"`
}

// Estimator is a way to find the offset and rate of a remote clock.
type Estimator = names.Word[estimators]

// Estimators.
const (
	Published Estimator = "published" // midpoint of a round trip, rate from two rounds
	Improved  Estimator = "improved"  // delayed probes filtered, regression over rounds, data packets' own timestamps
)

type estimators struct{}

func (estimators) Words() names.Words { return names.NewWords("estimator", "published", "improved") }

// Oscillators is a set of clock oscillators.
type Oscillators = names.Word[oscillators]

// Sets of oscillators.
const (
	Reference Oscillators = "reference" // of usual quality
	Harsh     Oscillators = "harsh"     // wide rates, ten times the wander
)

type oscillators struct{}

func (oscillators) Words() names.Words { return names.NewWords("oscillator set", "reference", "harsh") }

// estimator is the name that package clock has for the estimator.
func (c *Clock) estimator() string {
	switch c.Estimator {
	case Published:
		return clock.Cristian
	case Improved, "":
		return clock.Filtered
	}
	return string(c.Estimator)
}

// Of returns the specification of a cluster of a place with default clocks and
// separate histograms of data, requests and replies.
func Of(p platform.Place, nodes int, seed uint64, build monitor.Build) Spec {
	return Spec{
		Profile: p.Profile, Layer: p.Layer, Nodes: nodes, Seed: seed, Options: monitor.Options{Build: build}, Tags: 1,
		Kinds: []trace.Kind{trace.Data, trace.Request, trace.Reply},
	}
}

func (s *Spec) protocol(o clock.Spec) clock.Protocol {
	round := s.round()
	p := clock.Protocol{
		Estimator: s.estimator(), Nodes: s.Nodes, PeriodPs: int64(round), Start: uint32(s.Profile.Clock.WarmRounds),
		JitterPs:    int64(sim.Microseconds(s.Profile.Clock.JitterUs)),
		AsymmetryPs: int64(sim.Microseconds(s.Profile.Clock.AsymmetryUs)),
	}
	return p.Assume(o, s.pairRatePPB())
}

// checkRound refuses rounds of the clock that take more than half of node 0's link, whose programs
// would starve behind them.
func (s *Spec) checkRound() error {
	if s.Build&monitor.Clock == 0 || s.Round == 0 {
		return nil
	}
	if least := 2 * s.Profile.Network.LinkRate.Time(monitor.RoundBytes(s.protocol(clock.Spec{}))); s.Round < least {
		return bounds.Wrong("clock.round_ps", s.Round, "at least %v: a round of %d nodes takes node 0's link for half of that", least, s.Nodes)
	}
	return nil
}

// layer returns the name of the communication layer.
func (s *Spec) layer() string { return cmp.Or(s.Layer, s.Profile.Layer) }

func (s *Spec) usualRound() sim.Duration {
	return sim.Microseconds(s.Profile.Monitor.RoundSeconds * 1e6)
}

func (s *Spec) round() sim.Duration { return cmp.Or(s.Round, s.usualRound()) }

// pairRatePPB is the largest difference in rate of two oscillators of the set.
func (s *Spec) pairRatePPB() float64 {
	if s.Oscillators == Harsh {
		return 100_000
	}
	return 3000
}

func (s *Spec) oscillator(node int) (clock.Spec, error) {
	var o clock.Spec
	switch s.Oscillators {
	case Reference, "":
		o = clock.Reference(s.Seed, node)
	case Harsh:
		o = clock.Harsh(s.Seed, node)
	default:
		return o, bounds.Wrong("oscillators", strconv.Quote(string(s.Oscillators)), "%s or %s", Reference, Harsh)
	}
	o.HzNum, o.HzDen, o.WidthBits = s.Profile.Clock.Hz, 1, s.Profile.Clock.WidthBits
	if s.WanderPerRound {
		o = o.Accelerate(max(1, float64(s.usualRound())/float64(s.round())))
	}
	return o, nil
}
