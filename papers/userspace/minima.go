package userspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// minima holds the rows of the shortest messages. The costs of the steps of all
// layers but PM were set to their own latencies, so that what follows from those
// four proves nothing either (calibratedRows).
func (r *rows) minima() {
	for i, id := range []string{"us-am-lat", "us-bip-lat4", "us-fm-lat", "us-pm-lat"} {
		r.Of(id, "pingpong", judge.Read(r.comparison.minima, func(us []float64) (judge.Measured, error) {
			return value(us[i], "half a round trip at 4 B"), nil
		}))
	}
	r.Of("us-range-lat", "pingpong of five layers", judge.Read(r.comparison.minima, func(us []float64) (judge.Measured, error) {
		return farther(slices.Min(us), slices.Max(us), 5, labelled(us, "µs")), nil
	}))
	r.Of("us-prot-cost", "pingpong", judge.Read(r.comparison.minima, func(us []float64) (judge.Measured, error) {
		return value((us[2]+us[3])/2-us[1], "FM %+.2f µs, PM %+.2f µs against BIP", us[2]-us[1], us[3]-us[1]), nil
	}))
	r.Of("us-rel-cost", "pingpong", judge.Read(r.comparison.minima, func(us []float64) (judge.Measured, error) {
		return value(us[4]-(us[2]+us[3])/2, "VMMC-2 %.2f µs, FM %.2f µs, PM %.2f µs", us[4], us[2], us[3]), nil
	}))
	r.Of("us-order-lat", "pingpong of five layers", judge.Read(r.comparison.minima, inOrder))
	r.Of("us-inverse", "latency against the number of services", judge.Read(r.comparison.minima, r.comparison.inverse))
}

// measureMinima is half a round trip of 4 B on each compared layer, µs.
func (l *comparison) measureMinima(ctx context.Context) ([]float64, error) {
	out := make([]float64, len(compared))
	for i, layer := range compared {
		points, err := l.curve(curveKey{layer: layer, test: measure.PingPong, sizes: doubling})(ctx)
		if err != nil {
			return nil, err
		}
		out[i] = *points[0].OneWayUs
	}
	return out, nil
}

// farther is that end of what was measured that lies outside a published range
// from lo on, or else the upper one.
func farther(least, most, lo float64, note string) judge.Measured {
	if least < lo {
		return value(least, "%s", note)
	}
	return value(most, "%s", note)
}

// labelled writes a figure per compared layer.
func labelled(v []float64, unit string) string {
	var parts []string
	for i, layer := range compared {
		parts = append(parts, fmt.Sprintf("%s %.4g", layer, v[i]))
	}
	return strings.Join(parts, ", ") + " " + unit
}

// inOrder is BIP < FM ~ PM < VMMC-2 < GAM.
func inOrder(us []float64) (judge.Measured, error) {
	gam, bip, fm, pm, vmmc := us[0], us[1], us[2], us[3], us[4]
	return holds(bip < min(fm, pm) && alike(fm, pm) && max(fm, pm) < vmmc && vmmc < gam, "%s", labelled(us, "µs")), nil
}

// alike is what the study writes as about the same.
func alike(a, b float64) bool { return max(a, b) <= 1.1*min(a, b) }

// inverse is that of two layers the one that does more for its programs mostly
// takes longer, with exceptions.
func (l *comparison) inverse(us []float64) (judge.Measured, error) {
	services := make([]float64, len(compared))
	for i, layer := range compared {
		p, err := l.place(layer, unchanged)
		if err != nil {
			return judge.Measured{}, err
		}
		services[i] = float64(servicesOf(p.Traits))
	}
	with, against := 0, 0
	for i := range us {
		for j := range i {
			switch d := (us[i] - us[j]) * (services[i] - services[j]); {
			case alike(us[i], us[j]):
			case d > 0:
				with++
			case d < 0:
				against++
			}
		}
	}
	return holds(with >= 3*against && against > 0, "%s; services %s; %d pairs as stated, %d exceptions",
		labelled(us, "µs"), labelled(services, "of 6"), with, against), nil
}

// servicesOf counts what a layer does for its programs (userspace, Tables 1
// and 2): protection within a node and between nodes, several programs, nothing
// lost by overflow or by errors of the network, an answer to every message.
func servicesOf(t *comm.Traits) int {
	n := 0
	for _, has := range []bool{
		t.IntranodeProtection, t.InternodeProtection, t.Multiprogramming,
		t.Overflow != "Data Loss", t.Errors == "Tolerated", t.Model == comm.RPC,
	} {
		if has {
			n++
		}
	}
	return n
}
