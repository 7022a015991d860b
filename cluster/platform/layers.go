package platform

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/names"
)

// layer is a section of a profile that describes a communication layer.
type layer struct {
	name string
	spec comm.Spec // nil if the profile has no such section
}

// layers lists the sections in the order of their names.
func (p *Profile) layers() []layer {
	all := []layer{
		{"amii", section(p.AMII)}, {"bip", section(p.BIP)}, {"datagram", section(p.Datagram)}, {"fm", section(p.FM)}, {"fm21", section(p.FM21)},
		{"gam", section(p.GAM)}, {"gm", section(p.GM)}, {"grim", p.grim()}, {"lfc", section(p.LFC)}, {"mpi", section(p.MPI)},
		{"pm", section(p.PM)}, {"rpc", section(p.RPC)},
		{"tcp", section(p.TCP)}, {"trapeze", section(p.Trapeze)}, {"verbs", section(p.Verbs)}, {"vmmc", section(p.VMMC)},
	}
	for _, name := range slices.Sorted(maps.Keys(added)) {
		all = append(all, layer{name, added[name][p.Name]})
	}
	return all
}

// grim returns the section of GRIM, which injects data by the platform's library.
func (p *Profile) grim() comm.Spec {
	if p.GRIM == nil {
		return nil
	}
	s := *p.GRIM
	s.Injection = p.TPIL
	return &s
}

// added holds the layers that are not sections of profiles: by name, and by platform.
var added = map[string]map[string]comm.Spec{}

// section returns a layer's section, or a nil interface if there is none.
func section[S any, P interface {
	*S
	comm.Spec
}](s P) comm.Spec {
	if s == nil {
		return nil
	}
	return s
}

// LayerNames returns the layers that the profile describes.
func (p *Profile) LayerNames() []string {
	return namesOf(slices.DeleteFunc(p.layers(), func(l layer) bool { return l.spec == nil }))
}

// AllLayers returns the names of all layers that a profile can describe.
func AllLayers() []string { return namesOf((&Profile{}).layers()) }

func namesOf(layers []layer) (out []string) {
	for _, l := range layers {
		out = append(out, l.name)
	}
	return out
}

// LayerSpec returns the section of a layer. It fails for an unknown layer and
// for a layer without a section; the error lists the possible ones.
func (p *Profile) LayerSpec(name string) (comm.Spec, error) {
	if err := names.Check("layer", name, AllLayers()); err != nil {
		return nil, err
	}
	for _, l := range p.layers() {
		if l.name == name && l.spec != nil {
			return l.spec, nil
		}
	}
	return nil, fmt.Errorf("layer %s has no section in platform %s, which has %v", name, p.Name, p.LayerNames())
}

// fits returns an error if the interface's receive buffers are too short for
// packets of VMMC-2.
func (p *Profile) fits() error {
	if v := p.VMMC; v != nil && v.PacketBytes+v.HeaderBytes+4*p.Monitor.HeaderWords > p.NI.BufferBytes {
		return fmt.Errorf("ni.buffer_bytes is %d, want at least vmmc.packet_bytes + vmmc.header_bytes + 4·monitor.header_words = %d",
			p.NI.BufferBytes, v.PacketBytes+v.HeaderBytes+4*p.Monitor.HeaderWords)
	}
	return nil
}

// stack gives MPI the section of the layer below it.
func (p *Profile) stack() error {
	if p.MPI == nil {
		return nil
	}
	below, err := p.LayerSpec(p.MPI.Over)
	switch {
	case err != nil:
		return fmt.Errorf("mpi.over is %q: %w", p.MPI.Over, err)
	case below == comm.Spec(p.MPI):
		return fmt.Errorf("mpi.over is %q, want another layer", p.MPI.Over)
	}
	p.MPI.Lower = below
	return nil
}

// validateLayers checks the sections of layers. The native layer must have one.
func (p *Profile) validateLayers() error {
	if err := p.stack(); err != nil {
		return err
	}
	for _, l := range p.layers() {
		if l.spec == nil {
			continue
		}
		if err := l.spec.Validate(); err != nil {
			return err
		}
		card := l.spec.Shape(p.NI, p.Monitor.HeaderWords)
		if err := card.Validate(); err != nil {
			return err
		}
	}
	if _, err := p.LayerSpec(p.Layer); err != nil {
		return fmt.Errorf("layer is %q: %w", p.Layer, err)
	}
	return p.fits()
}
