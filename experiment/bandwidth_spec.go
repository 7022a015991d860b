package experiment

import (
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
	Test  string  `json:"test"`  // one of BandwidthTests
	Sizes []int64 `json:"sizes"` // bytes; empty: 4 B to 4 MB
}

// DefaultBandwidth returns the specification for the default platform's layer.
func DefaultBandwidth() BandwidthSpec {
	return BandwidthSpec{PlacesSpec: PlacesSpec{Platforms: []string{DefaultPlatform}, Seed: DefaultSeed}, Test: measure.PingPong}
}

// Validate checks what can be checked without loading a platform's file.
func (s BandwidthSpec) Validate(known Catalogue) error {
	if err := s.validate(known); err != nil {
		return err
	}
	if err := names.Check("test", s.Test, BandwidthTests()); err != nil {
		return err
	}
	return validateSizes(s.Sizes)
}
