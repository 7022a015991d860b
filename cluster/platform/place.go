package platform

import "github.com/sigview/sigview/comm"

// Place is a layer on a platform.
type Place struct {
	*Profile
	Layer  string
	Traits *comm.Traits
}

// At returns the place of a layer on the platform; "" is the native layer.
func (p *Profile) At(layer string) (Place, error) {
	if layer == "" {
		layer = p.Layer
	}
	spec, err := p.LayerSpec(layer)
	if err != nil {
		return Place{}, err
	}
	return Place{p, layer, spec.Traits()}, nil
}

// String returns "LAYER on PLATFORM".
func (p Place) String() string { return p.Layer + " on " + p.Name }
