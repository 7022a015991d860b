package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/tomlfile"
)

// file is a sweep as users write it. A list that is missing has one entry: the default of
// sigview run.
type file struct {
	Programs     []string `toml:"programs"`
	Platforms    []string `toml:"platforms"`
	Layers       []string `toml:"layers"` // or "all": those that each platform has
	Nodes        []int    `toml:"nodes" range:"2..1024"`
	Sizes        sizes    `toml:"sizes"`
	MessageBytes []count  `toml:"message_bytes"` // of patterns
	Uncontended  []free   `toml:"uncontended"`
	Seeds        seeds    `toml:"seeds"`

	run experiment.RunSpec // what all runs have in common
}

// count is a positive number, as an integer or as a text with K, M or G.
type count int64

// SetTOML implements tomlfile.FromTOML.
func (c *count) SetTOML(value any) error {
	n, err := experiment.ParseCount(fmt.Sprint(value))
	if *c = count(n); err != nil {
		return errors.New(experiment.CountForm)
	}
	return nil
}

// seeds are a number of seeds or a range.
type seeds experiment.Seeds

// SetTOML implements tomlfile.FromTOML.
func (s *seeds) SetTOML(value any) error {
	parsed, err := experiment.ParseSeeds(fmt.Sprint(value))
	if *s = seeds(parsed); err != nil {
		return errors.New(experiment.SeedsForm)
	}
	return nil
}

// free is a set of resources with infinite capacity, joined by commas; "" for none.
type free []experiment.Resource

// SetTOML implements tomlfile.FromTOML.
func (f *free) SetTOML(value any) error {
	text, ok := value.(string)
	if !ok {
		return errors.New(`resources joined by commas in quotes, or "" for none`)
	}
	*f = free{}
	if text == "" {
		return nil
	}
	for name := range strings.SplitSeq(text, ",") {
		r := experiment.Resource(strings.TrimSpace(name))
		if r.Check() != nil {
			return fmt.Errorf(`resources joined by commas: %s; or "" for none`, bounds.List(r.Words().Names()))
		}
		*f = append(*f, r)
	}
	order := experiment.Resource("").Words().Names() // the same set has one form
	slices.SortFunc(*f, func(a, b experiment.Resource) int {
		return slices.Index(order, a.String()) - slices.Index(order, b.String())
	})
	return nil
}

// sizes are problem sizes of all programs, or by program: programs have different units.
type sizes struct {
	all []count
	of  map[string][]count
}

var errSizes = errors.New("a list of positive whole numbers, K, M and G allowed, or a table with such a list for each program")

// SetTOML implements tomlfile.FromTOML.
func (s *sizes) SetTOML(value any) (err error) {
	table, ok := value.(map[string]any)
	if !ok {
		s.all, err = counts(value)
		return err
	}
	s.of = map[string][]count{}
	for name, list := range table {
		if s.of[name], err = counts(list); err != nil {
			return err
		}
	}
	return nil
}

func counts(value any) (out []count, err error) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, errSizes
	}
	out = make([]count, len(list))
	for i, v := range list {
		if out[i].SetTOML(v) != nil {
			return nil, errSizes
		}
	}
	return out, nil
}

// parse reads a file whose name is for errors.
func parse(name string, text []byte) (f file, err error) {
	table, err := tomlfile.Parse(name, text)
	if err != nil {
		return f, err
	}
	if err := f.decode(table); err != nil {
		return f, tomlfile.At(name, string(text), err)
	}
	return f, nil
}

func (f *file) decode(table map[string]any) error {
	f.run = experiment.DefaultRun("")
	if given, ok := table["run"]; ok {
		run, ok := given.(map[string]any)
		if !ok {
			return tomlfile.Mismatch("run", given, "a table")
		}
		if err := common(run, &f.run); err != nil {
			return err
		}
		delete(table, "run")
	}
	for _, list := range slices.Sorted(maps.Keys(table)) {
		if l, ok := table[list].([]any); ok && len(l) == 0 {
			return bounds.Wrong(list, "empty", "at least one entry, or no such line for the default")
		}
	}
	if err := (tomlfile.Form{Of: "a sweep", Tag: "toml", Partial: true}).Decode("", table, f); err != nil {
		return err
	}
	f.Platforms = orDefault(f.Platforms, experiment.DefaultPlatform)
	f.Layers = orDefault(f.Layers, "")
	f.Nodes = orDefault(f.Nodes, 0)
	f.MessageBytes = orDefault(f.MessageBytes, 0)
	f.Uncontended = orDefault(f.Uncontended, free(f.run.Uncontended))
	if f.Seeds.N == 0 {
		f.Seeds = seeds{First: experiment.DefaultSeed, N: 1}
	}
	var err error
	if f.run, err = f.run.Pinned(); err != nil {
		return fmt.Errorf("run.%w", err)
	}
	return f.check(experiment.Known())
}

func orDefault[T any](list []T, otherwise T) []T {
	if len(list) == 0 {
		return []T{otherwise}
	}
	return list
}

// listed are the keys of a run's specification that a file lists, by the key of the list.
var listed = map[string]string{
	"workload": "programs", "platform": "platforms", "layer": "layers", "nodes": "nodes", "size": "sizes", "seed": "seeds",
	"uncontended": "uncontended", "message_bytes": "message_bytes",
}

// common decodes the table of what all runs have in common.
func common(table map[string]any, spec *experiment.RunSpec) error {
	pattern, _ := table["pattern"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(listed)) {
		for path, in := range map[string]map[string]any{"run." + key: table, "run.pattern." + key: pattern} {
			if _, given := in[key]; given {
				return bounds.Wrong(path, "given", "the list %s above the tables", listed[key])
			}
		}
	}
	return tomlfile.Form{Of: "a run's specification", Tag: "json", Partial: true}.Decode("run", table, spec)
}

// check checks names, and that no entry is given twice.
func (f *file) check(known experiment.Catalogue) error {
	if len(f.Programs) == 0 {
		return errors.New("programs is missing, want a list of programs")
	}
	workloads := experiment.Names(known.Workloads)
	for i, p := range f.Programs {
		for one := range strings.SplitSeq(p, "+") {
			if err := names.Check("workload", one, workloads); err != nil {
				return fmt.Errorf("programs[%d]: %w", i, err)
			}
		}
	}
	for i, p := range f.Platforms {
		if strings.HasSuffix(p, ".toml") || strings.ContainsRune(p, filepath.Separator) {
			continue // read when runs are planned
		}
		if err := names.Check("platform", p, experiment.Names(known.Platforms)); err != nil {
			return fmt.Errorf("platforms[%d]: %w", i, err)
		}
	}
	layers := append(experiment.Names(known.Layers), experiment.AllLayers)
	for i, l := range f.Layers {
		if l == experiment.AllLayers && len(f.Layers) > 1 {
			return bounds.Wrong(fmt.Sprintf("layers[%d]", i), l, "no other layer beside it")
		}
		if l == "" {
			continue
		}
		if err := names.Check("layer", l, layers); err != nil {
			return fmt.Errorf("layers[%d]: %w", i, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Sizes.of)) {
		if !slices.Contains(f.Programs, name) {
			return bounds.Wrong("sizes."+name, "given", "one of the programs: %s", strings.Join(f.Programs, ", "))
		}
	}
	return cmp.Or(once("programs", f.Programs), once("platforms", f.Platforms), once("layers", f.Layers),
		once("nodes", f.Nodes), once("sizes", f.Sizes.all), once("message_bytes", f.MessageBytes), bounds.Check("run", f.run))
}

// once refuses an entry that a list has twice.
func once[V comparable](list string, given []V) error {
	for i, v := range given {
		if slices.Contains(given[:i], v) {
			return bounds.Wrong(fmt.Sprintf("%s[%d]", list, i), v, "each entry once")
		}
	}
	return nil
}

// sizesOf returns the sizes of a program; 0 is its own.
func (f *file) sizesOf(program string) []count {
	if f.Sizes.of != nil {
		return orDefault(f.Sizes.of[program], 0)
	}
	return orDefault(f.Sizes.all, 0)
}
