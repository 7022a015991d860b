package clock

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestOnlyPointsOfOneWindowMakeAProbe: each window has at most one point each way.
func TestOnlyPointsOfOneWindowMakeAProbe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const window = 1000
		f := newFilter(&plan{window: window})
		points := func(name string, at func(*Point) *uint64) (list []Point, by map[uint64]Point) {
			by = map[uint64]Point{}
			for w := range uint64(replyPoints) {
				if rapid.Bool().Draw(t, name) {
					p := Point{Sent: 1, Received: 1}
					*at(&p) = w*window + rapid.Uint64Range(0, window-1).Draw(t, "at")
					list, by[w] = append(list, p), p
				}
			}
			return list, by
		}
		there, sent := points("there", func(p *Point) *uint64 { return &p.Sent })
		back, received := points("back", func(p *Point) *uint64 { return &p.Received })
		var want []probe
		for w := range uint64(replyPoints) {
			a, out := sent[w]
			b, in := received[w]
			if out && in {
				want = append(want, probe{t0: a.Sent, received: a.Received, sent: b.Sent, t1: b.Received})
			}
		}
		pairs, n := f.match(there, back)
		require.Len(t, want, n)
		require.Equal(t, want, append([]probe(nil), pairs[:n]...))
	})
}
