package live

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/trace"
)

// rivals are the estimators of package clock, the published one and the improved one, on the same
// probes. They serve comparison only.
type rivals struct{ all []*rival }

// rival is one estimator for one node. Its ticks are nanoseconds since the first probe.
type rival struct {
	name        string
	node        int
	coordinator *clock.Coordinator
	converter   *clock.Converter
	// Both in ns since 1970, each by its own clock.
	own, other int64 // times of the first probe: node 0's and the other's
	found      []trace.ClockRow
}

// probePeriod is the time between probes in ns. Each probe is a round of the estimators.
const probePeriod = 100_000_000 // ns

// names of the estimators, as elsewhere.
var rivalNames = map[string]string{clock.Cristian: "published", clock.Filtered: "improved"}

// newRivals returns one rival for each estimator and each node but 0. Ticks are ns (1 GHz).
func newRivals(nodes int) (r rivals) {
	for node := 1; node < nodes; node++ {
		for _, estimator := range clock.Estimators() {
			p := clock.Protocol{
				Estimator: estimator, Nodes: 2, HzNum: 1e9, HzDen: 1, WidthBits: 62, PeriodPs: probePeriod * 1000, FirstPs: probePeriod * 1000,
				RatePPB: 200_000, JitterPs: 1_000_000, AsymmetryPs: 1_000_000,
			}
			// The specification is a constant, and valid.
			own, err := clock.NewConverter(p, 0)
			if err != nil {
				panic("live: " + err.Error())
			}
			c, err := clock.NewCoordinator(p, own)
			if err != nil {
				panic("live: " + err.Error())
			}
			r.all = append(r.all, &rival{name: rivalNames[estimator], node: node, coordinator: c, converter: own})
		}
	}
	return r
}

// add gives a probe to the estimators of its node.
func (r *rivals) add(p Probe) {
	for _, v := range r.all {
		if v.node == p.Node {
			v.add(p)
		}
	}
}

// add runs a round with a probe.
func (v *rival) add(p Probe) {
	// Ticks count from the first probe, as those of an interface's counter do from 0.
	if v.own == 0 {
		v.own, v.other = p.Sent, p.Arrived
	}
	// A round of its own for each probe: query, reply and end at once.
	q := v.coordinator.Begin()
	v.coordinator.Queried(1, uint64(p.Sent-v.own))
	reply := clock.Reply{Round: q.Round, Node: 1, Received: uint64(p.Arrived - v.other), Sent: uint64(p.Answered - v.other)}
	v.coordinator.Replied(reply, uint64(p.Received-v.own))
	now := uint64(p.Received - v.own)
	entries := v.coordinator.End(now)
	v.converter.Interpolate(now)
	if err := v.converter.Adopt(entries, now); err != nil {
		panic(fmt.Sprintf("live: %s: %v", v.name, err)) // made by the coordinator
	}
	if !v.converter.Ready(1) {
		return
	}
	global, bound := v.converter.Convert(1, uint64(p.Answered-v.other))
	// Global times are in ticks with FracBits binary places.
	const subticks = 1 << clock.FracBits
	offset := float64(p.Answered-v.own) - float64(float64(global)/subticks)
	v.found = append(v.found, trace.ClockRow{
		Estimator: v.name, Round: int64(len(v.found)), Node: int64(v.node), TimeNs: p.Received, OffsetNs: offset,
		BoundNs: trace.Some(float64(bound) / subticks),
	})
}

// rows returns what all estimators found, with times since origin in ns.
func (r *rivals) rows(origin int64) (out []trace.ClockRow) {
	for _, v := range r.all {
		for _, row := range v.found {
			row.TimeNs -= origin
			out = append(out, row)
		}
	}
	return out
}
