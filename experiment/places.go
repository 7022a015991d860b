package experiment

import (
	"cmp"
	"path/filepath"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/platform"
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

// places loads the platforms and finds their layers, in the order asked for,
// and the names of their platforms.
func (s PlacesSpec) places() (out []platform.Place, platforms []string, err error) {
	for _, name := range s.Platforms {
		p, err := platform.Load(name)
		if err != nil {
			return nil, nil, err
		}
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
			out = append(out, place)
		}
	}
	platforms, err = s.names(out)
	return out, platforms, err
}

// names are those of the places' platforms: the profiles' own, or their files'
// where several have the same, as a changed copy has.
func (s PlacesSpec) names(places []platform.Place) ([]string, error) {
	file := make(map[*platform.Profile]string)
	times := make(map[string]int)
	for _, p := range places {
		if _, known := file[p.Profile]; !known {
			file[p.Profile] = s.Platforms[len(file)]
			times[p.Profile.Name]++
		}
	}
	out := make([]string, len(places))
	by := make(map[string]string)
	for i, p := range places {
		asked, name := file[p.Profile], p.Profile.Name
		if times[name] > 1 {
			name = filepath.Base(asked)
		}
		if other, taken := by[name]; taken && other != asked {
			return nil, wrong("platform", asked, "a profile or a file of another name than %s", other)
		}
		out[i], by[name] = name, asked
	}
	return out, nil
}

func record(p platform.Place) bench.Place {
	return bench.Place{Platform: p.Name, Digest: p.Digest(), Layer: p.Layer}
}

// accepts reports a size that the layer does not have.
func accepts(p platform.Place, sizes []int64) error {
	for _, n := range sizes {
		if n < int64(p.Traits.MinBytes) {
			return wrong("size", n, "at least %d B, the shortest message of layer %s", p.Traits.MinBytes, p.Layer)
		}
	}
	return nil
}
