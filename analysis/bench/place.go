package bench

import (
	"fmt"
	"strings"
)

// Place says where something was measured.
type Place struct {
	Platform string `json:"platform"`
	Digest   string `json:"platform_digest"`
	Layer    string `json:"layer"`
}

func (p Place) at() Place { return p }

// Places returns where results were measured, in their order.
func Places[T interface{ at() Place }](results []T) []Place {
	var out []Place
	for _, x := range results {
		out = append(out, x.at())
	}
	return out
}

func (p Place) String() string { return p.Layer + " on " + p.Platform }

// Common returns the name of one place, or what several have in common.
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

// Short returns names of places without what they have in common.
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
