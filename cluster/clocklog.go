package cluster

import (
	"math"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// ClockLog records the results of each round of the clock protocol.
type ClockLog struct {
	Rows []trace.ClockRow

	cluster   *Cluster
	estimator string
}

// ClockLog starts a log whose rows carry this name of the estimator. Without a
// clock it has no rows.
func (c *Cluster) ClockLog(estimator string) *ClockLog {
	l := &ClockLog{cluster: c, estimator: estimator}
	if m := c.Nodes[0].Monitor; m != nil && m.Clock() != nil {
		m.Clock().OnRound(l.round)
	}
	return l
}

// round records, after a round, node 0's conversion of every node's clock and its true error.
func (l *ClockLog) round(round uint32) {
	now := l.cluster.Engine.Now()
	converter := l.cluster.Nodes[0].Monitor.Clock().Converter()
	trueGlobal := float64(l.cluster.Nodes[0].Oscillator.Ticks(int64(now)))
	// Firmware counts from the register's value at start, not from the clock's.
	wrap := math.Ldexp(1, l.cluster.Protocol().WidthBits)
	hz := float64(l.cluster.Nodes[0].NIC.Spec().ClockHz)
	for i, n := range l.cluster.Nodes {
		if i == 0 || !converter.Ready(i) {
			continue
		}
		local := n.Oscillator.Ticks(int64(now))
		global, bound := converter.Convert(i, local)
		estimated := float64(float64(global) / (1 << clock.FracBits))
		l.Rows = append(l.Rows, trace.ClockRow{
			Estimator: l.estimator, Round: int64(round), Node: int64(i),
			TimeNs:      int64(now / sim.Time(sim.Nanosecond)),
			OffsetNs:    (float64(local) - estimated) / hz * 1e9,
			BoundNs:     trace.Some(float64(bound) / (1 << clock.FracBits) / hz * 1e9),
			TrueErrorNs: trace.Some(math.Remainder(estimated-trueGlobal, wrap) / hz * 1e9),
		})
	}
}
