package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/tomlfile"
	"github.com/sigview/sigview/trace"
)

// Plan is all runs of a sweep.
type Plan struct {
	Name    string // of the file, without its ending
	Text    string // of the file
	Seeds   []uint64
	Cells   []Cell // in the order of the file's lists
	Skipped []trace.SweepSkip

	names map[string]bool    // of the cells
	built map[building]error // why a cluster cannot be built
}

// building is what decides whether a cluster can be built.
type building struct {
	workload, platform, layer string
	nodes                     int
}

// Cell is a specification that is run with each seed.
type Cell struct {
	Spec     experiment.RunSpec // with all choices made; its seed does not count
	Platform trace.Platform
	Name     string // of its directory
}

// maxRuns limits the runs of a sweep.
const maxRuns = 200_000

// Load reads the file of a sweep and plans its runs. Combinations that cannot work are
// skipped, with the reason. It is an error if none can.
func Load(name string) (*Plan, error) {
	text, err := inputfile.ReadText(name)
	if err != nil {
		return nil, err
	}
	return newPlan(name, text)
}

// newPlan plans the runs of a file's text.
func newPlan(name string, text []byte) (*Plan, error) {
	f, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Text: string(text),
		Seeds: experiment.Seeds(f.Seeds).All(), Skipped: []trace.SweepSkip{}, names: map[string]bool{}, built: map[building]error{},
	}
	if err := p.expand(&f); err != nil {
		return nil, tomlfile.At(name, p.Text, err)
	}
	return p, nil
}

// expand adds the cells of all combinations.
func (p *Plan) expand(f *file) error {
	profiles := make([]*platform.Profile, len(f.Platforms))
	for i, asked := range f.Platforms {
		var err error
		if profiles[i], err = platform.Load(asked); err != nil {
			return fmt.Errorf("platforms[%d]: %w", i, err)
		}
		same := func(q *platform.Profile) bool { return q.Name == profiles[i].Name }
		if slices.ContainsFunc(profiles[:i], same) {
			return bounds.Wrong(fmt.Sprintf("platforms[%d]", i), asked, "a profile of another name: the one before is called %s too", profiles[i].Name)
		}
	}
	for _, program := range f.Programs {
		for i, asked := range f.Platforms {
			layers := f.Layers
			if layers[0] == experiment.AllLayers {
				layers = profiles[i].LayerNames()
			}
			for _, layer := range layers {
				spec := f.run
				spec.Workload, spec.Platform, spec.Layer = program, asked, layer
				if !spec.IsPattern() {
					spec.Pattern = experiment.PatternSpec{}
				}
				if !slices.Contains(spec.Programs(), experiment.GOAL) {
					spec.Schedule = experiment.ScheduleSpec{}
				}
				p.place(f, spec, profiles[i])
			}
		}
	}
	switch {
	case len(p.Cells) == 0:
		return fmt.Errorf("programs cannot run with anything that is listed: %v", p.Skipped[0])
	case len(p.Cells)*len(p.Seeds) > maxRuns:
		return bounds.Wrong("seeds", len(p.Seeds), "at most %d runs in all: there are %d combinations", maxRuns, len(p.Cells))
	}
	return nil
}

// place adds the cells of a program on a layer of a platform.
func (p *Plan) place(f *file, spec experiment.RunSpec, on *platform.Profile) {
	messages := f.MessageBytes
	if !spec.IsPattern() {
		messages = []count{0}
	}
	for _, nodes := range f.Nodes {
		for _, size := range f.sizesOf(spec.Workload) {
			for _, bytes := range messages {
				for _, resources := range f.Uncontended {
					one := spec
					one.Nodes, one.Size, one.Pattern.Bytes = nodes, int64(size), int(bytes)
					one.Uncontended = resources
					p.add(one, on)
				}
			}
		}
	}
}

// add adds a cell, or skips it.
func (p *Plan) add(spec experiment.RunSpec, on *platform.Profile) {
	spec.Seed = 0
	resolved, _, err := spec.Resolved()
	if err == nil {
		b := building{resolved.Workload, resolved.Platform, resolved.Layer, resolved.Nodes}
		if _, tried := p.built[b]; !tried {
			p.built[b] = resolved.Builds()
		}
		err = p.built[b]
	}
	if err != nil {
		p.skip(resolved, on.Name, err.Error())
		return
	}
	c := Cell{Spec: resolved, Platform: trace.Platform{Name: on.Name, Digest: on.Digest()}}
	c.Name = c.name()
	if p.names[c.Name] {
		p.skip(resolved, on.Name, "it is in the sweep already")
		return
	}
	p.names[c.Name] = true
	p.Cells = append(p.Cells, c)
}

// skip skips a combination. Neighbours that are skipped for the same reason go together.
func (p *Plan) skip(spec experiment.RunSpec, on, reason string) {
	if n := len(p.Skipped); n == 0 || p.Skipped[n-1].Reason != reason {
		p.Skipped = append(p.Skipped, trace.SweepSkip{Reason: reason})
	}
	last := &p.Skipped[len(p.Skipped)-1]
	last.Combinations = append(last.Combinations, title(spec, on))
}

// Title names the cell in words.
func (c Cell) Title() string { return title(c.Spec, c.Platform.Name) }

func title(s experiment.RunSpec, on string) string {
	parts := []string{s.Workload + " on " + on}
	if s.Layer != "" {
		parts = append(parts, s.Layer)
	}
	if s.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("%d nodes", s.Nodes))
	}
	if s.Size > 0 {
		parts = append(parts, fmt.Sprintf("size %d", s.Size))
	}
	if s.Pattern.Bytes > 0 {
		parts = append(parts, fmt.Sprintf("messages of %d B", s.Pattern.Bytes))
	}
	if len(s.Uncontended) > 0 {
		parts = append(parts, joined(s.Uncontended)+" free")
	}
	return strings.Join(parts, ", ")
}

func joined(list []experiment.Resource) string {
	var out []string
	for _, r := range list {
		out = append(out, r.String())
	}
	return strings.Join(out, ",")
}

// name makes a name of the words that people look for, and a digest of all that determines
// a run beside the program and the seed.
func (c Cell) name() string {
	spec := c.Spec
	spec.Platform = "" // the digest tells
	text, err := json.Marshal(struct {
		Schema   int
		Platform string
		Spec     experiment.RunSpec
	}{trace.SchemaVersion, c.Platform.Digest, spec})
	if err != nil {
		panic("sweep: specification: " + err.Error())
	}
	sum := sha256.Sum256(text)
	words := []string{c.Spec.Workload, c.Platform.Name, c.Spec.Layer, strconv.Itoa(c.Spec.Nodes), hex.EncodeToString(sum[:6])}
	return unsafe.ReplaceAllString(strings.Join(words, "-"), "_")
}

// unsafe are the characters that a name of a directory does not have.
var unsafe = regexp.MustCompile(`[^\pL\p{Nd}._+-]`)

// item is one run of a plan.
type item struct {
	Cell
	seed uint64
}

func (r item) title() string { return fmt.Sprintf("%s, seed %d", r.Title(), r.seed) }

// items returns the runs of a plan in the order in which they begin. Seeds come one after
// another, and cells of the same seed as their names' digests fall: long and short runs mix,
// so that the time left can be told, and parts take equally long.
func (p *Plan) items() []item {
	cells := slices.Clone(p.Cells)
	digest := func(c Cell) string { return c.Name[strings.LastIndexByte(c.Name, '-')+1:] }
	slices.SortFunc(cells, func(a, b Cell) int { return cmp.Or(cmp.Compare(digest(a), digest(b)), cmp.Compare(a.Name, b.Name)) })
	var out []item
	for _, seed := range p.Seeds {
		for _, c := range cells {
			out = append(out, item{c, seed})
		}
	}
	return out
}

// part returns the runs of a part.
func (p *Plan) part(part Part) []item {
	var out []item
	for i, r := range p.items() {
		if part.Has(i) {
			out = append(out, r)
		}
	}
	return out
}

// Part is one of N parts of a sweep's runs, counted from 0. The zero Part is the whole.
type Part struct{ I, N int }

// Has reports whether the part has the i-th run.
func (p Part) Has(i int) bool { return p.N == 0 || i%p.N == p.I }
