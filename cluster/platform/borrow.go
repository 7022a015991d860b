package platform

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/tomlfile"
)

// borrow copies sections of layers from built-in platforms into the table of a
// profile. The table's section [borrow] names the platform of each layer. The
// profile's text includes the sections, marked as borrowed.
func (p *Profile) borrow(table map[string]any) error {
	wanted, ok := table["borrow"].(map[string]any)
	if _, given := table["borrow"]; given && !ok {
		return tomlfile.Mismatch("borrow", table["borrow"], "a table")
	}
	delete(table, "borrow")
	for _, layer := range slices.Sorted(maps.Keys(wanted)) {
		from, _ := wanted[layer].(string)
		field := "borrow." + layer
		if err := cmp.Or(names.Check("layer", layer, AllLayers()), names.Check("platform", from, Names())); err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		lender, err := Load(from)
		if err != nil {
			return err
		}
		sections, err := lender.tree()
		if err != nil {
			return err
		}
		section, has := sections[layer]
		switch {
		case table[layer] != nil:
			return bounds.Wrong(field, from, "a layer without a section of its own in the profile")
		case !has:
			return bounds.Wrong(field, from, "a platform with a section [%s]", layer)
		}
		text, err := toml.Marshal(map[string]any{layer: section})
		if err != nil {
			return err
		}
		table[layer] = section
		p.Borrowed[layer] = from
		p.text += fmt.Sprintf("\n# Borrowed: the section of layer %s of platform %s.\n%s", layer, from, text)
	}
	return nil
}
