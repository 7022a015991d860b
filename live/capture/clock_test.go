package capture

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// wandering is how far a clock is ahead of another, in ns. Its rate changes at random, as fast as it may.
type wandering struct {
	t             *rapid.T
	at            int64
	ahead         float64 // beside base
	base          int64
	rate, changes float64
	until         int64 // the rate changes as before
}

// to goes on to an instant, in ns, and returns what the clock shows then.
func (w *wandering) to(at int64) int64 {
	for w.at < at {
		if w.at >= w.until {
			w.changes = rapid.Float64Range(-0.9*wander, 0.9*wander).Draw(w.t, "changes")
			w.until = w.at + rapid.Int64Range(1, 100*second).Draw(w.t, "for so long")
		}
		d := float64(min(at, w.until) - w.at)
		w.ahead += w.rate*d + w.changes/2*d*d
		w.rate = min(max(w.rate+w.changes*d, -0.9*steepest), 0.9*steepest)
		w.at = min(at, w.until)
	}
	return at + w.base + int64(w.ahead)
}

// stamped is a packet by true time, in ns.
type stamped struct {
	at   int64
	from end
	took int64
}

// second returns when the second host sees it.
func (s stamped) second() int64 {
	if s.from == 1 {
		return s.at
	}
	return s.at + s.took
}

// randomCrossings are packets between two hosts: for some time in both directions, then in one, then in none, and so on.
func randomCrossings(t *rapid.T) (out []crossing, ahead []int64) {
	w := wandering{t: t, base: rapid.Int64Range(-1e18, 1e18).Draw(t, "ahead"), rate: rapid.Float64Range(-1e-4, 1e-4).Draw(t, "rate")}
	const begin = 1_700_000_000 * second
	w.at = begin
	least := rapid.Int64Range(0, 1e6).Draw(t, "least delay")
	var sent []stamped
	at := int64(begin)
	phases := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 5).Draw(t, "phases") // 3: silence
	for i, phase := range append([]int{2}, phases...) {
		length := rapid.Int64Range(1, 200*second).Draw(t, "length")
		for n := range rapid.Int64Range(2, 60).Draw(t, "packets") {
			from := end(phase % 2)
			if phase == 2 {
				from = end(n % 2)
			}
			if phase != 3 {
				took := least + rapid.Int64Range(0, 1e5).Draw(t, "more")
				sent = append(sent, stamped{at + length/60*n, from, took})
			}
		}
		at += length + int64(i)*1e6
	}
	// The second host sends or receives at these instants.
	slices.SortFunc(sent, func(a, b stamped) int { return cmp.Compare(a.second(), b.second()) })
	for _, s := range sent {
		shown := w.to(s.second())
		c := crossing{sent: s.at, arrived: shown, sender: s.from}
		if s.from == 1 {
			c.sent, c.arrived = shown, s.at+s.took
		}
		out, ahead = append(out, c), append(ahead, shown-s.second())
	}
	return out, ahead
}

// TestOffsetsAreWithinTheirBounds: however two clocks drift and wander, and whichever way packets go, no offset is outside its
// bound and no clock is said to be set.
func TestOffsetsAreWithinTheirBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		packets, ahead := randomCrossings(t)
		c := compareClocks(slices.Values(packets), 1)
		require.NotEmpty(t, c.knots)
		require.Zero(t, c.set)
		for i := range packets {
			stamp, _ := packets[i].second()
			got, bound := c.offset(stamp)
			require.InDelta(t, 0, got-ahead[i], float64(bound), "packet %d of %d, at %d", i, len(packets), stamp)
		}
	})
}
