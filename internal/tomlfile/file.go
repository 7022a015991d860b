package tomlfile

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/inputfile"
)

// Error is an error in a file.
type Error = inputfile.Error

// Parse returns the table of a text. File is its name in errors.
func Parse(file string, text []byte) (table map[string]any, err error) {
	if err = toml.Unmarshal(text, &table); err != nil {
		err = SyntaxError(file, err)
	}
	return table, err
}

// SyntaxError adds the file and the line to an error of the TOML library.
func SyntaxError(file string, err error) error {
	line := 0
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		line, _ = syntax.Position()
	}
	return &Error{File: file, Line: line, Err: Plain(err)}
}

// Plain removes the name of the TOML library from an error.
func Plain(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "toml: ")) }

// At adds the file, and the line of the field that the error begins with.
func At(file, text string, err error) error {
	path, _, _ := strings.Cut(err.Error(), " ")
	return &Error{File: file, Line: lineOf(text, strings.TrimSuffix(path, ":")), Err: err}
}

// lineOf finds the line of a field, or of the table that should have it. A place in a list, as
// in "layers[2]", does not count.
func lineOf(text, path string) int {
	path, _, _ = strings.Cut(path, "[")
	table, in := "", 0
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		name, _, found := strings.Cut(line, "=")
		at := Under(table, strings.TrimSpace(name))
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] ")
			at = table
		} else if !found {
			continue
		}
		switch {
		case at == path:
			return i + 1
		case strings.HasPrefix(path, at+"."):
			in = i + 1
		}
	}
	return in
}
