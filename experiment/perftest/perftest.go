package perftest

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// Operation is what is measured.
type Operation = names.Word[operations]

type operations struct{}

// Words implements names.Enumeration.
func (operations) Words() names.Words {
	return names.NewWords("operation", Write, Read, Send, FetchAdd, CompareSwap)
}

// The operations.
const (
	Write       = "write"
	Read        = "read"
	Send        = "send"
	FetchAdd    = "fetch-add"
	CompareSwap = "compare-swap"
)

// Measure is what of it.
type Measure = names.Word[measures]

type measures struct{}

// Words implements names.Enumeration.
func (measures) Words() names.Words { return names.NewWords("measure", Latency, Bandwidth) }

// The measures.
const (
	Latency   = "latency"
	Bandwidth = "bandwidth"
)

// Test is one measurement.
type Test struct {
	Operation   Operation `json:"operation"`
	Measure     Measure   `json:"measure"`
	Bytes       int64     `json:"bytes" range:"1..1073741824"`
	Pairs       int64     `json:"queue_pairs" range:"1..16384"`
	Outstanding int64     `json:"outstanding" range:"1..65536"` // of a pair, for bandwidth
	Count       int64     `json:"count" range:"1..100000000"`   // operations, or round trips
}

// Result is a result. Of latency the time is the median; of bandwidth it is the mean between completions.
type Result struct {
	Us, LowUs, HighUs float64 // with its quarters
	PerSecond         float64
	MiBps             float64 // 2^20 bytes a second
}

// Bed is where tests run.
type Bed struct {
	Profile *platform.Profile
	Cable   bool // between the two cards; otherwise the platform's network
	Seed    uint64
}

// Validate returns an error that names the first field that is wrong.
func (t *Test) Validate() error {
	if err := bounds.Check("", t); err != nil {
		return err
	}
	if t.atomic() && t.Bytes != 8 {
		return bounds.Wrong("bytes", t.Bytes, "8 for an atomic operation")
	}
	return nil
}

func (t *Test) atomic() bool { return t.Operation == FetchAdd || t.Operation == CompareSwap }

// Measure runs a test on two nodes of its own.
func (b Bed) Measure(ctx context.Context, t Test) (r Result, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if err := t.Validate(); err != nil {
		return r, err
	}
	p := *b.Profile
	if b.Cable {
		p.Network.Topology = fabric.Topology{Shape: fabric.Cable}
	}
	place, err := p.At("verbs")
	if err != nil {
		return r, err
	}
	c, err := cluster.New(cluster.Of(place, 2, b.Seed, monitor.Off))
	if err != nil {
		return r, err
	}
	defer c.Engine.Close()
	x := &run{Test: t, engine: c.Engine}
	for i, n := range c.Nodes {
		if err := x.open(i, n.Layer.(*verbs.Node), n.Frames); err != nil {
			return r, err
		}
	}
	x.connect()
	if t.Measure == Bandwidth {
		err = c.Run(x.stream, x.listen)
	} else {
		err = c.Run(func(c *host.Context) { x.bounce(c, 0) }, func(c *host.Context) { x.bounce(c, 1) })
	}
	if err == nil {
		err = x.err
	}
	if err != nil {
		return r, fmt.Errorf("%s of %d B: %w", t.Operation, t.Bytes, err)
	}
	return x.result(), nil
}

// result sums up what was measured.
func (x *run) result() Result {
	if x.Measure == Bandwidth {
		s := x.end.Sub(x.begin).Us() / 1e6
		n := float64(x.Count)
		return Result{Us: s / n * 1e6, LowUs: s / n * 1e6, HighUs: s / n * 1e6, PerSecond: n / s, MiBps: n * float64(x.Bytes) / s / (1 << 20)}
	}
	slices.Sort(x.times)
	at := func(k int) float64 { return sim.Duration(x.times[len(x.times)*k/4]).Us() / x.trips() }
	r := Result{Us: at(2), LowUs: at(1), HighUs: at(3)}
	r.PerSecond = 1e6 / r.Us
	r.MiBps = float64(x.Bytes) / r.Us * 1e6 / (1 << 20)
	return r
}

// trips is how many of the latencies that are wanted a measured time has.
func (x *run) trips() float64 {
	if x.Operation == Write || x.Operation == Send {
		return 2
	}
	return 1
}
