package activity

import (
	"cmp"
	"slices"
)

// Silence is a time in which a port has no packet, up to one that comes at last. Both ends are within a window
// of the true ones.
type Silence struct {
	Node     int
	Side     Side
	From, To int64 // ns: before the begin and after the end
	Width    int64 // ns of a window
}

// Silences returns the silences of all ports of at least so many ns, the longest first.
func (s *Series) Silences(least int64) (out []Silence) {
	for p, counts := range s.counts {
		last := -1 // window with a packet
		for w, n := range counts {
			if n == 0 {
				continue
			}
			x := Silence{p.node, p.side, s.from + int64(last)*s.width, s.from + int64(w+1)*s.width, s.width}
			if w > last+1 && x.Length() >= least {
				out = append(out, x)
			}
			last = w
		}
	}
	slices.SortFunc(out, func(a, b Silence) int {
		return cmp.Or(cmp.Compare(b.Length(), a.Length()), cmp.Compare(a.From, b.From), cmp.Compare(a.Node, b.Node), cmp.Compare(a.Side, b.Side))
	})
	return out
}

// Length returns the longest that the silence can be, in ns.
func (s Silence) Length() int64 { return s.To - s.From }
