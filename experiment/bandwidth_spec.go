package experiment

import (
	"cmp"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/bounds"
)

// BandwidthSpec asks for bandwidth over message sizes.
type BandwidthSpec struct {
	PlacesSpec
	Test measure.Test `json:"test"`
}

// DefaultBandwidth returns the specification for the default platform's layer.
func DefaultBandwidth() BandwidthSpec {
	return BandwidthSpec{PlacesSpec: PlacesSpec{Platforms: []string{DefaultPlatform}, Seed: DefaultSeed}, Test: measure.PingPong}
}

// Validate checks what can be checked without loading a platform's file.
func (s BandwidthSpec) Validate(known Catalogue) error {
	return cmp.Or(s.validate(known), bounds.Check("", s))
}
