package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
)

// Known lists the workloads, platforms and layers of this build by their names, by which specifications are checked. Platforms and
// layers are without description: that takes reading all profiles, of which a run needs one.
func Known() Catalogue {
	c := Catalogue{Workloads: allWorkloads(), layersOf: func(name string) []string { return builtIn(name).LayerNames() }}
	for _, name := range platform.Names() {
		c.Platforms = append(c.Platforms, Entry{Name: name})
	}
	for _, name := range platform.AllLayers() {
		c.Layers = append(c.Layers, Entry{Name: name})
	}
	return c
}

// Described is Known with all descriptions. Callers must not change it.
func Described() Catalogue {
	known.Lock()
	defer known.Unlock()
	if now := [2]int{len(workloads), platform.Added()}; known.added != now {
		known.added, known.Catalogue = now, described()
	}
	return known.Catalogue
}

// known is the last catalogue, with how many workloads and layers there were.
var known struct {
	sync.Mutex
	Catalogue
	added [2]int
}

func allWorkloads() (out []Entry) {
	for name, w := range workloads {
		out = append(out, Entry{Name: name, Summary: w.summary, Detail: w.detail + phasesOf(w), Phases: w.phases})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func described() Catalogue {
	c := Catalogue{Workloads: allWorkloads()}
	var profiles []*platform.Profile
	for _, name := range platform.Names() {
		p := builtIn(name)
		c.Platforms = append(c.Platforms, Entry{Name: name, Summary: p.Title, Detail: p.Text() + programsBy(p), Layers: p.LayerNames()})
		profiles = append(profiles, p)
	}
	addLayers(&c, profiles)
	return c
}

func builtIn(name string) *platform.Profile {
	p, err := platform.Load(name)
	if err != nil {
		panic("experiment: built-in profile: " + err.Error())
	}
	return p
}

// phasesOf lists the phases of a workload.
func phasesOf(w workload) string {
	if len(w.phases) == 0 {
		return ""
	}
	return "Phases (--phases): " + strings.Join(w.phases, ", ") + ".\n"
}

// programsBy says which programs each layer of a platform runs, as a comment
// at the end of the profile.
func programsBy(p *platform.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# Programs that sigview runs on %s, by layer:\n", p.Name)
	for _, name := range p.LayerNames() {
		at, err := p.At(name)
		if err != nil {
			panic("experiment: built-in profile: " + err.Error())
		}
		fmt.Fprintf(&b, "#   %-5s %s\n", name, programsOn(at.Traits))
	}
	return b.String()
}

// programsOn says which programs a layer with these traits runs, and why not
// the others.
func programsOn(t *comm.Traits) string {
	var refusal *deposit.Refusal
	if err := deposit.Carries(t, 1); errors.As(err, &refusal) {
		return "none: " + refusal.Why
	}
	out := "all"
	switch {
	case !t.Multiprogramming:
		out += ", one at a time: the layer serves one process of a node"
	case t.Turns:
		out += ", several at a time unless one uses sockets: its server runs while another program has the CPU"
	default:
		out += ", several at a time"
	}
	if !t.Multicasts {
		out += "; --broadcast separate or tree"
	}
	return out
}

// addLayers enters every layer that a platform has, with its design there.
func addLayers(c *Catalogue, profiles []*platform.Profile) {
	for _, name := range platform.AllLayers() {
		var summary string
		var on []string
		var designs [][]property
		for _, p := range profiles {
			if !slices.Contains(p.LayerNames(), name) {
				continue
			}
			spec, err := p.LayerSpec(name)
			if err != nil {
				panic("experiment: built-in profile: " + err.Error())
			}
			t := spec.Traits()
			summary, on, designs = t.Title, append(on, p.Name), append(designs, design(t))
		}
		if len(on) > 0 {
			c.Layers = append(c.Layers, Entry{Name: name, Summary: summary, Detail: describe(name+": "+summary, on, designs)})
		}
	}
}

// describe writes the properties of a layer one a line. A property that is not
// the same on all platforms names them.
func describe(title string, platforms []string, designs [][]property) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", title)
	for i, first := range designs[0] {
		var values []string
		where := map[string][]string{}
		for k, d := range designs {
			v := d[i].value
			if where[v] == nil {
				values = append(values, v)
			}
			where[v] = append(where[v], platforms[k])
		}
		if len(values) > 1 {
			for k, v := range values {
				values[k] = fmt.Sprintf("%s (%s)", v, strings.Join(where[v], ", "))
			}
		}
		fmt.Fprintf(&b, "%-22s %s\n", first.what, strings.Join(values, "; "))
	}
	fmt.Fprintf(&b, "%-22s %s\n", "platforms", strings.Join(platforms, ", "))
	return b.String()
}

type property struct{ what, value string }

// design describes a layer in the terms of the comparison of user-level communication
// (userspace, Tables 1 and 2).
func design(t *comm.Traits) []property {
	posted, longest := "no", "no limit"
	switch {
	case t.PostFrom > 0:
		posted = fmt.Sprintf("from %d B", t.PostFrom)
	case t.Posts:
		posted = "if wanted: it saves a copy"
	}
	if t.MaxBytes > 0 {
		longest = fmt.Sprintf("%d B, the caller divides longer ones", t.MaxBytes)
	}
	out := []property{
		{"programming model", t.Model.String()},
		{"requests with replies", yes(t.Requests)},
		{"control and data", t.Control},
		{"intranode protection", yes(t.IntranodeProtection)},
		{"internode protection", yes(t.InternodeProtection)},
		{"multiprogramming", yes(t.Multiprogramming)},
		{"buffer overflow", t.Overflow},
		{"network errors", t.Errors},
		{"network management", t.Management},
		{"send data path", t.SendPath},
		{"receive data path", t.ReceivePath},
		{"protection mechanism", t.Protection},
		{"reliability", t.Reliability},
		{"notification", t.Notice},
		{"a send returns", map[bool]string{true: "when its buffer is free", false: "at once"}[t.Synchronous]},
		{"messages are received", map[bool]string{true: "yes", false: "no: deposits overwrite one another"}[t.Consumes]},
		{"read in place", yes(t.InPlace)},
		{"receives are posted", posted},
		{"shortest message", fmt.Sprintf("%d B", t.MinBytes)},
		{"longest message", longest},
		{"programs", programsOn(t)},
	}
	for i := range out {
		if out[i].value == "" {
			out[i].value = "-"
		}
	}
	return out
}

func yes(v bool) string { return map[bool]string{true: "yes", false: "no"}[v] }

// ownPrograms lists the workloads that need no file.
func ownPrograms() []string {
	return slices.DeleteFunc(Names(Known().Workloads), func(name string) bool { return name == GOAL })
}
