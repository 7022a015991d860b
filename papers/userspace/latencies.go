package userspace

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// latency is half a round trip of the shortest message.
var latency = quantity{"µs for 4 B", func(x *study, layer string, v change) float64 {
	return x.curve(layer, measure.PingPong, doubling, v)[0].us
}}

// likeness is how far apart two figures may be that the study calls about the
// same.
const likeness = 1.1

func alike(a, b float64) bool { return max(a, b) <= likeness*min(a, b) }

// latencies holds the rows of the shortest messages. The costs of all layers but
// PM were set to their own latencies.
func (r *rows) latencies() {
	const run = "ping-pong on five layers"
	for id, layer := range map[string]string{"us-am-lat": "gam", "us-bip-lat4": "bip", "us-fm-lat": "fm", "us-pm-lat": "pm"} {
		r.of(id, "ping-pong", latency.number([]string{layer}, func(us figures) float64 { return us[layer] }))
	}
	r.of("us-range-lat", run, latency.number(compared, outermost(5, compared...)))
	r.of("us-prot-cost", run, latency.number(compared, func(us figures) float64 { return (us["fm"]+us["pm"])/2 - us["bip"] }))
	r.of("us-rel-cost", run, latency.number(compared, func(us figures) float64 { return us["vmmc"] - (us["fm"]+us["pm"])/2 }))
	r.of("us-order-lat", run, latency.holds(fmt.Sprintf("bip < fm, pm < vmmc < gam; fm and pm differ by a factor of at most %g", likeness), func(us figures) bool {
		return us["bip"] < us.least("fm", "pm") && alike(us["fm"], us["pm"]) && us.most("fm", "pm") < us["vmmc"] && us["vmmc"] < us["gam"]
	})(unchanged))
	r.of("us-inverse", "latency against the number of services", inverse)
	r.of("us-vmmc-lat", "ping-pong", number(func(x *study) judge.Measured {
		best := point{us: math.Inf(1)}
		for _, p := range x.curve("vmmc", measure.PingPong, words, unchanged) {
			if p.us < best.us {
				best = p
			}
		}
		return value(best.us, "half a round trip of %d B", best.bytes)
	}))
}

// services counts what a layer does for its programs (Tables 1 and 2):
// protection within a node and between nodes, several programs, nothing lost by
// overflow or by errors of the network, an answer to every message.
var services = quantity{"of 6 services", func(x *study, layer string, v change) float64 {
	n, t := 0.0, x.place(layer, v).Traits
	for _, has := range []bool{
		t.IntranodeProtection, t.InternodeProtection, t.Multiprogramming,
		t.Overflow != "Data Loss", t.Errors == "Tolerated", t.Model == comm.RPC,
	} {
		if has {
			n++
		}
	}
	return n
}}

// exceptional is how many pairs of layers have to be as stated for each
// exception.
const exceptional = 3

// inverse is that of two layers the one that does more for its programs mostly
// takes longer, with exceptions.
var inverse = test{
	fmt.Sprintf("of pairs of layers that are not alike, %d times as many as exceptions take longer with more services; there are exceptions", exceptional),
	func(x *study) judge.Measured {
		us, times := latency.over(x, compared, unchanged)
		n, counts := services.over(x, compared, unchanged)
		with, against := 0, 0
		for i, a := range compared {
			for _, b := range compared[:i] {
				switch d := (us[a] - us[b]) * (n[a] - n[b]); {
				case alike(us[a], us[b]):
				case d > 0:
					with++
				case d < 0:
					against++
				}
			}
		}
		return holds(with >= exceptional*against && against > 0, "%s; %s; %d pairs as stated, %d exceptions", times, counts, with, against)
	},
}
