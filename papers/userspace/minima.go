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
// four proves nothing either.
func (r *rows) minima() {
	of := func(f func(us perLayer) judge.Measured) judge.Measure { return judge.Using(r.comparison.minima, f) }
	for id, layer := range map[string]string{"us-am-lat": "gam", "us-bip-lat4": "bip", "us-fm-lat": "fm", "us-pm-lat": "pm"} {
		r.Of(id, "pingpong", of(func(us perLayer) judge.Measured { return value(us.of(layer), "half a round trip at 4 B") }))
	}
	r.Of("us-range-lat", "pingpong of five layers", of(func(us perLayer) judge.Measured {
		return farther(slices.Min(us), slices.Max(us), 5, labelled(us, "µs"))
	}))
	r.Of("us-prot-cost", "pingpong", of(func(us perLayer) judge.Measured {
		bip, fm, pm := us.of("bip"), us.of("fm"), us.of("pm")
		return value((fm+pm)/2-bip, "FM %+.2f µs, PM %+.2f µs against BIP", fm-bip, pm-bip)
	}))
	r.Of("us-rel-cost", "pingpong", of(func(us perLayer) judge.Measured {
		fm, pm, vmmc := us.of("fm"), us.of("pm"), us.of("vmmc")
		return value(vmmc-(fm+pm)/2, "VMMC-2 %.2f µs, FM %.2f µs, PM %.2f µs", vmmc, fm, pm)
	}))
	r.Of("us-order-lat", "pingpong of five layers", of(inOrder), "BIP < FM ~ PM < VMMC-2 < GAM, ~ within a tenth")
	r.Of("us-inverse", "latency against the number of services", judge.Run(r.comparison.inverse),
		"of pairs that differ by over a tenth, the layer with more services is slower in three of four or more, with exceptions")
}

// perLayer is a figure for each of the compared layers.
type perLayer []float64

func (v perLayer) of(layer string) float64 { return v[slices.Index(compared, layer)] }

// measureMinima is half a round trip of 4 B on each compared layer, µs.
func (l *comparison) measureMinima(ctx context.Context) (perLayer, error) {
	return judge.Run(func(s *judge.Session) (out perLayer) {
		for _, layer := range compared {
			points := judge.Get(s, l.curve(curveKey{layer: layer, test: measure.PingPong, sizes: doubling}))
			out = append(out, *points[0].OneWayUs)
		}
		return out
	})(ctx)
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

func inOrder(us perLayer) judge.Measured {
	bip, fm, pm, vmmc := us.of("bip"), us.of("fm"), us.of("pm"), us.of("vmmc")
	return holds(bip < min(fm, pm) && alike(fm, pm) && max(fm, pm) < vmmc && vmmc < us.of("gam"), "%s", labelled(us, "µs"))
}

// alike is what the study writes as about the same: within a tenth.
func alike(a, b float64) bool { return max(a, b) <= 1.1*min(a, b) }

// inverse is that of two layers the one that does more for its programs mostly
// takes longer, with exceptions.
func (l *comparison) inverse(s *judge.Session) judge.Measured {
	us := judge.Get(s, l.minima)
	services := make(perLayer, len(compared))
	for i, layer := range compared {
		p, err := l.place(layer, unchanged)
		s.Check(err)
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
		labelled(us, "µs"), labelled(services, "of 6"), with, against)
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
