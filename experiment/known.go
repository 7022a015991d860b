package experiment

import (
	"slices"

	"github.com/sigview/sigview/platform"
)

// Known lists the workloads, platforms and layers of this build.
func Known() Catalogue {
	var c Catalogue
	for name, w := range workloads {
		c.Workloads = append(c.Workloads, Entry{Name: name, Summary: w.summary, Detail: w.detail})
	}
	slices.SortFunc(c.Workloads, func(a, b Entry) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	for _, name := range platform.Names() {
		p, err := platform.Load(name)
		if err != nil {
			panic("experiment: built-in profile: " + err.Error())
		}
		c.Platforms = append(c.Platforms, Entry{Name: name, Summary: p.Title, Detail: p.Text()})
	}
	c.Layers = []Entry{{
		Name: "vmmc", Summary: "VMMC-2: protected deposit into remote memory, reliable in firmware",
		Detail: "Virtual memory-mapped communication, version 2: export, import, asynchronous send with\n" +
			"deposit into the receiver's memory, data inline up to 64 bytes and by DMA above,\n" +
			"packets of at most a page, data-link acknowledgement and retransmission in firmware,\n" +
			"translation cache, transfer redirection, notification.\n",
	}}
	return c
}
