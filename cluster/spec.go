package cluster

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec describes a cluster.
type Spec struct {
	Profile *platform.Profile
	Layer   string // "": the profile's native one
	Nodes   int
	Seed    uint64

	Build    monitor.Build
	Variance bool
	Tags     int          // programs that the histograms tell apart
	Kinds    []trace.Kind // packet kinds that they tell apart
	Packets  bool         // the monitors trace packets
	Spans    bool         // and take operations of upper layers down
	Phases   []string     // when there are any, they record only while a program is in one
	// Histograms, when not nil, changes the plan of the histograms.
	Histograms func(*histo.Spec)

	Estimator   string       // of package clock
	Oscillators string       // "reference" or "harsh"
	Round       sim.Duration // between clock rounds; 0: the profile's own
	// WanderPerRound lets the oscillators wander in a round as much as they
	// otherwise do in one of the profile's length.
	WanderPerRound bool

	Gang       bool // hosts change between programs at the same instants
	Hosts      host.Uncontended
	Cards      ni.Uncontended
	Ports      bool // uncontended switch ports; with Cards.NetDMA also free senders
	NoPriority bool // clock packets are served in the order of all others
	NoInline   bool // no inline checks in long handlers
	Faults     fabric.Faults
}

// Of describes a cluster of a place with the usual clocks, whose histograms
// tell data from requests and replies.
func Of(p platform.Place, nodes int, seed uint64, build monitor.Build) Spec {
	return Spec{
		Profile: p.Profile, Layer: p.Layer, Nodes: nodes, Seed: seed, Build: build, Tags: 1,
		Kinds:     []trace.Kind{trace.Data, trace.Request, trace.Reply},
		Estimator: clock.Filtered, Oscillators: "reference",
	}
}

func (s *Spec) protocol(o clock.Spec) clock.Protocol {
	round := s.round()
	p := clock.Protocol{
		Estimator: s.Estimator, Nodes: s.Nodes, PeriodPs: int64(round),
		JitterPs:    int64(sim.Microseconds(s.Profile.Clock.JitterUs)),
		AsymmetryPs: int64(sim.Microseconds(s.Profile.Clock.AsymmetryUs)),
	}
	return p.Assume(o, s.pairRatePPB())
}

// layer returns the name of the communication layer.
func (s *Spec) layer() string {
	if s.Layer == "" {
		return s.Profile.Layer
	}
	return s.Layer
}

func (s *Spec) usualRound() sim.Duration {
	return sim.Microseconds(s.Profile.Monitor.RoundSeconds * 1e6)
}

func (s *Spec) round() sim.Duration {
	if s.Round == 0 {
		return s.usualRound()
	}
	return s.Round
}

// pairRatePPB is the largest difference in rate of two oscillators of the set.
func (s *Spec) pairRatePPB() float64 {
	if s.Oscillators == "harsh" {
		return 100_000
	}
	return 3000
}

func (s *Spec) oscillator(node int) (clock.Spec, error) {
	var o clock.Spec
	switch s.Oscillators {
	case "reference":
		o = clock.Reference(s.Seed, node)
	case "harsh":
		o = clock.Harsh(s.Seed, node)
	default:
		return o, fmt.Errorf("oscillators is %q, want reference or harsh", s.Oscillators)
	}
	o.HzNum, o.HzDen, o.WidthBits = s.Profile.Clock.Hz, 1, s.Profile.Clock.WidthBits
	if s.WanderPerRound {
		o = o.Accelerate(max(1, float64(s.usualRound())/float64(s.round())))
	}
	return o, nil
}
