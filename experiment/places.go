package experiment

import (
	"cmp"
	"path/filepath"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/bounds"
)

// AllLayers stands for every layer that a platform has.
const AllLayers = "all"

// MaxMessage is the longest message that layers are measured with, bytes.
const MaxMessage = 4 << 20

// PlacesSpec says what measurements of layers have in common: each of these
// layers is measured on each of these platforms.
type PlacesSpec struct {
	Platforms []string `json:"platforms"`
	Layers    []string `json:"layers"` // AllLayers for those that each platform has; none: the platform's own
	Seed      uint64   `json:"seed" range:"0.."`
	Sizes     []int64  `json:"sizes" range:"0..4194304 bytes"` // of messages; none: the measurement's own
}

func (s PlacesSpec) validate(known Catalogue) error {
	if len(s.Platforms) == 0 {
		return wrong("platform", "empty", "a name or a .toml file")
	}
	layers := s.Layers
	if len(layers) == 1 && layers[0] == AllLayers {
		layers = nil
	}
	for _, p := range s.Platforms {
		for _, l := range append([]string{""}, layers...) {
			if err := known.checkPlace(p, l); err != nil {
				return err
			}
		}
	}
	return cmp.Or(
		once("platform", "platform", s.Platforms),
		once("layer", "layer", layers),
		bounds.Check("", s),
		once("size", "size", s.Sizes),
	)
}

// places returns the pairs of platform and layer, and their names in records: the
// platform's own name, or that of its file if several platforms have the same name.
func (s PlacesSpec) places() (places []platform.Place, records []bench.Place, err error) {
	profiles := make([]*platform.Profile, len(s.Platforms))
	times := map[string]int{}
	for i, asked := range s.Platforms {
		if profiles[i], err = platform.Load(asked); err != nil {
			return nil, nil, err
		}
		times[profiles[i].Name]++
	}
	by := map[string]string{}
	for i, asked := range s.Platforms {
		p := profiles[i]
		name := p.Name
		if times[name] > 1 {
			name = filepath.Base(asked)
		}
		if other, taken := by[name]; taken {
			return nil, nil, wrong("platform", asked, "a profile or a file of another name than %s", other)
		}
		by[name] = asked
		layers := s.Layers
		switch {
		case len(layers) == 0:
			layers = []string{p.Layer}
		case layers[0] == AllLayers:
			layers = p.LayerNames()
		}
		for _, l := range layers {
			place, err := p.At(l)
			if err != nil { // of a file; names of built-in ones are checked
				return nil, nil, wrong("layer", l, "one that platform %s has figures for: %v", p.Name, p.LayerNames())
			}
			places = append(places, place)
			records = append(records, bench.Place{Platform: name, Digest: p.Digest(), Layer: place.Layer})
		}
	}
	return places, records, nil
}

// accepts returns an error for a size that is below the layer's shortest message.
func accepts(p platform.Place, sizes []int64) error {
	for _, n := range sizes {
		if n < int64(p.Traits.MinBytes) {
			return wrong("size", n, "at least %d B, the shortest message of layer %s", p.Traits.MinBytes, p.Layer)
		}
	}
	return nil
}
