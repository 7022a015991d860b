package platform

import (
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

// Load returns a built-in profile by name, or reads one from a .toml file.
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
	p, err := Parse(nameOrFile+".toml", text)
	if err != nil {
		return nil, err
	}
	return p.With(varied[nameOrFile])
}

// varied holds the overlays of Vary.
var varied = map[string]Overlay{}

// Vary lets Load apply an overlay to a built-in profile, in the whole process. It
// is for programs that study the profiles' numbers, before they load any.
func Vary(name string, o Overlay) { varied[name] = o }

// Error is an error in a profile. Line is 0 if it has none.
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

// Usage reports that the error is bad input.
func (e *Error) Usage() bool { return true }

// Parse reads a profile. File is its name in errors. Unknown and missing fields
// and values out of range are errors.
func Parse(file string, text []byte) (*Profile, error) {
	p := &Profile{text: string(text), source: file, Borrowed: map[string]string{}}
	var table map[string]any
	if err := toml.Unmarshal(text, &table); err != nil {
		return nil, &Error{File: file, Line: lineOf(err), Err: plain(err)}
	}
	err := p.borrow(table)
	if err == nil {
		err = decode("", table, reflect.ValueOf(p).Elem())
	}
	if err == nil {
		err = p.validate()
	}
	if err != nil {
		return nil, &Error{File: file, Line: lineOfField(p.text, fieldIn(err)), Err: err}
	}
	return p, nil
}

// Digest identifies the profile's text.
func (p *Profile) Digest() string {
	sum := sha256.Sum256([]byte(p.text))
	return hex.EncodeToString(sum[:8])
}

// plain removes the name of the TOML library from a syntax error.
func plain(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "toml: ")) }

// lineOf returns the line of a syntax error.
func lineOf(err error) int {
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, _ := syntax.Position()
		return line
	}
	return 0
}

// cause removes the file name from an error of the file system.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// fieldIn returns the field path that a validation error begins with.
func fieldIn(err error) string {
	path, _, _ := strings.Cut(err.Error(), " ")
	return strings.TrimSuffix(path, ":")
}

// lineOfField finds the line of a field, or of its table if the field is
// missing.
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
