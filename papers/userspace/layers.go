package userspace

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// latency is half a round trip of the shortest message.
var latency = quantity{"µs for 4 B", func(x *study, layer string) float64 { return x.curve(layer, measure.PingPong, doubling)[0].us }}

// sameWithin is the highest ratio of two figures that the study calls about the
// same.
const sameWithin = 1.1

func alike(a, b float64) bool { return max(a, b) <= sameWithin*min(a, b) }

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
	r.of("us-order-lat", run, latency.holds(fmt.Sprintf("bip < fm, pm < vmmc < gam; fm and pm differ by a factor of at most %g", sameWithin), func(us figures) bool {
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

// perException is the least number of pairs of layers as stated per exception.
const perException = 3

// inverse tests that of two layers the one that does more for its programs mostly
// takes longer, with exceptions.
var inverse = test{
	fmt.Sprintf("of pairs of layers whose latencies differ by a factor over %g, at least %d times as many are slower with more services as are faster, and at least one is faster", sameWithin, perException),
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
		return holds(with >= perException*against && against > 0, "%s; %s; %d pairs as stated, %d exceptions", times, counts, with, against)
	},
}

// betterOf makes a quantity of the higher bandwidth of ping-pong and stream, MB/s.
func betterOf(unit string, of func(curve) float64) quantity {
	return quantity{unit, func(x *study, layer string) float64 {
		return max(of(x.curve(layer, measure.PingPong, doubling)), of(x.curve(layer, measure.Unidirectional, doubling)))
	}}
}

var (
	bandwidth = betterOf("MB/s at most", curve.highest)
	// longBandwidth is what the published curves tend to.
	longBandwidth = betterOf("MB/s for 4 MB", func(c curve) float64 { return c.at(experiment.MaxMessage) })
)

// The bounds of the two classes of bandwidth, MB/s: of layers without a copy on
// the way of long messages, and of those with one or with programmed I/O.
const zeroCopyFrom, zeroCopyTo, copyingTo = 95, 125, 70

// bandwidths holds the rows of the bandwidth tests.
func (r *rows) bandwidths() {
	const run, long = "ping-pong and stream", "ping-pong and stream of 4 MB"
	r.of("us-range-zerocopy", run, bandwidth.number(outermost(zeroCopyFrom, "bip", "pm", "vmmc")))
	r.of("us-range-copy", run, bandwidth.number(func(mb figures) float64 { return mb["fm"] }))
	r.of("us-range-concl", run, bandwidth.number(outermost(50, compared...)))
	r.of("us-bip-bw-d", run, bandwidth.number(func(mb figures) float64 { return mb["bip"] }))
	r.of("us-vmmc-bw-d", "stream", number(func(x *study) judge.Measured {
		return value(x.curve("vmmc", measure.Unidirectional, doubling).highest(), "the highest of all sizes")
	}))
	for id, other := range map[string]string{"us-am-vs-vmmc": "vmmc", "us-am-vs-bip": "bip"} {
		r.of(id, long, longBandwidth.number(func(mb figures) float64 { return 100 * (1 - mb["gam"]/mb[other]) }))
	}
	r.changed("us-order-bw", long, longBandwidth.holds("bip > pm, vmmc > fm > gam", func(mb figures) bool {
		return mb["bip"] > mb.most("pm", "vmmc") && mb.least("pm", "vmmc") > mb["fm"] && mb["fm"] > mb["gam"]
	}), stores)
	r.changed("us-copy-rule", long, longBandwidth.holds(
		fmt.Sprintf("bip, pm and vmmc at least %d MB/s, gam and fm at most %d MB/s", zeroCopyFrom, copyingTo),
		func(mb figures) bool {
			return mb.least("bip", "pm", "vmmc") >= zeroCopyFrom && mb.most("gam", "fm") <= copyingTo
		},
	), "copies and stores as fast as DMA")
	r.changed("us-order-bw-small", "streams of 64 B to 2 KB", fastSmall, "stores that are not combined, packets fetched before they are sent")
}

// considerably is the least ratio of a bandwidth to another one that it is
// considerably better than, and noWorse the least ratio at a single size.
const considerably, noWorse = 1.2, 0.9

// fastSmall tests that FM and PM carry small and medium messages considerably
// better than the others: on average over the sizes, and nowhere worse.
var fastSmall = test{
	fmt.Sprintf("the slower of fm and pm at least ×%g of the fastest other on average, more than ×%g at every size", considerably, noWorse),
	func(x *study) judge.Measured {
		var ratios []float64
		for n := 64; n <= 2048; n *= 2 {
			mb, _ := quantity{"", func(x *study, layer string) float64 {
				return x.curve(layer, measure.Unidirectional, doubling).at(n)
			}}.over(x, compared...)
			ratios = append(ratios, mb.least("fm", "pm")/mb.most("gam", "bip", "vmmc"))
		}
		mean := stat.GeometricMean(ratios, nil)
		return holds(mean >= considerably && slices.Min(ratios) > noWorse, "×%.2f on average, from 64 B on ×%.2f", mean, ratios)
	},
}
