package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// How a clock is tested.
const (
	busyRound   = 50 * sim.Millisecond  // between rounds under load, unless said otherwise
	busyLength  = 3 * sim.Second        // simulated time under load
	busyGap     = 120 * sim.Microsecond // mean pause of a node between messages
	harshFactor = 6                     // busyRound is so many times longer for harsh clocks: shorter rounds do not show their wander of five minutes
)

// ClockTest measures the error of the global clock against true time. At sampled
// instants every node converts its own clock register and that of every other node.
// Both are read at the same instant, so the difference of the two global times is the
// error.
func ClockTest(ctx context.Context, spec ClockTestSpec, watch Watch) (*ClockQuality, error) {
	p, nodes, err := resolve(spec, spec.Platform, spec.Nodes)
	if err != nil {
		return nil, err
	}
	out := &ClockQuality{
		Platform: p.Name, Seed: spec.Seed, Nodes: nodes,
		Load: spec.Load, Oscillators: spec.Clock.Oscillators, SimulatedS: spec.Length.Seconds(), Remarks: []string{},
	}
	for _, name := range Estimator("").All() {
		e, err := clockError(ctx, spec, p, nodes, name, watch)
		if err != nil {
			return nil, err
		}
		out.Estimators = append(out.Estimators, e)
	}
	out.Remarks = append(out.Remarks, clockRemarks(out, spec)...)
	return out, nil
}

// clockError measures the error of one estimator.
func clockError(ctx context.Context, spec ClockTestSpec, p *platform.Profile, nodes int, e Estimator, watch Watch) (EstimatorError, error) {
	run := DefaultRun("clocktest")
	run.Seed, run.Clock = spec.Seed, spec.Clock
	run.Clock.Estimator = e
	length := spec.Length
	busy := spec.Load == "busy"
	if busy {
		if run.Clock.Round == 0 {
			run.Clock.Round = busyRound
			if spec.Clock.Oscillators == "harsh" {
				run.Clock.Round *= harshFactor
			}
		}
		if length == DefaultClockTest().Length {
			length = busyLength * max(1, run.Clock.Round/busyRound)
		}
	}
	built, err := clusterSpec(run, p, nodes, traffic{kinds: []trace.Kind{trace.Data}})
	if err != nil {
		return EstimatorError{}, err
	}
	built.WanderPerRound = busy
	c, err := cluster.New(built)
	if err != nil {
		return EstimatorError{}, err
	}
	defer c.Engine.Close()
	c.Record()
	if busy {
		load, err := c.Load(busyGap)
		if err != nil {
			return EstimatorError{}, err
		}
		load.Start()
		defer load.Stop()
	}
	s := c.ClockErrors()
	end := c.Engine.Now().Add(length)
	for c.Engine.Now() < end {
		if err := ctx.Err(); err != nil {
			return EstimatorError{}, err
		}
		if err := c.Engine.Run(min(end, c.Engine.Now().Add(s.Gap()))); err != nil {
			return EstimatorError{}, err
		}
		s.Sample()
		watch.Report(Progress{
			Stage: fmt.Sprintf("%s estimator", e), Done: int64(c.Engine.Now().Seconds()), Total: int64(end.Seconds()), Unit: "s simulated",
		})
	}
	return clockResult(c, s, e, length), nil
}

func clockResult(c *cluster.Cluster, s *cluster.ClockErrors, e Estimator, length sim.Duration) EstimatorError {
	out := EstimatorError{Estimator: e}
	if len(s.Us) == 0 {
		return out
	}
	slices.Sort(s.Us)
	slices.Sort(s.BoundUs)
	n := len(s.Us)
	out.MaxErrorUs = s.Us[n-1]
	out.P99ErrorUs = s.Us[(n-1)*99/100]
	out.MedianBoundUs = portable.Median(s.BoundUs)
	out.BoundCoverage = float64(s.Covered) / float64(n)
	var sent uint64
	for _, node := range c.Nodes {
		for _, k := range node.Monitor.Clock().Stats().Sent {
			sent += k
		}
	}
	out.MessagesPerHour = float64(sent) / length.Seconds() * 3600
	return out
}

// clockRemarks returns the cause of an error beyond the published bound, in words.
func clockRemarks(q *ClockQuality, spec ClockTestSpec) []string {
	var out []string
	for _, e := range q.Estimators {
		if e.Estimator == EstimatorPublished && e.MaxErrorUs > publishedClockUs {
			cause := "a probe that waits on one of its two ways, in the network or in a busy interface, moves the midpoint by half of that wait, and the rate computed from two such rounds extends the error"
			if spec.Load == "idle" {
				cause = "the rate of two rounds is used for a whole period, in which the oscillators wander"
			}
			out = append(out, fmt.Sprintf("the published estimator is off by up to %.2f µs, beyond its %g µs: %s", e.MaxErrorUs, float64(publishedClockUs), cause))
		}
	}
	return out
}

// publishedClockUs is the published bound on the global clock's error.
const publishedClockUs = 3
