package userspace

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// latency is half a round trip of the shortest message, µs.
var latency = quantity{"µs for 4 B", func(x *study, layer string) float64 { return x.curve(layer, measure.PingPong, doubling)[0].us }}

// wholeUs is the precision of the published latencies: two of the same figure differ by
// less than that.
const wholeUs = 1.0

func alike(a, b float64) bool { return math.Abs(a-b) < wholeUs }

// latencies holds the rows of the shortest messages. The costs of each layer but PM
// were set to its published latency.
func (r *rows) latencies() {
	const run = "ping-pong on five layers"
	for id, layer := range map[string]string{
		"us-am-lat": "gam", "us-bip-lat4": "bip", "us-fm-lat": "fm", "us-pm-lat": "pm", "us-vmmc-lat": "vmmc",
	} {
		r.of(id, run, latency.number(func(us figures) float64 { return us[layer] }))
	}
	r.of("us-range-lat", run, latency.number(outermost(5, compared...)))
	r.of("us-prot-cost", run, latency.number(func(us figures) float64 { return float64((us["fm"]+us["pm"])/2) - us["bip"] }))
	r.of("us-rel-cost", run, latency.number(func(us figures) float64 { return us["vmmc"] - float64((us["fm"]+us["pm"])/2) }))
	r.of("us-order-lat", run, latency.holds(fmt.Sprintf("bip < fm, pm < vmmc < gam; fm and pm differ by less than the %g µs to which latencies are published", wholeUs), func(us figures) bool {
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

// perException is the least number of pairs of layers that agree with the statement
// per exception.
const perException = 3

// inverse tests that of two layers the one with more services mostly has the longer
// latency, with exceptions.
var inverse = test{
	fmt.Sprintf("of pairs of layers whose latencies differ by at least %g µs, at least %d times as many are slower with more services as are faster, and at least one is faster", wholeUs, perException),
	func(x *study) judge.Measured {
		us, times := latency.over(x)
		n, counts := services.over(x)
		pairs := map[bool]int{} // by whether more services take longer
		for i, a := range compared {
			for _, b := range compared[:i] {
				if d := (us[a] - us[b]) * (n[a] - n[b]); d != 0 && !alike(us[a], us[b]) {
					pairs[d > 0]++
				}
			}
		}
		return holds(pairs[true] >= perException*pairs[false] && pairs[false] > 0, "%s; %s; %d pairs agree, %d exceptions",
			times, counts, pairs[true], pairs[false])
	},
}

// betterOf makes a quantity of the higher bandwidth of ping-pong and stream, MB/s.
func betterOf(unit string, of func(curve) float64) quantity {
	return quantity{unit, func(x *study, layer string) float64 {
		return max(of(x.curve(layer, measure.PingPong, doubling)), of(x.curve(layer, measure.Unidirectional, doubling)))
	}}
}

var (
	bandwidth = betterOf("MB/s, highest", curve.highest)
	// longBandwidth is what the published curves tend to.
	longBandwidth = betterOf("MB/s for 4 MB", func(c curve) float64 { return c.at(experiment.MaxMessage) })
)

// The bounds of the two classes of bandwidth, MB/s: layers that do not copy long
// messages, and layers that copy them or use programmed I/O.
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
	classes := fmt.Sprintf("bip, pm and vmmc at least %d MB/s, gam and fm at most %d MB/s", zeroCopyFrom, copyingTo)
	r.changed("us-copy-rule", long, longBandwidth.holds(classes, func(mb figures) bool {
		return mb.least("bip", "pm", "vmmc") >= zeroCopyFrom && mb.most("gam", "fm") <= copyingTo
	}), "copies and stores as fast as DMA")
	r.changed("us-order-bw-small", "streams of 64 B to 2 KB", fastSmall, "uncombined stores, packets fetched before they are sent")
}

// considerably is the least ratio of two bandwidths of which one is considerably
// better, and noWorse the least ratio at a single size.
const considerably, noWorse = 1.2, 0.9

// fastSmall tests that FM and PM carry small and medium messages considerably
// better than the others: on average over the sizes, and nowhere worse.
var fastSmall = test{
	fmt.Sprintf("the slower of fm and pm at least ×%g of the fastest other on average, more than ×%g at every size", considerably, noWorse),
	func(x *study) judge.Measured {
		var ratios []float64
		for n := 64; n <= 2048; n *= 2 {
			mb := func(layer string) float64 { return x.curve(layer, measure.Unidirectional, doubling).at(n) }
			ratios = append(ratios, min(mb("fm"), mb("pm"))/max(mb("gam"), mb("bip"), mb("vmmc")))
		}
		mean := stat.GeometricMean(ratios, nil)
		return holds(mean >= considerably && slices.Min(ratios) > noWorse, "×%.2f on average, at the sizes from 64 B ×%.2f", mean, ratios)
	},
}

// knees holds the rows of the knees of curves.
func (r *rows) knees() {
	for id, of := range map[string]string{
		"us-knee-bip-lat": measure.PingPong, "us-knee-bip-pp": measure.PingPong,
		"us-knee-bip-gap": measure.Unidirectional, "us-knee-bip-uni": measure.Unidirectional,
		"us-knee-bip-sim": measure.Simultaneous,
	} {
		r.changed(id, of+", "+around, jumps("bip", of), postedLate)
	}
	const run = measure.PingPong + ", " + around
	r.of("us-knee-vmmc-lat", run, jumps("vmmc", measure.PingPong))
	switching := []string{"gam", "bip", "vmmc"} // from programmed I/O to DMA
	r.of("us-smallrange", run, quantity{"B", func(x *study, layer string) float64 {
		return float64(x.curve(layer, measure.PingPong, around).jump().bytes)
	}}.number(outermost(32, switching...), switching...))
	r.changed("us-knee-am", run, faintSwitch, "GAM's data always by DMA")
	r.changed("us-knee-fm-256k", "all three bandwidth tests", falls("fm", 1<<10, measure.Test("").Words().Names()...), hugeCache)
	r.changed("us-knee-am-512k", "all three bandwidth tests", falls("gam", 1<<10, measure.Test("").Words().Names()...), hugeCache)
	r.changed("us-knee-bip-1m", "simultaneous", falls("bip", 1<<20, measure.Simultaneous), hugeCache)
}

// jumps measures the size at which the time per message jumps, 0 if it does not.
func jumps(layer, program string) test {
	return number(func(x *study) judge.Measured {
		j := x.curve(layer, program, around).jump()
		return value(j.at(), "%s", j)
	})
}

// jump is the sharpest step of the time per message: the cost of one more word, and
// the usual cost of a word near that size, both as shares of the time.
type jump struct {
	bytes        int // the power of two
	share, usual float64
}

// sharp is the least step that is a knee, as a share of the time per message. A knee
// is also at least several times the usual cost of a word.
const (
	sharp   = 0.05
	several = 3
)

// at returns the size of the knee, 0 if there is none.
func (j jump) at() float64 {
	if math.Abs(j.share) < max(sharp, several*math.Abs(j.usual)) {
		return 0
	}
	return float64(j.bytes)
}

// String returns both costs in per cent of the time per message, as notes of rows have them.
func (j jump) String() string {
	return fmt.Sprintf("one word changes the time per message by %+.1f %%, other words near it by %+.1f %%", 100*j.share, 100*j.usual)
}

// jump finds the sharpest step of a curve around powers of two: at the word that
// reaches the power, or at the next.
func (c curve) jump() (best jump) {
	step := func(i int) float64 { return c[i].us/c[i-1].us - 1 }
	for i := 2; i+2 < len(c); i += 5 {
		for _, k := range []int{i, i + 1} {
			if s := step(k); math.Abs(s) > math.Abs(best.share) {
				best = jump{c[i].bytes, s, max(math.Abs(step(i-1)), math.Abs(step(i+2)))}
			}
		}
	}
	return best
}

// faintSwitch tests that GAM's latency jumps where it changes from programmed I/O to
// DMA, but by less than BIP's and VMMC-2's.
var faintSwitch = test{
	fmt.Sprintf("one word changes gam's latency by at least %g %% and %d times as much as other words, but less than bip's and vmmc's", 100*sharp, several),
	func(x *study) judge.Measured {
		gam := x.curve("gam", measure.PingPong, around).jump()
		pct, said := quantity{"%", func(x *study, layer string) float64 {
			return 100 * math.Abs(x.curve(layer, measure.PingPong, around).jump().share)
		}}.over(x, "gam", "bip", "vmmc")
		return holds(gam.at() > 0 && pct["gam"] < pct.least("bip", "vmmc"), "gam at %d B: %s; %s", gam.bytes, gam, said)
	},
}

// falls measures the size from which the bandwidth of long messages falls, in a unit
// of bytes: the smallest of some programs, 0 if one does not fall.
func falls(layer string, unit float64, programs ...string) test {
	return number(func(x *study) judge.Measured {
		least := math.Inf(1)
		var said []string
		for _, program := range programs {
			bytes, by := x.curve(layer, program, doubling).fall()
			least = min(least, float64(bytes))
			if bytes > 0 {
				said = append(said, fmt.Sprintf("%s %.0f %% lower at %d B", program, 100*by, bytes))
			}
		}
		return value(least/unit, "falls: %s", names(said))
	})
}

// fall finds the first size above 32 KB whose bandwidth is clearly below the highest
// at shorter messages, 0 if there is none.
func (c curve) fall() (bytes int, by float64) {
	highest := 0.0
	for _, p := range c {
		if by = 1 - p.mb/highest; p.bytes > 32<<10 && by >= sharp {
			return p.bytes, by
		}
		highest = max(highest, p.mb)
	}
	return 0, 0
}
