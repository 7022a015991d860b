package platform

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/comm"
)

// Added returns how many layers have been added to platforms.
func Added() (n int) {
	for _, on := range added {
		n += len(on)
	}
	return n
}

// AddLayer adds a layer to a built-in platform, as if its profile had a section of it, so
// that specifications can name it. It is called before anything runs. The digest of the
// platform does not include the layer.
func AddLayer(name, platform string, spec comm.Spec) error {
	if slices.Contains(AllLayers(), name) && added[name] == nil {
		return fmt.Errorf("layer %s: the name is taken", name)
	}
	p, err := Load(platform)
	if err == nil {
		err = spec.Validate()
	}
	if err == nil {
		card := spec.Shape(p.NI, p.Monitor.HeaderWords)
		err = card.Validate()
	}
	if err != nil {
		return fmt.Errorf("layer %s on %s: %w", name, platform, err)
	}
	if added[name] == nil {
		added[name] = map[string]comm.Spec{}
	}
	added[name][p.Name] = spec
	return nil
}
