package platform

import (
	"fmt"

	"github.com/sigview/sigview/internal/bounds"
)

// combined returns the card of a platform in the host of another: all of the first but its host, and what verbs cost there.
func combined(card, in string) (*Profile, error) {
	p, err := Load(card)
	if err != nil {
		return nil, err
	}
	other, err := Load(in)
	if err != nil {
		return nil, err
	}
	for _, x := range []*Profile{p, other} {
		if x.Verbs == nil || x.Host.PCIe == nil {
			return nil, bounds.Wrong("platform", x.Name, "one with a card behind PCIe and the layer verbs, to be combined with @")
		}
	}
	host, err := other.tree()
	if err != nil {
		return nil, err
	}
	return p.edited(func(tree map[string]any) error {
		tree["name"], tree["title"] = p.Name+"@"+other.Name, fmt.Sprintf("%s; in the host of %s", p.Title, other.Name)
		tree["host"] = host["host"]
		tree["verbs"].(map[string]any)["host"] = host["verbs"].(map[string]any)["host"]
		return nil
	})
}
