package bench

import (
	"fmt"
	"strings"
)

// Place is the layer and the platform of a result.
type Place struct {
	Platform string `json:"platform"`
	Digest   string `json:"platform_digest"`
	Layer    string `json:"layer"`
}

// at returns the place, for types that embed it.
func (p Place) at() Place { return p }

// Places returns the place of each result, in their order.
func Places[T interface{ at() Place }](results []T) []Place {
	var out []Place
	for _, x := range results {
		out = append(out, x.at())
	}
	return out
}

// String returns "LAYER on PLATFORM".
func (p Place) String() string { return p.Layer + " on " + p.Platform }

// Common returns in words what places have in common; of one place its name.
func Common(places []Place) string {
	if len(places) == 1 {
		return places[0].String()
	}
	platforms, layers := true, true
	for _, p := range places {
		platforms = platforms && p.Platform == places[0].Platform
		layers = layers && p.Layer == places[0].Layer
	}
	switch {
	case platforms:
		return fmt.Sprintf("%d layers on %s", len(places), places[0].Platform)
	case layers:
		return fmt.Sprintf("%s on %d platforms", places[0].Layer, len(places))
	}
	return fmt.Sprintf("%d pairs of layer and platform", len(places))
}

// Short returns the name of each place without the layer or platform that all have.
func Short(places []Place) []string {
	var out []string
	what := Common(places)
	for _, p := range places {
		switch {
		case len(places) > 1 && strings.HasSuffix(what, " on "+p.Platform):
			out = append(out, p.Layer)
		case len(places) > 1 && strings.HasPrefix(what, p.Layer+" on "):
			out = append(out, p.Platform)
		default:
			out = append(out, p.String())
		}
	}
	return out
}
