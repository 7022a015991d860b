package experiment

import (
	"cmp"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// ClockTestSpec asks for the error of the global clock against true time.
type ClockTestSpec struct {
	Platform string `json:"platform" flag:"platform" help:"hardware profile: a name or a .toml file"`
	// All ordered pairs of nodes are compared; 0 is the platform's own number.
	Nodes  int          `json:"nodes" range:"0|2..64" flag:"nodes" help:"nodes, 2 to 64 (default: the platform's own)"`
	Seed   uint64       `json:"seed" range:"0.." flag:"seed" help:"seed of all random numbers"`
	Clock  ClockSpec    `json:"clock"` // Estimator is ignored: all are compared
	Load   ClockLoad    `json:"load" flag:"load" help:"load of the interfaces beside the clock protocol: %s"`
	Length sim.Duration `json:"for_ps" range:"0<.." flag:"for" help:"simulated time"`
}

// ClockLoad is the load of interfaces beside the clock protocol.
type ClockLoad = names.Word[clockLoads]

type clockLoads struct{}

func (clockLoads) Words() names.Words { return names.NewWords("load", "idle", "busy") }

// DefaultClockTest returns the published set-up: rounds every five minutes
// on idle interfaces, over a simulated day.
func DefaultClockTest() ClockTestSpec {
	return ClockTestSpec{
		Platform: DefaultPlatform,
		Seed:     DefaultSeed,
		Clock:    ClockSpec{Estimator: EstimatorPublished, Oscillators: cluster.Reference},
		Load:     "idle",
		Length:   86400 * sim.Second,
	}
}

// Validate checks the specification.
func (s ClockTestSpec) Validate(known Catalogue) error {
	return cmp.Or(known.checkPlace(s.Platform, ""), bounds.Check("", s))
}

// ClockQuality compares the estimators on the same clocks and messages.
type ClockQuality struct {
	Platform    string              `json:"-"`
	Seed        uint64              `json:"-"`
	Nodes       int                 `json:"nodes"`
	Load        ClockLoad           `json:"load"`
	Oscillators cluster.Oscillators `json:"oscillators"`
	SimulatedS  float64             `json:"simulated_s"`
	Estimators  []EstimatorError    `json:"estimators"`
	// Remarks say in words why an error is out of bounds.
	Remarks []string `json:"remarks"`
}

// EstimatorError is the error of one estimator: of conversions over all ordered
// pairs of nodes and all sampled instants.
type EstimatorError struct {
	Estimator       Estimator `json:"estimator"`
	MaxErrorUs      float64   `json:"max_error_us"`
	P99ErrorUs      float64   `json:"p99_error_us"`
	MedianBoundUs   float64   `json:"median_bound_us"`
	BoundCoverage   float64   `json:"bound_coverage"` // share of conversions whose reported bound held
	MessagesPerHour float64   `json:"messages_per_hour"`
}

// Of returns the result of an estimator; it panics if there is none.
func (q *ClockQuality) Of(e Estimator) EstimatorError {
	for _, x := range q.Estimators {
		if x.Estimator == e {
			return x
		}
	}
	panic("experiment: estimator " + e.String() + " was not tested")
}
