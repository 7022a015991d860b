package main

import (
	"math"
	"regexp"
	"slices"

	"github.com/sigview/sigview/cluster/platform"
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
var moreIsFaster = regexp.MustCompile(`(_mbps|_mhz|hz|_kb|_mb|slots|buffers|credits|tokens|window|send_packets|frames|ports|_ring_bytes|slack_bytes|sram_bytes|histogram_bytes)$`)

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

// machine is a platform with its assumed numbers.
type machine struct {
	*platform.Profile
	assumed []platform.Number
}

// machines returns a platform and its sisters.
func machines(name string) (out []machine, err error) {
	names := []string{name}
	for _, sisters := range [][]string{
		{"meiko", "meiko50"}, {"myrinet", "myrinet10"}, {"ppro", "shrimp"}, {"das-myrinet", "das-wan"},
		{"grim-p3-lanai4", "grim-p3-lanai4-pmc", "grim-p3-lanai9", "grim-p4-lanai4", "grim-p4-lanai9", "grim-ppro-lanai9"},
	} {
		if slices.Contains(sisters, name) {
			names = append(names, slices.DeleteFunc(sisters, func(s string) bool { return s == name })...)
		}
	}
	for _, name := range names {
		p, err := platform.Load(name)
		if err != nil {
			return nil, err
		}
		numbers, err := p.Assumed()
		if err != nil {
			return nil, err
		}
		out = append(out, machine{p, numbers})
	}
	return out, nil
}

// sharing returns the names of the machines that assume the same number.
func sharing(all []machine, n platform.Number) (out []string) {
	for _, m := range all {
		if slices.Contains(m.assumed, n) {
			out = append(out, m.Name)
		}
	}
	return out
}

// variable returns the numbers of a group that a machine has, changed in a direction,
// without those that do not change and those that its profile does not accept.
func (m machine) variable(group []platform.Number, d direction) (out []platform.Number) {
	for _, n := range group {
		to := moved(n, d)
		if !slices.Contains(m.assumed, n) || to == n {
			continue
		}
		if _, err := m.With(platform.Set("sensitivity", []platform.Number{to})); err == nil {
			out = append(out, to)
		}
	}
	return out
}
