package platform

import (
	"regexp"
	"strings"

	"github.com/sigview/sigview/internal/tomlfile"
)

// Number is a number of a profile.
type Number struct {
	Path  string // "ni.loop.test_cycles"
	Value float64
	Whole bool // a field of whole numbers
}

// Origin is where a number of a profile comes from, as the comment of its line marks it.
type Origin byte

// Origins.
const (
	IsPublished Origin = 'P'
	IsDerived   Origin = 'D' // from published ones
	IsFitted    Origin = 'C' // calibrated by one published row
	IsAssumed   Origin = 'A'
)

// Marked is a number whose line says where it comes from.
type Marked struct {
	Number
	Origin Origin
	Says   string // the rest of the comment: the source, the row or the reason
}

// numberLine is a line of a profile that gives a field, with the first mark of
// its comment.
var numberLine = regexp.MustCompile(`^([a-z0-9_]+)\s*=[^#]*#.*?\[([PDCA])\]\s*(.*)`)

// Marked returns the numbers of a profile whose lines have a mark, in the order of the file. Names and
// yes-or-no choices are not numbers.
func (p *Profile) Marked() (out []Marked, err error) {
	tree, err := p.tree()
	if err != nil {
		return nil, err
	}
	table := ""
	for line := range strings.Lines(p.text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] ")
			continue
		}
		field := numberLine.FindStringSubmatch(line)
		if field == nil {
			continue
		}
		m := Marked{Number{Path: tomlfile.Under(table, field[1])}, Origin(field[2][0]), field[3]}
		switch v := at(tree, m.Path).(type) {
		case int64:
			m.Value, m.Whole = float64(v), true
		case float64:
			m.Value = v
		default:
			continue
		}
		out = append(out, m)
	}
	return out, nil
}

// Assumed returns the numbers of a built-in profile that are marked as assumed,
// in the order of the file.
func (p *Profile) Assumed() (out []Number, err error) {
	all, err := p.Marked()
	for _, m := range all {
		if m.Origin == IsAssumed {
			out = append(out, m.Number)
		}
	}
	return out, err
}

// at returns the value of a field of nested tables.
func at(tree map[string]any, path string) any {
	table, rest, nested := strings.Cut(path, ".")
	if sub, ok := tree[table].(map[string]any); ok && nested {
		return at(sub, rest)
	}
	return tree[table]
}

// Set returns an overlay that sets numbers of a profile.
func Set(name string, numbers []Number) Overlay {
	tree := map[string]any{}
	for _, n := range numbers {
		table, path := tree, n.Path
		for {
			first, rest, nested := strings.Cut(path, ".")
			if !nested {
				break
			}
			if table[first] == nil {
				table[first] = map[string]any{}
			}
			table, path = table[first].(map[string]any), rest
		}
		table[path] = n.Value
		if n.Whole {
			table[path] = int64(n.Value)
		}
	}
	return Overlay{Name: name, file: name, set: []map[string]any{tree}}
}
