package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/platform"
)

// Known lists the workloads, platforms and layers of this build.
func Known() Catalogue {
	var c Catalogue
	for name, w := range workloads {
		c.Workloads = append(c.Workloads, Entry{Name: name, Summary: w.summary, Detail: w.detail})
	}
	slices.SortFunc(c.Workloads, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		if err != nil {
			panic("experiment: built-in profile: " + err.Error())
		}
		c.Platforms = append(c.Platforms, Entry{Name: name, Summary: p.Title, Detail: p.Text(), Layers: p.LayerNames()})
		c.addLayers(p)
	}
	slices.SortFunc(c.Layers, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return c
}

// addLayers adds the layers of a platform that no platform before it has, and
// to the others that this one has them too.
func (c *Catalogue) addLayers(p *platform.Profile) {
	for _, name := range p.LayerNames() {
		at := slices.IndexFunc(c.Layers, func(e Entry) bool { return e.Name == name })
		if at >= 0 {
			c.Layers[at].Detail += ", " + p.Name
			continue
		}
		spec, err := p.LayerSpec(name)
		if err != nil {
			panic("experiment: built-in profile: " + err.Error())
		}
		t := spec.Traits()
		c.Layers = append(c.Layers, Entry{Name: name, Summary: t.Title, Detail: design(name, t) + "platforms               " + p.Name})
	}
}

// design writes what a layer is, one property a line, in the words of the
// comparison of user-level communication (userspace, Tables 1 and 2).
func design(name string, t *comm.Traits) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", name, t.Title)
	line := func(what, value string) {
		if value == "" {
			value = "-"
		}
		fmt.Fprintf(&b, "%-23s %s\n", what, value)
	}
	line("programming model", t.Model.String())
	line("control and data", t.Control)
	line("intranode protection", yes(t.IntranodeProtection))
	line("internode protection", yes(t.InternodeProtection))
	line("multiprogramming", yes(t.Multiprogramming))
	line("buffer overflow", t.Overflow)
	line("network errors", t.Errors)
	line("network management", t.Management)
	line("send data path", t.SendPath)
	line("receive data path", t.ReceivePath)
	line("protection mechanism", t.Protection)
	line("reliability", t.Reliability)
	line("notification", t.Notice)
	line("a send returns", map[bool]string{true: "when its buffer is free", false: "at once"}[t.Synchronous])
	line("messages are received", map[bool]string{true: "yes", false: "no: they are deposited, and overwrite one another"}[t.Consumes])
	line("read in place", yes(t.InPlace))
	if t.PostFrom > 0 {
		line("receives posted", fmt.Sprintf("from %d B", t.PostFrom))
	}
	line("shortest message", fmt.Sprintf("%d B", t.MinBytes))
	if t.MaxBytes > 0 {
		line("longest message", fmt.Sprintf("%d B, longer ones are cut by the caller", t.MaxBytes))
	} else {
		line("longest message", "no limit")
	}
	return b.String()
}

func yes(v bool) string { return map[bool]string{true: "yes", false: "no"}[v] }
