package modern

import (
	_ "embed"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/perftest"
	"github.com/sigview/sigview/papers/judge"
)

// Rows returns the checks of the rows. No experiment runs before a row is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{judge.Rows{}, seed, judge.Memory{}}
	for _, add := range []func(){r.mlx4, r.cx5roce, r.cx5ex, r.incast, r.cx6, r.cx7, r.swarms, r.threads, r.bus, r.packets, r.network} {
		add()
	}
	return r.Rows
}

// rows holds the checks, and what they share.
type rows struct {
	judge.Rows
	seed  uint64
	known judge.Memory
}

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/modern/overlays.toml", overlayFile)

// profile returns a platform changed by an overlay; overlay "" changes nothing.
func (r *rows) profile(name, overlay string) *platform.Profile {
	return judge.Recall(r.known, func() *platform.Profile {
		return judge.Must(judge.Must(platform.Load(name)).With(overlays.Of(overlay)))
	}, "profile", name, overlay)
}

// card is a platform changed by an overlay, with a cable between two cards or a switch.
type card struct {
	name, overlay string
	switched      bool
}

// result measures a test, once.
func (r *rows) result(s *judge.Session, on card, t perftest.Test) perftest.Result {
	return judge.Recall(r.known, func() perftest.Result {
		two := perftest.Testbed{Profile: r.profile(on.name, on.overlay), Cable: !on.switched, Seed: r.seed}
		return judge.Must(two.Measure(s.Context(), t))
	}, on, t)
}

// us returns the typical latency of an operation.
func (r *rows) us(s *judge.Session, on card, op perftest.Operation, bytes int64) float64 {
	const crossings = 20 // all take the same time
	return r.result(s, on, perftest.Test{Operation: op, Measure: perftest.Latency, Bytes: bytes, Pairs: 1, Outstanding: 1, Threads: 1, Count: crossings}).TypicalUs
}

// stream is operations under way on queue pairs.
type stream struct {
	op                        perftest.Operation
	bytes, pairs, outstanding int64
	threads                   int64 // 0: 1
	swarm                     bool
}

// deep is a stream of one pair with perftest's depth.
func deep(op perftest.Operation, bytes int64) stream {
	return stream{op: op, bytes: bytes, pairs: 1, outstanding: 128}
}

// rate returns millions of operations of a stream in a second.
func (r *rows) rate(s *judge.Session, on card, x stream) float64 {
	count := max(64, min(2000, 16<<20/x.bytes))
	if x.threads > 1 {
		count = max(20000, 2*x.pairs*x.outstanding)
	}
	if x.swarm {
		count = 20000
	}
	return r.result(s, on, perftest.Test{
		Operation: x.op, Measure: perftest.Bandwidth, Bytes: x.bytes, Pairs: x.pairs, Threads: max(1, x.threads), Outstanding: x.outstanding, Swarm: x.swarm, Count: count,
	}).PerSecond / 1e6
}

// gbps returns the bandwidth of a stream, 10⁹ bits in a second.
func (r *rows) gbps(s *judge.Session, on card, x stream) float64 {
	return float64(r.rate(s, on, x)*float64(x.bytes)) * 8 / 1000
}

const (
	kb = 1 << 10
	mb = 1 << 20
)
