package measure

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/microbench"
)

// parameterized measures parameterized LogP by the fast method, and beside it the gap by
// saturation, the roles swapped, and the one-way time by the global clock.
func (s *Subject) parameterized(out *bench.LogP) error {
	var there, back Fast
	var ways *bench.OneWay
	jobs := []func() error{
		func() (err error) { there, err = s.Fast(false, s.Saturate); return err },
		func() (err error) { back, err = s.Fast(true, false); return err },
		func() (err error) { ways, err = s.oneWay(); return err },
	}
	err := parallel.Each(s.Ctx, len(jobs), func(i int) error {
		err := jobs[i]()
		if err == nil {
			s.Done([]string{"fast method", "roles swapped", "one-way time"}[i])
		}
		return err
	})
	if err != nil {
		return err
	}
	out.Searched(s.Search, there.Parameterized)
	for i := range out.Sizes {
		if g, known := there.Saturated[out.Sizes[i].SizeBytes]; known {
			out.Sizes[i].Saturation = &g
		}
	}
	p := out.Parameterized
	p.Costs, p.OneWay = there.Costs, ways
	p.Swapped = bench.Swapped{G0: back.G0, L: back.L, Sizes: bench.SizesOf(back.Parameterized)}
	if ways != nil {
		half := there.Sizes[0].RTT
		ways.HalfRTT = logp.Mean{Value: half.Value / 2, Lo: half.Lo / 2, Hi: half.Hi / 2, N: half.N}.Estimate("RTT(0)/2")
	}
	return nil
}

// parameterizedSteps are the measurements that parameterized reports.
const parameterizedSteps = 3

// Fast is the result of the fast method on a cluster of its own, with what it cost. With
// saturation there is a gap of each of the first sizes but the empty message.
type Fast struct {
	*logp.Parameterized
	Costs     []bench.Cost
	Saturated map[int]logp.Estimate // by size
}

// Fast measures parameterized LogP by the fast method, and if asked the gap of the first
// sizes by saturation. Swapped roles let the second node send.
func (s *Subject) Fast(swapped, saturate bool) (out Fast, err error) {
	c, nodes, err := s.pair()
	if err != nil {
		return out, err
	}
	defer c.Engine.Close()
	if swapped {
		nodes = []int{nodes[1], nodes[0]}
	}
	pair, err := c.Pair(nodes[0], nodes[1], 1<<s.Search.MostExponent)
	if err != nil {
		return out, err
	}
	s.start(c)
	err = pair.Mirrored(func(m *microbench.Mirror) error {
		x := mirror{Mirror: m, s: s}
		m.Expected = s.Search.Expected
		for range warmBurst {
			if _, _, err := x.There(0); err != nil {
				return err
			}
		}
		m.Used()
		if out.Parameterized, err = s.Search.Measure(&x, s.Traits.MinBytes); err != nil {
			return err
		}
		for len(x.costs) < 3 {
			x.spent()
		}
		if saturate {
			err = out.saturate(s.Search, &x)
		}
		out.Costs = x.costs
		return err
	})
	return out, err
}

// saturate measures the gap of the first sizes by saturation, which has no rule for others.
func (f *Fast) saturate(s logp.Search, x *mirror) error {
	f.Saturated = map[int]logp.Estimate{}
	for _, z := range f.Sizes[1:] {
		if !z.First() {
			continue
		}
		g, err := s.Saturate(x, z.Bytes)
		if err != nil {
			return fmt.Errorf("saturation, %d B: %w", z.Bytes, err)
		}
		f.Saturated[z.Bytes] = g
	}
	x.spent()
	return nil
}

// mirror gives the search times in µs.
type mirror struct {
	*microbench.Mirror
	s     *Subject
	costs []bench.Cost // of the parts that have ended
}

// Train implements plogp.Mirror.
func (m *mirror) Train(bytes, n int) (sends, roundTrip float64, err error) {
	a, b, err := m.Mirror.Train(bytes, n)
	return a.Us(), b.Us(), cmp.Or(err, m.s.Ctx.Err())
}

// There implements plogp.Mirror.
func (m *mirror) There(bytes int) (send, roundTrip float64, err error) {
	a, b, err := m.Mirror.There(bytes)
	return a.Us(), b.Us(), cmp.Or(err, m.s.Ctx.Err())
}

// Back implements plogp.Mirror.
func (m *mirror) Back(bytes int, waitUs float64) (float64, error) {
	d, err := m.Mirror.Back(bytes, sim.Microseconds(waitUs))
	return d.Us(), err
}

// parts of a measurement, in order.
var parts = []string{"g(0) by trains", "first sizes by round trips", "sizes between them", "g of the first sizes by saturation"}

// spent ends a part.
func (m *mirror) spent() {
	u := m.Used()
	m.costs = append(m.costs, bench.Cost{Part: parts[len(m.costs)], TookS: u.Took.Seconds(), Messages: u.Messages, Bytes: u.Bytes})
}

// Ready ends g(0) when it is called first, and the first sizes when it is called with
// another.
func (m *mirror) Ready(bytes int) error {
	if m.costs == nil || len(m.costs) == 1 && !logp.First(bytes) {
		m.spent()
	}
	return m.Mirror.Ready()
}

// oneWayTrips are the round trips of empty messages whose two ways are measured.
const oneWayTrips = 100

// oneWayPause is the least pause before each of these messages.
const oneWayPause = 50 * sim.Microsecond

// oneWay measures how long an empty message takes each way by the monitors' global clock:
// from the entry of its request into the queue until its data are in the receiver's memory.
func (s *Subject) oneWay() (*bench.OneWay, error) {
	seen := *s
	seen.Monitor = monitor.Full
	c, nodes, err := seen.pair()
	if err != nil {
		return nil, err
	}
	defer c.Engine.Close()
	n := max(s.Traits.MinBytes, 1)
	pair, err := c.Pair(nodes[0], nodes[1], n)
	if err != nil {
		return nil, err
	}
	c.Record()
	inserted := s.insertions(c, func(k trace.Kind) bool { return k == trace.Data })
	if err := pair.Unloaded([]int{n}, oneWayTrips, oneWayPause); err != nil {
		return nil, err
	}
	insertion, _ := inserted()
	out := &bench.OneWay{SizeBytes: n, Messages: oneWayTrips}
	for _, x := range []struct {
		from, to int
		us       *logp.Estimate
	}{{nodes[0], nodes[1], &out.There}, {nodes[1], nodes[0], &out.Back}} {
		if *x.us, err = way(c, x.from, x.to, insertion); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// way returns the mean one-way time of messages between two nodes from the monitors' stages, µs.
// LANai and Net both contain the insertion, which counts once.
func way(c *cluster.Cluster, from, to int, insertion float64) (logp.Estimate, error) {
	us := -insertion
	for _, at := range []struct {
		node  int
		stage trace.Stage
	}{{from, trace.Source}, {from, trace.LANai}, {to, trace.Net}, {to, trace.Dest}} {
		m, err := c.Nodes[at.node].Monitor.ReadOut().Moments(histo.Query{Kinds: []trace.Kind{trace.Data}, Stage: at.stage})
		switch {
		case err != nil:
			return logp.Estimate{}, err
		case m.Count == 0:
			return logp.Estimate{Reason: fmt.Sprintf("node %d recorded no %s of messages", at.node, at.stage)}, nil
		}
		us += m.MeanNs / 1000
	}
	return logp.Estimate{Value: us, Lo: us, Hi: us}, nil
}
