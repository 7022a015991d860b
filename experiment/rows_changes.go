package experiment

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/platform"
)

// change names a change of a platform's profile that takes one mechanism away
// or moves it, for counter-experiments.
type change string

const unchanged change = ""

// changes are the changes that a paper's rows know.
type changes map[change]func(*platform.Profile)

// scale multiplies a quantity of a profile.
func scale[Q ~int64](q *Q, by float64) { *q = Q(math.Round(float64(*q) * by)) }

// place is a layer, "" for the platform's own, on a platform so changed.
func (known changes) place(name, layer string, c change) (place, error) {
	p, err := platform.Load(name)
	if err != nil {
		return place{}, err
	}
	if c != unchanged {
		f, ok := known[c]
		if !ok {
			return place{}, fmt.Errorf("no change %q", c)
		}
		f(p)
	}
	if layer == "" {
		layer = p.Layer
	}
	spec, err := p.LayerSpec(layer)
	if err != nil {
		return place{}, err
	}
	if err := spec.Validate(); err != nil {
		return place{}, fmt.Errorf("change %q: %w", c, err)
	}
	return place{p, layer, spec.Traits()}, nil
}
