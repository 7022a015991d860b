package experiment

import (
	"cmp"

	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/names"
)

// BandwidthTests lists the programs that measure bandwidth (userspace, section 4.2).
func BandwidthTests() []string {
	return []string{measure.PingPong, measure.Unidirectional, measure.Simultaneous}
}

// BandwidthSpec asks for bandwidth over message sizes.
type BandwidthSpec struct {
	PlacesSpec
	Test string `json:"test"` // one of BandwidthTests
}

// DefaultBandwidth returns the specification for the default platform's layer.
func DefaultBandwidth() BandwidthSpec {
	return BandwidthSpec{PlacesSpec: PlacesSpec{Platforms: []string{DefaultPlatform}, Seed: DefaultSeed}, Test: measure.PingPong}
}

// Validate checks what can be checked without loading a platform's file.
func (s BandwidthSpec) Validate(known Catalogue) error {
	return cmp.Or(s.validate(known), names.Check("test", s.Test, BandwidthTests()))
}
