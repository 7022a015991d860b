package platform

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/names"
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

// Load returns a built-in profile by name, or the one in a .toml file.
func Load(nameOrFile string) (*Profile, error) {
	if strings.HasSuffix(nameOrFile, ".toml") || strings.ContainsRune(nameOrFile, filepath.Separator) {
		text, err := os.ReadFile(nameOrFile)
		if err != nil {
			return nil, &Error{File: nameOrFile, Err: cause(err)}
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
	return Parse(nameOrFile+".toml", text)
}

// Error is a fault in a profile. Line is 0 when no line is to blame.
type Error struct {
	File string
	Line int
	Err  error
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Usage says that the profile's author can mend it.
func (e *Error) Usage() bool { return true }

// Parse reads a profile. Unknown and missing fields are errors, and so are
// values that cannot be.
func Parse(file string, text []byte) (*Profile, error) {
	p := &Profile{text: string(text), source: file}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return nil, &Error{File: file, Line: lineOf(err), Err: plain(err)}
	}
	var tree map[string]any
	if err := toml.Unmarshal(text, &tree); err != nil {
		return nil, &Error{File: file, Line: lineOf(err), Err: plain(err)}
	}
	if missing := firstMissing(reflect.TypeFor[Profile](), tree, ""); missing != "" {
		return nil, &Error{File: file, Line: lineOfField(p.text, missing), Err: fmt.Errorf("%s is missing", missing)}
	}
	if err := p.validate(); err != nil {
		return nil, &Error{File: file, Line: lineOfField(p.text, fieldIn(err)), Err: err}
	}
	return p, nil
}

// Digest identifies the profile's text.
func (p *Profile) Digest() string {
	sum := sha256.Sum256([]byte(p.text))
	return hex.EncodeToString(sum[:8])
}

func lineOf(err error) int {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		line, _ := strict.Errors[0].Position()
		return line
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		return line
	}
	return 0
}

// plain puts what a library says about a file into one line.
func plain(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		return fmt.Errorf("%s is not a field of a profile", strings.Join(strict.Errors[0].Key(), "."))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		if key := decode.Key(); len(key) > 0 {
			return fmt.Errorf("%s %s", strings.Join(key, "."), mismatch(strings.TrimPrefix(decode.Error(), "toml: ")))
		}
	}
	return errors.New(strings.TrimPrefix(err.Error(), "toml: "))
}

// mismatch says in the words of a profile what the library says of a value
// that its field cannot hold.
func mismatch(text string) string {
	const lead, middle, kind = "cannot decode TOML ", " into struct field ", " of type "
	rest, ok := strings.CutPrefix(text, lead)
	is, field, split := strings.Cut(rest, middle)
	_, wanted, typed := strings.Cut(field, kind)
	if !ok || !split || !typed {
		return text
	}
	want := map[string]string{"float64": "a number", "int": "a whole number", "uint64": "a whole number", "bool": "true or false", "string": "a text in quotes"}[wanted]
	if want == "" {
		want = "a table"
	}
	return fmt.Sprintf("is a %s, want %s", is, want)
}

// cause is an error of the file system without the file's name.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// firstMissing returns the path of the first field of t that tree lacks.
func firstMissing(t reflect.Type, tree map[string]any, path string) string {
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("toml")
		if key == "" {
			continue
		}
		full := strings.TrimPrefix(path+"."+key, ".")
		value, ok := tree[key]
		kind := f.Type
		if kind.Kind() == reflect.Pointer { // a section that may be missing as a whole
			if !ok {
				continue
			}
			kind = kind.Elem()
		}
		if !ok {
			return full
		}
		if kind.Kind() == reflect.Struct {
			sub, ok := value.(map[string]any)
			if !ok {
				return full
			}
			if missing := firstMissing(kind, sub, full); missing != "" {
				return missing
			}
		}
	}
	return ""
}

// fieldIn returns the field path that a validation error begins with.
func fieldIn(err error) string {
	path, _, _ := strings.Cut(err.Error(), " ")
	return strings.TrimSuffix(path, ":")
}

// lineOfField finds the line of a field, or of its table when it is not there.
func lineOfField(text, path string) int {
	table, key := "", path
	if i := strings.LastIndex(path, "."); i >= 0 {
		table, key = path[:i], path[i+1:]
	}
	current, header := "", 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			current = strings.Trim(line, "[] ")
			if current == table {
				header = i + 1
			}
			continue
		}
		name, _, found := strings.Cut(line, "=")
		if found && current == table && strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return header
}
