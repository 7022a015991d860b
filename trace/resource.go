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

// places holds for each resource its name in sentences and the stages in whose path it
// is. The host processor is in none: it works before T1 and after T6.
var places = []struct {
	resource Resource
	noun     string
	stages   []Stage
}{
	{CPU, "host processor", nil},
	{MemBus, "memory bus", []Stage{Source, Dest}},
	{PCI, "I/O bus", []Stage{Source, Dest}},
	{HDMA, "host-DMA engine", []Stage{Source, Dest}},
	{SRAM, "interface's internal bus", []Stage{Source, LANai, Net, NetMinusLANai, Dest}},
	{Processor, "interface processor", []Stage{Source, LANai, Net, NetMinusLANai, Dest}},
	{Slots, "send slots", []Stage{Source}},
	{SDMA, "send engine", []Stage{LANai}},
	{Ports, "links and switch ports", []Stage{LANai, Net, NetMinusLANai}},
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
