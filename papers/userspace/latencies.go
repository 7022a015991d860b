package userspace

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// latency is half a round trip of the shortest message.
var latency = quantity{"µs for 4 B", func(x *study, layer string) float64 { return x.curve(layer, measure.PingPong, doubling)[0].us }}

// likeness is how far apart two figures may be that the study calls about the
// same.
const likeness = 1.1

func alike(a, b float64) bool { return max(a, b) <= likeness*min(a, b) }

// latencies holds the rows of the shortest messages. The costs of all layers but
// PM were set to their own latencies.
func (r *rows) latencies() {
	const run = "ping-pong on five layers"
	for id, layer := range map[string]string{
		"us-am-lat": "gam", "us-bip-lat4": "bip", "us-fm-lat": "fm", "us-pm-lat": "pm", "us-vmmc-lat": "vmmc",
	} {
		r.of(id, run, latency.number(func(us figures) float64 { return us[layer] }))
	}
	r.of("us-range-lat", run, latency.number(outermost(5, compared...)))
	r.of("us-prot-cost", run, latency.number(func(us figures) float64 { return (us["fm"]+us["pm"])/2 - us["bip"] }))
	r.of("us-rel-cost", run, latency.number(func(us figures) float64 { return us["vmmc"] - (us["fm"]+us["pm"])/2 }))
	r.of("us-order-lat", run, latency.holds(fmt.Sprintf("bip < fm, pm < vmmc < gam; fm and pm differ by a factor of at most %g", likeness), func(us figures) bool {
		return us["bip"] < us.least("fm", "pm") && alike(us["fm"], us["pm"]) && us.most("fm", "pm") < us["vmmc"] && us["vmmc"] < us["gam"]
	}))
	r.of("us-inverse", "latency against the number of services", inverse)
}

// services counts what a layer does for its programs (Tables 1 and 2):
// protection within a node and between nodes, several programs, nothing lost by
// overflow or by errors of the network, an answer to every message.
var services = quantity{"of 6 services", func(x *study, layer string) (n float64) {
	t := x.place(layer).Traits
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

// mostly is how many pairs of layers are as stated for each exception.
const mostly = 3

// inverse is that of two layers the one that does more for its programs mostly
// takes longer, with exceptions.
var inverse = test{
	fmt.Sprintf("there are pairs of layers, not alike, of which the one with more services is faster, and at least %d times as many of which it is slower", mostly),
	func(x *study) judge.Measured {
		us, times := latency.over(x, compared...)
		n, counts := services.over(x, compared...)
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
		return holds(with >= mostly*against && against > 0, "%s; %s; %d pairs as stated, %d exceptions", times, counts, with, against)
	},
}
