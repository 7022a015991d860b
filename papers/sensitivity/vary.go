package main

import (
	"math"
	"regexp"

	"github.com/sigview/sigview/platform"
)

// direction is where a number goes: towards a slower machine or a faster one.
type direction int

const (
	slower direction = iota
	faster
)

var directions = []direction{slower, faster}

// share is by how much numbers change.
const share = 0.2

// moreIsFaster matches the names of rates and of room: a machine is slower with less
// of them. Of all other numbers, mostly times and cycles, it has more.
var moreIsFaster = regexp.MustCompile(`(_mbps|_mhz|hz|_kb|_mb|slots|buffers|tokens|window|send_packets|frames|ports|_ring_bytes|slack_bytes|sram_bytes|histogram_bytes)$`)

// lower reports whether a number falls in a direction.
func lower(n platform.Number, d direction) bool {
	return moreIsFaster.MatchString(n.Path) == (d == slower)
}

// moved returns a number changed by 20 %, rounded if it is whole. Zero, one and two
// do not change.
func moved(n platform.Number, d direction) platform.Number {
	by := share * n.Value
	if n.Whole {
		by = math.Round(by)
	}
	if lower(n, d) {
		by = -by
	}
	n.Value += by
	return n
}

// variable returns the numbers of a group changed in a direction, without those that
// do not change and those that the profile does not accept.
func variable(p *platform.Profile, group []platform.Number, d direction) (out []platform.Number) {
	for _, n := range group {
		m := moved(n, d)
		if _, err := p.With(platform.Set("sensitivity", []platform.Number{m})); m != n && err == nil {
			out = append(out, m)
		}
	}
	return out
}
