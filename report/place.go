package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
)

// placesOf are the places of results, in their order.
func placesOf[T any](results []T, place func(T) bench.Place) []bench.Place {
	var out []bench.Place
	for _, x := range results {
		out = append(out, place(x))
	}
	return out
}

func placeName(p bench.Place) string { return p.Layer + " on " + p.Platform }

// commonPlace names one place, or says what several have in common.
func commonPlace(places []bench.Place) string {
	if len(places) == 1 {
		return placeName(places[0])
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

// shortNames name results by what they do not have in common.
func shortNames(places []bench.Place) []string {
	var out []string
	what := commonPlace(places)
	for _, p := range places {
		switch {
		case len(places) > 1 && strings.HasSuffix(what, " on "+p.Platform):
			out = append(out, p.Layer)
		case len(places) > 1 && strings.HasPrefix(what, p.Layer+" on "):
			out = append(out, p.Platform)
		default:
			out = append(out, placeName(p))
		}
	}
	return out
}
