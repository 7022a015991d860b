package userspace

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// anyWay makes a quantity of the better of ping-pong and stream, MB/s.
func anyWay(unit string, of func(curve) float64) quantity {
	return quantity{unit, func(x *study, layer string) float64 {
		return max(of(x.curve(layer, measure.PingPong, doubling)), of(x.curve(layer, measure.Unidirectional, doubling)))
	}}
}

var (
	bandwidth = anyWay("MB/s at most", curve.highest)
	// longBandwidth is what the published curves tend to.
	longBandwidth = anyWay("MB/s for 4 MB", func(c curve) float64 { return c.at(experiment.MaxMessage) })
)

// The layers without a copy on the way of long messages, and those with one or
// with programmed I/O.
var zeroCopy, copying = []string{"bip", "pm", "vmmc"}, []string{"gam", "fm"}

// The bounds of the two classes of bandwidth, MB/s.
const zeroCopyFrom, zeroCopyTo, copyingTo = 95, 125, 70

// bandwidths holds the rows of the bandwidth tests.
func (r *rows) bandwidths() {
	const run, long = "ping-pong and stream", "ping-pong and stream of 4 MB"
	r.of("us-range-zerocopy", run, bandwidth.number(outermost(zeroCopyFrom, zeroCopy...)))
	r.of("us-range-copy", run, bandwidth.number(func(mb figures) float64 { return mb["fm"] }))
	r.of("us-range-concl", run, bandwidth.number(outermost(50, compared...)))
	r.of("us-bip-bw-d", run, bandwidth.number(func(mb figures) float64 { return mb["bip"] }))
	r.of("us-vmmc-bw-d", "stream", number(func(x *study) judge.Measured {
		return value(x.curve("vmmc", measure.Unidirectional, doubling).highest(), "at most")
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
			return mb.least(zeroCopy...) >= zeroCopyFrom && mb.most(copying...) <= copyingTo
		},
	), "copies and stores as fast as DMA")
	r.changed("us-order-bw-small", "streams of 64 B to 2 KB", fastSmall, "stores that are not combined, packets fetched before they are sent")
}

// considerably is by how much a bandwidth has to be above another one to be
// called considerably better, and noWorse by how much it may lie below it at
// single sizes.
const considerably, noWorse = 1.2, 0.9

// fastSmall is that FM and PM carry small and medium messages considerably
// better than the others: on average over the sizes, and nowhere worse.
var fastSmall = test{
	fmt.Sprintf("the slower of fm and pm at least ×%g of the fastest other on average, more than ×%g at every size", considerably, noWorse),
	func(x *study) judge.Measured {
		least, sum, count, where := math.Inf(1), 0.0, 0, 0
		for n := 64; n <= 2048; n *= 2 {
			mb, _ := quantity{"", func(x *study, layer string) float64 {
				return x.curve(layer, measure.Unidirectional, doubling).at(n)
			}}.over(x, compared...)
			ratio := mb.least("fm", "pm") / mb.most("gam", "bip", "vmmc")
			if ratio < least {
				least, where = ratio, n
			}
			sum += math.Log(ratio)
			count++
		}
		mean := math.Exp(sum / float64(count))
		return holds(mean >= considerably && least > noWorse, "×%.2f on average, ×%.2f at %s", mean, least, sizeName(where))
	},
}
