package userspace

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
)

// knees holds the rows of sizes at which curves of the compared layers bend.
func (r *rows) knees() {
	for id, test := range map[string]string{
		"us-knee-bip-lat": measure.PingPong, "us-knee-bip-pp": measure.PingPong,
		"us-knee-bip-gap": measure.Unidirectional, "us-knee-bip-uni": measure.Unidirectional,
		"us-knee-bip-sim": measure.Simultaneous,
	} {
		find := func(v change) judge.Measure {
			return judge.Read(r.comparison.curve(curveKey{"bip", test, around, v}), func(points []bench.BandwidthPoint) (judge.Measured, error) {
				j := jumpOf(points)
				return value(j.at(), "%s", j), nil
			})
		}
		r.Versus(id, "word by word around powers of two, "+test, find(unchanged), string(postedLate), find(postedLate))
	}
	r.Versus("us-knee-am", "word by word around powers of two, pingpong", plainly(r.comparison.faintSwitch, unchanged),
		string(allByDMA), plainly(r.comparison.faintSwitch, allByDMA))
	for _, x := range []struct{ id, layer string }{{"us-knee-fm-256k", "fm"}, {"us-knee-am-512k", "gam"}} {
		r.Versus(x.id, "16 KB to 4 MB, all three tests", plainly(r.comparison.cacheFalls(x.layer), unchanged),
			string(hugeCache), plainly(r.comparison.cacheFalls(x.layer), hugeCache))
	}
	r.Versus("us-knee-bip-1m", "simultaneous, 16 KB to 4 MB", plainly(r.comparison.cacheFall("bip", measure.Simultaneous), unchanged),
		string(hugeCache), plainly(r.comparison.cacheFall("bip", measure.Simultaneous), hugeCache))
}

// plainly makes a measurement of one with a change.
func plainly(f func(context.Context, change) (judge.Measured, error), v change) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) { return f(ctx, v) }
}

// jump is the sharpest step of the time per message: what one word more costs
// in parts of the time, beside what a word usually costs there.
type jump struct {
	bytes        int64 // the power of two
	share, usual float64
}

// sharp is the least step that is a knee, in parts of the time per message; it
// also has to be several times what a word costs beside it.
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
	return fmt.Sprintf("the time per message changes by %+.1f %% with one word, elsewhere there by %+.1f %%", 100*j.share, 100*j.usual)
}

// jumpOf finds the sharpest step of a curve over the sizes around powers of
// two: with the word that makes a message as long as the power, or with the next.
func jumpOf(points []bench.BandwidthPoint) jump {
	var best jump
	us := func(i int) float64 { return float64(points[i].SizeBytes) / points[i].MBps }
	step := func(i int) float64 { return us(i)/us(i-1) - 1 }
	for i := 2; i+2 < len(points); i += 5 {
		for _, k := range []int{i, i + 1} {
			if s := step(k); math.Abs(s) > math.Abs(best.share) {
				best = jump{points[i].SizeBytes, s, max(math.Abs(step(i-1)), math.Abs(step(i+2)))}
			}
		}
	}
	return best
}

// faintSwitch is that GAM's change from programmed I/O to DMA shows in its
// latency, and less than BIP's and VMMC-2's in theirs.
func (l *comparison) faintSwitch(ctx context.Context, v change) (judge.Measured, error) {
	var j [3]jump
	for i, k := range []curveKey{
		{"gam", measure.PingPong, around, v}, {"bip", measure.PingPong, around, unchanged}, {"vmmc", measure.PingPong, around, unchanged},
	} {
		points, err := l.curve(k)(ctx)
		if err != nil {
			return judge.Measured{}, err
		}
		j[i] = jumpOf(points)
	}
	less := math.Abs(j[0].share) < min(math.Abs(j[1].share), math.Abs(j[2].share))
	return holds(j[0].found() && less, "GAM %+.1f %% of its latency at %d B, BIP %+.1f %%, VMMC-2 %+.1f %%",
		100*j[0].share, j[0].bytes, 100*j[1].share, 100*j[2].share), nil
}

// fallOf finds where the bandwidth of long messages begins to fall: the first
// size at which it lies clearly below the highest of the sizes before.
func fallOf(points []bench.BandwidthPoint) (bytes int64, by float64) {
	highest := 0.0
	for _, p := range points {
		if by = 1 - p.MBps/highest; p.SizeBytes > 32<<10 && by >= sharp {
			return p.SizeBytes, by
		}
		highest = max(highest, p.MBps)
	}
	return 0, 0
}

// fallAt is the size of the knee of a test, 0 when there is none.
func (l *comparison) fallAt(ctx context.Context, layer, test string, v change) (float64, string, error) {
	points, err := l.curve(curveKey{layer, test, doubling, v})(ctx)
	if err != nil {
		return 0, "", err
	}
	bytes, by := fallOf(points)
	if bytes == 0 {
		return 0, test + ": it does not fall", nil
	}
	return float64(bytes), fmt.Sprintf("%s: %.0f %% lower at %s", test, 100*by, sizeName(bytes)), nil
}

// cacheFall is the knee of one test in MB; cacheFalls the smallest of the three in KB.
func (l *comparison) cacheFall(layer, test string) func(context.Context, change) (judge.Measured, error) {
	return func(ctx context.Context, v change) (judge.Measured, error) {
		bytes, note, err := l.fallAt(ctx, layer, test, v)
		return value(bytes/(1<<20), "%s", note), err
	}
}

func (l *comparison) cacheFalls(layer string) func(context.Context, change) (judge.Measured, error) {
	return func(ctx context.Context, v change) (judge.Measured, error) {
		least, all := math.Inf(1), ""
		for _, test := range experiment.BandwidthTests() {
			bytes, note, err := l.fallAt(ctx, layer, test, v)
			if err != nil {
				return judge.Measured{}, err
			}
			if all != "" {
				all += "; "
			}
			all += note
			least = min(least, bytes)
		}
		return value(least/1024, "%s", all), nil
	}
}
