package logp

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sure(us float64) Mean { return Mean{Value: us, Lo: us, Hi: us, N: 50} }

func TestBulkLine(t *testing.T) {
	var b Bulk
	for _, n := range []int{4096, 1024, 0, 2048} {
		b = append(b, BulkPoint{n, sure(30 + float64(n)/25), sure(2 + float64(n)/29)})
	}
	res := b.Extract()
	require.Len(t, res.Sizes, 4)
	assert.Equal(t, 0, res.Sizes[0].SizeBytes)
	assert.Zero(t, res.Sizes[0].Bandwidth.Value)
	near(t, 4096/(30+4096.0/25), res.Sizes[3].Bandwidth, 1e-9, "bandwidth")
	near(t, 25, res.T.Rinf, 1e-9, "Rinf")
	near(t, 29, res.O.Rinf, 1e-9, "copy")
	assert.InDelta(t, 30, res.T.T0Us, 1e-9)
	assert.InDelta(t, 0, res.T.Residual.MaxUs, 1e-9)
	assert.Empty(t, res.Warnings)
}

// TestConvexTimesHaveANegativeIntercept is what the paper found on Myrinet.
func TestConvexTimesHaveANegativeIntercept(t *testing.T) {
	var b Bulk
	for n := 512; n <= 4096; n += 512 {
		x := float64(n)
		b = append(b, BulkPoint{SizeBytes: n, T: sure(20 + x/40 + x*x/60000)})
	}
	res := b.Extract()
	assert.Negative(t, res.T.T0HiUs)
	assert.Contains(t, res.Warnings, "T0 is negative: the slope of T grows with n")
	assert.Positive(t, res.T.OffUs[0], "a convex curve lies above its line at the ends")
	assert.Negative(t, res.T.OffUs[3])
	assert.Nil(t, res.O)
	assert.Contains(t, res.Sizes[0].O.Reason, "not measured")
}

func TestConstantOverheadHasNoRate(t *testing.T) {
	var b Bulk
	for _, n := range []int{512, 1024, 4096} {
		b = append(b, BulkPoint{n, sure(30 + float64(n)/25), sure(1.4)})
	}
	assert.Contains(t, b.Extract().O.Rinf.Reason, "does not grow")
}

func TestBulkCountsWhatItDrops(t *testing.T) {
	b := Bulk{{SizeBytes: -1, T: sure(1)}, {SizeBytes: 8}, {SizeBytes: 8, T: sure(1)}, {SizeBytes: 8, T: sure(2)}}
	res := b.Extract()
	assert.Len(t, res.Sizes, 1)
	assert.Nil(t, res.T)
	assert.Equal(t, []string{"2 sizes cannot be used: negative, or T is not a valid time", "1 sizes were measured more than once; the first measurement of each is used"}, res.Warnings)
}
