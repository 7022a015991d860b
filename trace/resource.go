package trace

import (
	"encoding/json"
	"slices"

	"github.com/sigview/sigview/internal/names"
)

// Resource names something that packets contend for.
type Resource = names.Word[resources]

// The resources, from the host outwards.
const (
	CPU       Resource = "cpu"    // the host processor as a server of remote requests
	MemBus    Resource = "membus" // the memory bus
	PCI       Resource = "pci"    // the I/O bus
	HDMA      Resource = "hdma"   // the host DMA engine
	SRAM      Resource = "sram"   // the interface's internal bus
	Processor Resource = "lanai"  // the interface processor
	Slots     Resource = "slots"  // requests that the control program takes up at once
	SDMA      Resource = "sdma"   // the engine that feeds the wire
	Ports     Resource = "ports"  // links and switch ports
)

// places holds for each resource its name in sentences, the stages in whose path it is,
// and what a run is like in which it is free. The host processor is in no stage: it works
// before T1 and after T6.
var places = []struct {
	resource Resource
	noun     string
	stages   []Stage
	free     string
}{
	{CPU, "host processor", nil, "each process and each service of remote requests has a processor of its own"},
	{MemBus, "memory bus", []Stage{Source, Dest}, "processors and DMA have its full rate at the same time"},
	{PCI, "I/O bus", []Stage{Source, Dest}, "all transfers have its full rate at the same time"},
	{HDMA, "host-DMA engine", []Stage{Source, Dest}, "any number of transfers between host memory and SRAM at once"},
	{SRAM, "interface's internal bus", []Stage{Source, LANai, Net, NetMinusLANai, Dest}, "it slows neither engines nor the interface processor"},
	{Processor, "interface processor", []Stage{Source, LANai, Net, NetMinusLANai, Dest}, "each event finds it idle"},
	{Slots, "send slots", []Stage{Source}, "requests are taken up while others are in progress"},
	{SDMA, "send engine", []Stage{LANai}, "packets of one interface are inserted at once; only together with ports"},
	{Ports, "links and switch ports", []Stage{LANai, Net, NetMinusLANai}, "packets pass one another on links and in switches"},
}

type resources struct{}

// Words lists them from the host outwards.
func (resources) Words() names.Words {
	var all []string
	for _, p := range places {
		all = append(all, string(p.resource))
	}
	return names.NewWords("resource", all...)
}

// Resources lists all resources, from the host outwards.
func Resources() (all []Resource) {
	for _, p := range places {
		all = append(all, p.resource)
	}
	return all
}

// Noun names a resource in a sentence: "host-DMA engine".
func Noun(r Resource) string {
	for _, p := range places {
		if p.resource == r {
			return p.noun
		}
	}
	return string(r)
}

// WhenFree says in what a run differs in which a resource is free.
func WhenFree(r Resource) string {
	for _, p := range places {
		if p.resource == r {
			return p.free
		}
	}
	return ""
}

// InPath returns the resources that a packet uses during a stage, without those that
// are free.
func InPath(s Stage, free []Resource) (in []Resource) {
	for _, p := range places {
		if slices.Contains(p.stages, s) && !slices.Contains(free, p.resource) {
			in = append(in, p.resource)
		}
	}
	return in
}

// Uncontended returns the resources that the run's specification gave infinite capacity,
// none for records of real interfaces.
func (m Manifest) Uncontended() []Resource {
	var spec struct {
		Uncontended []Resource `json:"uncontended"`
	}
	if json.Unmarshal(m.Spec, &spec) != nil {
		return nil
	}
	return spec.Uncontended
}
