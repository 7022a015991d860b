package watch

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEveryReasonHasAName: labels of metrics tell reasons apart.
func TestEveryReasonHasAName(t *testing.T) {
	known := map[string]bool{"": true}
	for _, why := range reasons {
		require.False(t, known[fates[why.which]], why.text)
		known[fates[why.which]] = true
	}
}

// TestDatagramsWithoutNumbersAreTold: with another host, warnings say which messages to and from it cannot be joined.
func TestDatagramsWithoutNumbersAreTold(t *testing.T) {
	var c counts
	c.of[away], c.of[heard] = 2, 3
	const such = "datagrams that cannot be joined, over IPv6 or segmented, between this host and db1"
	require.NotContains(t, c.warnings(), such)
	c.host = "db1"
	warnings := strings.Join(c.warnings(), "\n")
	require.Equal(t, 2, strings.Count(warnings, such))
}

// TestStopwatch: it counts while it runs, and a look after the end of a watch is an error.
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s stopwatch
		for range 2 {
			time.Sleep(time.Hour)
			s.start()
			time.Sleep(time.Second)
			s.stop()
			s.stop()
		}
		sum, runs := s.read()
		require.Equal(t, 2*time.Second, sum)
		require.False(t, runs)
		s.start()
		time.Sleep(time.Second)
		sum, runs = s.read()
		require.Equal(t, 3*time.Second, sum)
		require.True(t, runs)
	})
	look := &Look{open: new(stopwatch)}
	look.end()
	_, err := look.Totals()
	require.ErrorIs(t, err, errEnded)
	_, _, err = look.Messages()
	require.ErrorIs(t, err, errEnded)
	_, err = look.Run()
	require.ErrorIs(t, err, errEnded)
}

// TestRunsOfOneWatch: what an earlier run has counted is not counted again.
func TestRunsOfOneWatch(t *testing.T) {
	all := func(n uint64) *result {
		h := new(histogram)
		for range n {
			h.Stages[0].count(n * 100)
			h.Bytes += 10
		}
		r := &result{histograms: map[sort]*histogram{{program: 0, bits: 3, toServer: true}: h}}
		r.counts.of[started], r.counts.of[attributed] = n+1, n
		return r
	}
	first, second := all(3), all(3)
	second.histograms[sort{program: 0, bits: 3, toServer: true}].Stages[0].count(50)
	second.histograms[sort{program: 1, bits: 3, toServer: true}] = all(1).histograms[sort{program: 0, bits: 3, toServer: true}]
	second.counts.of[attributed] += 2
	second.less(first.counted())
	require.EqualValues(t, 2, second.counts.of[attributed])
	h := second.histograms[sort{program: 0, bits: 3, toServer: true}].Stages[0]
	require.EqualValues(t, 1, h.total())
	require.EqualValues(t, 50, h.Sum)
	require.Contains(t, second.histograms, sort{program: 1, bits: 3, toServer: true})
	same := all(3)
	same.less(first)
	require.Empty(t, same.histograms)
}
