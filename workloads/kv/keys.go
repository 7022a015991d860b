package kv

import (
	"sort"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
)

// keys draws keys by a Zipf law, or evenly.
type keys struct {
	n    int
	upto []float64 // with skew: the sum of the weights up to each key
}

func newKeys(o *Options) keys {
	k := keys{n: o.Keys}
	if o.Zipf > 0 {
		total := 0.0
		for i := range o.Keys {
			total += portable.Pow(float64(i+1), -o.Zipf)
			k.upto = append(k.upto, total)
		}
	}
	return k
}

func (k keys) draw(s *sim.Stream) int {
	if k.upto == nil {
		return s.Below(k.n)
	}
	return min(sort.SearchFloat64s(k.upto, s.Float64()*k.upto[k.n-1]), k.n-1)
}
