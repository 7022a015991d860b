package judge

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClaims hold up to their thresholds and say them.
func TestClaims(t *testing.T) {
	a := func(v float64) Figure { return Fig("a", v) }
	b := Fig("b", 100)
	var off, unknown Deviation
	off.Add(2, 2)
	off.Add(9, 10)
	off.Add(31, 30)
	unknown.Add(0, 0)
	for _, c := range []struct {
		claim Claim
		holds bool
		wants string
		note  string
	}{
		{Near(a(105), b, 5), true, "a within 5 % of b", "a 105, b 100"},
		{Near(a(105.1), b, 5), false, "a within 5 % of b", "a 105.1, b 100"},
		{Near(a(-105), Fig("b", -100), 5), true, "a within 5 % of b", "a -105, b -100"},
		{Near(a(math.NaN()), b, 5), false, "a within 5 % of b", "a NaN, b 100"},
		{Above(a(100.1), b, 0), true, "a above b", "a 100.1, b 100"},
		{Above(a(100), b, 0), false, "a above b", "a 100, b 100"},
		{Above(a(120), Limit(100), 25), false, "a over 25 % above 100", "a 120"},
		{Above(a(126), Limit(100), 25), true, "a over 25 % above 100", "a 126"},
		{Below(a(-0.6), Limit(-0.5), 0), true, "a below -0.5", "a -0.6"},
		{Below(a(50), b, 50), false, "a over 50 % below b", "a 50, b 100"},
		{Below(a(math.NaN()), b, 0), false, "a below b", "a NaN, b 100"},
		{Ordered(a(1), Fig("c", 2), b), true, "a < c < b", "a 1, c 2, b 100"},
		{Ordered(a(1), Fig("c", 1), b), false, "a < c < b", "a 1, c 1, b 100"},
		{Above(Fig("a", 12345, "µs"), Limit(100, "µs"), 0), true, "a above 100 µs", "a 12345 µs"},
		{off.Within("T", "the line", 10), true, "T within 10 % of the line", "T at most 10 % off"},
		{off.Within("T", "the line", 9), false, "T within 9 % of the line", "T at most 10 % off"},
		{unknown.Within("T", "the line", 9), false, "T within 9 % of the line", "T at most NaN % off"},
		{True(true, "all arrive", "%d of %d", 7, 7), true, "all arrive", "7 of 7"},
	} {
		m := All(c.claim)
		require.Equal(t, Measured{Holds: c.holds, Note: c.note, Criterion: c.wants}, m)
	}
	m := All(Above(a(3), Limit(1), 0), Below(a(3), b, 0), True(false, "it ends", "stopped"))
	require.Equal(t, Measured{Note: "a 3, b 100, stopped", Criterion: "a above 1; a below b; it ends"}, m)
	require.Equal(t, "it ends", Every([]int{1, 2}, "%s", ", ", func(int) Measured { return All(True(true, "it ends", "")) }).Criterion)
}
