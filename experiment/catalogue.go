package experiment

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Catalogue lists what specifications can name.
type Catalogue struct {
	Workloads []Entry
	Platforms []Entry
	Layers    []Entry

	layersOf func(platform string) []string // of platforms whose entries do not name theirs
}

// Entry is one thing that can be named.
type Entry struct {
	Name    string   `json:"name"`
	Summary string   `json:"summary"`          // one line
	Detail  string   `json:"detail"`           // full description; for a platform the text of its profile
	Layers  []string `json:"layers,omitempty"` // of a platform
	Phases  []string `json:"phases,omitempty"` // of a workload, in their order
}

// Names returns the names of entries in their order.
func Names(entries []Entry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Name
	}
	return out
}

// check checks that the names of a specification are known. A platform that is a file
// is read when the cluster is built.
func (c Catalogue) check(workload, platform, layer string) error {
	if err := names.Check("workload", workload, Names(c.Workloads)); err != nil {
		return err
	}
	return c.checkPlace(platform, layer)
}

// checkPhases checks that each phase is one of the programs'.
func (c Catalogue) checkPhases(programs, phases []string) error {
	var all []string
	for _, e := range c.Workloads {
		if slices.Contains(programs, e.Name) {
			all = append(all, e.Phases...)
		}
	}
	for _, p := range phases {
		if err := names.Check("phase of "+strings.Join(programs, "+"), p, all); err != nil {
			return err
		}
	}
	return nil
}

// checkPlace checks that a platform is known and, unless layer is empty, has that
// layer.
func (c Catalogue) checkPlace(platform, layer string) error {
	if !isFile(platform) {
		if err := names.Check("platform", platform, Names(c.Platforms)); err != nil {
			return err
		}
	}
	if layer == "" {
		return nil
	}
	if err := names.Check("layer", layer, Names(c.Layers)); err != nil {
		return err
	}
	for _, e := range c.Platforms {
		if e.Name != platform {
			continue
		}
		layers := e.Layers
		if layers == nil && c.layersOf != nil {
			layers = c.layersOf(platform)
		}
		if len(layers) > 0 && !slices.Contains(layers, layer) {
			return wrong("layer", layer, "one that platform %s has figures for: %s", platform, strings.Join(layers, ", "))
		}
	}
	return nil
}

// isFile reports whether a platform is named by a file.
func isFile(platform string) bool {
	return strings.HasSuffix(platform, ".toml") || strings.ContainsAny(platform, `/\@`)
}

// FieldError is a value of a specification that is not allowed.
type FieldError = bounds.Error

func wrong(field string, value any, want string, args ...any) error {
	return bounds.Wrong(field, value, want, args...)
}
