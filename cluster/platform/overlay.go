package platform

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/tomlfile"
)

// Overlay changes some fields of a profile. The zero value changes none.
type Overlay struct {
	Name string
	file string
	set  []map[string]any // in the order in which they apply
	err  error            // set if there is no such overlay
}

// Overlays holds the overlays of a file, by name.
type Overlays map[string]Overlay

// ParseOverlays reads a file of overlays: one table per overlay, named after
// it, with the fields that it sets. A number may be given relative to the
// profile's, as a string: "*0.8", "/50", "+0.3" or "-20". In an integer field
// the fraction of the result is dropped. The key "with" lists overlays that
// apply first.
func ParseOverlays(file string, text []byte) (Overlays, error) {
	var tables map[string]map[string]any
	if err := toml.Unmarshal(text, &tables); err != nil {
		return nil, tomlfile.SyntaxError(file, err)
	}
	out := Overlays{}
	for name, table := range tables {
		o := Overlay{Name: name, file: file}
		with, _ := table["with"].([]any)
		for _, w := range with {
			base, ok := tables[fmt.Sprint(w)]
			if _, nested := base["with"]; !ok || nested {
				return nil, &tomlfile.Error{File: file, Err: fmt.Errorf("overlay %q: with %q, want an overlay of the file without such a key", name, w)}
			}
			o.set = append(o.set, base)
		}
		own := map[string]any{}
		for k, v := range table {
			if k != "with" {
				own[k] = v
			}
		}
		o.set = append(o.set, own)
		out[name] = o
	}
	return out, nil
}

// OverlayOf returns an overlay that sets fields; those of sections are in tables of their own.
func OverlayOf(name string, set map[string]any) Overlay {
	return Overlay{Name: name, file: name, set: []map[string]any{set}}
}

// MustOverlays is ParseOverlays for a file embedded in a package.
func MustOverlays(file string, text []byte) Overlays {
	all, err := ParseOverlays(file, text)
	if err != nil {
		panic("platform: " + err.Error())
	}
	return all
}

// Of returns the overlay of a name; "" changes nothing. An unknown name makes
// With fail.
func (all Overlays) Of(name string) Overlay {
	o, known := all[name]
	if !known && name != "" {
		o.err = fmt.Errorf("no overlay %q", name)
	}
	return o
}

// Place returns the place of a layer on a platform changed by an overlay. Layer
// "" is the platform's native one; overlay "" changes nothing.
func (all Overlays) Place(platform, layer, overlay string) (Place, error) {
	p, err := Load(platform)
	if err != nil {
		return Place{}, err
	}
	if p, err = p.With(all.Of(overlay)); err != nil {
		return Place{}, err
	}
	return p.At(layer)
}

// Vary lets Load apply an overlay to a built-in profile, in the whole process. It
// is for programs that study the profiles' numbers, before they load any.
func Vary(name string, o Overlay) {
	varied[name] = func(p *Profile) (*Profile, error) { return p.With(o) }
}

// With returns a copy of the profile with the overlay's changes. The copy is
// checked like a profile; an error names the overlay and the field.
func (p *Profile) With(o Overlay) (*Profile, error) {
	if o.err != nil || len(o.set) == 0 {
		return p, o.err
	}
	out, err := p.edited(func(tree map[string]any) error {
		for _, set := range o.set {
			if err := merge(tree, set, ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, &tomlfile.Error{File: o.file, Err: fmt.Errorf("overlay %q of %s: %w", o.Name, p.Name, err)}
	}
	return out, nil
}

// edited returns a copy of the profile whose fields are changed. The copy is checked like a profile; an error names the
// field.
func (p *Profile) edited(change func(tree map[string]any) error) (*Profile, error) {
	tree, err := p.tree()
	if err != nil {
		return nil, tomlfile.Plain(err)
	}
	delete(tree, "borrow") // the sections are already in the tree
	if err := change(tree); err != nil {
		return nil, err
	}
	text, err := toml.Marshal(tree)
	if err != nil {
		return nil, err
	}
	out, err := Parse(p.source, text)
	if err != nil {
		return nil, err.(*tomlfile.Error).Err
	}
	maps.Copy(out.Borrowed, p.Borrowed)
	return out, nil
}

// merge sets the fields of a tree.
func merge(tree, set map[string]any, path string) error {
	for key, value := range set {
		full := path + key
		switch v := value.(type) {
		case map[string]any:
			sub, ok := tree[key].(map[string]any)
			if !ok {
				if tree[key] != nil {
					return fmt.Errorf("%s is set as a table, want a value", full)
				}
				sub = map[string]any{}
				tree[key] = sub
			}
			if err := merge(sub, v, full+"."); err != nil {
				return err
			}
		case string:
			changed, err := relative(tree[key], v)
			if err != nil {
				return fmt.Errorf("%s %w", full, err)
			}
			tree[key] = changed
		default:
			tree[key] = value
		}
	}
	return nil
}

// relative applies a change such as "*0.8" to a number. In a string field the
// change is the new value.
func relative(is any, change string) (any, error) {
	var base float64
	switch v := is.(type) {
	case int64:
		base = float64(v)
	case float64:
		base = v
	default:
		return change, nil
	}
	wrong := fmt.Errorf(`is %q, want a number or one after *, /, + or -`, change)
	if change == "" {
		return nil, wrong
	}
	by, err := strconv.ParseFloat(strings.TrimSpace(change[1:]), 64)
	if err != nil {
		return nil, wrong
	}
	switch change[0] {
	case '*':
		base *= by
	case '/':
		base /= by
	case '+':
		base += by
	case '-':
		base -= by
	default:
		return nil, wrong
	}
	if _, whole := is.(int64); whole {
		return int64(base), nil
	}
	return base, nil
}
