package platform

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/tomlfile"
)

//go:embed profiles/*.toml
var profiles embed.FS

// Names returns the names of the built-in profiles.
func Names() []string {
	entries, err := profiles.ReadDir("profiles")
	if err != nil {
		panic("platform: " + err.Error())
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".toml"))
	}
	slices.Sort(out)
	return out
}

// Load returns a built-in profile by name, or reads one from a .toml file. CARD@HOST is the card of one in the host of another.
func Load(nameOrFile string) (*Profile, error) {
	if card, in, ok := strings.Cut(nameOrFile, "@"); ok && (strings.HasSuffix(card, ".toml") || slices.Contains(Names(), card)) {
		return combined(card, in)
	}
	if strings.HasSuffix(nameOrFile, ".toml") || strings.ContainsRune(nameOrFile, filepath.Separator) {
		text, err := inputfile.ReadText(nameOrFile)
		if err != nil {
			return nil, err
		}
		return Parse(nameOrFile, text)
	}
	if err := names.Check("platform", nameOrFile, Names()); err != nil {
		return nil, err
	}
	text, err := profiles.ReadFile("profiles/" + nameOrFile + ".toml")
	if err != nil {
		panic("platform: " + err.Error())
	}
	p, err := Parse(nameOrFile+".toml", text)
	if vary := varied[nameOrFile]; err == nil && vary != nil {
		return vary(p)
	}
	return p, err
}

// varied holds what Vary changes.
var varied = map[string]func(*Profile) (*Profile, error){}

// Places returns every layer on every built-in platform that has it.
func Places() (all []Place, err error) {
	for _, name := range Names() {
		p, err := Load(name)
		if err != nil {
			return nil, err
		}
		for _, layer := range p.LayerNames() {
			at, err := p.At(layer)
			if err != nil {
				return nil, err
			}
			all = append(all, at)
		}
	}
	return all, nil
}

// form is that of a profile.
var form = tomlfile.Form{Of: "a profile", Tag: "toml"}

// Parse reads a profile. File is its name in errors. Unknown and missing fields
// and values out of range are errors.
func Parse(file string, text []byte) (*Profile, error) {
	p := &Profile{text: string(text), source: file, Borrowed: map[string]string{}}
	table, err := tomlfile.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if err = p.borrow(table); err == nil {
		err = form.Decode("", table, p)
	}
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return nil, tomlfile.At(file, p.text, err)
	}
	return p, nil
}

// Document returns the profile's fields as a JSON document.
func (p *Profile) Document() ([]byte, error) {
	tree, err := p.tree()
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(tree, "", "  ")
	return append(text, '\n'), err
}

// tree returns the profile's fields in nested tables.
func (p *Profile) tree() (tree map[string]any, err error) {
	err = toml.Unmarshal([]byte(p.text), &tree)
	return tree, err
}

// Digest identifies the profile's text.
func (p *Profile) Digest() string {
	sum := sha256.Sum256([]byte(p.text))
	return hex.EncodeToString(sum[:8])
}
