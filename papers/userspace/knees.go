package userspace

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// knees holds the rows of sizes at which curves bend.
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
	r.of("us-smallrange", run, number(func(x *study) judge.Measured {
		bytes, said := quantity{"B", func(x *study, layer string) float64 {
			return float64(x.curve(layer, measure.PingPong, around).jump().bytes)
		}}.over(x, "gam", "bip", "vmmc")
		return value(outermost(32, "gam", "bip", "vmmc")(bytes), "%s", said)
	}))
	r.changed("us-knee-am", run, faintSwitch, "GAM's data always by DMA")
	r.changed("us-knee-fm-256k", "all three bandwidth tests", falls("fm", 1<<10, experiment.BandwidthTests()...), hugeCache)
	r.changed("us-knee-am-512k", "all three bandwidth tests", falls("gam", 1<<10, experiment.BandwidthTests()...), hugeCache)
	r.changed("us-knee-bip-1m", "simultaneous", falls("bip", 1<<20, measure.Simultaneous), hugeCache)
}

// jumps measures the size at which the time per message jumps, 0 when it does not.
func jumps(layer, program string) test {
	return number(func(x *study) judge.Measured {
		j := x.curve(layer, program, around).jump()
		return value(j.at(), "%s", j)
	})
}

// jump is the sharpest step of the time per message: what one word more costs
// in parts of the time, beside what a word usually costs there.
type jump struct {
	bytes        int // the power of two
	share, usual float64
}

// sharp is the least step that is a knee, in parts of the time per message. It
// is also several times what a word costs beside it.
const (
	sharp   = 0.05
	several = 3
)

func (j jump) found() bool { return math.Abs(j.share) >= max(sharp, several*math.Abs(j.usual)) }

// at is the size of the knee, 0 when there is none.
func (j jump) at() float64 {
	if !j.found() {
		return 0
	}
	return float64(j.bytes)
}

func (j jump) String() string {
	return fmt.Sprintf("one word changes the time per message by %+.1f %%, words beside it by %+.1f %%", 100*j.share, 100*j.usual)
}

// jump finds the sharpest step of a curve over the sizes around powers of two:
// with the word that makes a message as long as the power, or with the next.
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

// faintSwitch tests that GAM's change from programmed I/O to DMA shows in its
// latency, and less than BIP's and VMMC-2's in theirs.
var faintSwitch = test{
	fmt.Sprintf("one word changes gam's latency by at least %g %% and %d times the words beside it, but less than bip's and vmmc's", 100*sharp, several),
	func(x *study) judge.Measured {
		gam := x.curve("gam", measure.PingPong, around).jump()
		pct, said := quantity{"%", func(x *study, layer string) float64 {
			return 100 * math.Abs(x.curve(layer, measure.PingPong, around).jump().share)
		}}.over(x, "gam", "bip", "vmmc")
		return holds(gam.found() && pct["gam"] < pct.least("bip", "vmmc"), "gam at %d B: %s; %s", gam.bytes, gam, said)
	},
}

// falls measures the size from which the bandwidth of long messages falls, in a unit
// of bytes: the least of some programs, 0 when one does not fall.
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

// fall finds the first size above 32 KB whose bandwidth lies clearly below the
// highest of shorter messages, 0 when there is none.
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
