// Package reliability has the results of the programs that hunt for faults, one file per
// program, and the page that shows them.
package reliability

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/sigview/sigview/internal/atomicfile"
)

// Part is what one program found: a section of the page.
type Part struct {
	Title   string   `toml:"title"`
	Says    string   `toml:"says"`    // what is done and checked, in sentences; Markdown
	Command string   `toml:"command"` // makes the file again
	Date    string   `toml:"date"`    // of the run, UTC
	Commit  string   `toml:"commit"`  // that was measured
	Machine string   `toml:"machine"`
	Figures []Figure `toml:"figures"`
	Tables  []Table  `toml:"tables,omitempty"`
}

// Figure is one number, with the bounds that are wanted of it.
type Figure struct {
	Name    string   `toml:"name"`
	Value   float64  `toml:"value"`
	Unit    string   `toml:"unit,omitempty"`
	AtLeast *float64 `toml:"at_least,omitempty"`
	AtMost  *float64 `toml:"at_most,omitempty"`
	Note    string   `toml:"note,omitempty"`
}

// Table has its cells as they are shown.
type Table struct {
	Title   string     `toml:"title"`
	Columns []string   `toml:"columns"`
	Rows    [][]string `toml:"rows,multiline"`
}

// Here returns a part with the date, the commit of the working directory and the machine.
func Here(title, command string) Part {
	p := Part{Title: title, Command: command, Date: time.Now().UTC().Format(time.DateOnly), Commit: "unknown"}
	if out, err := exec.Command("git", "describe", "--always", "--exclude=*", "--dirty").Output(); err == nil {
		p.Commit = strings.TrimSpace(string(out))
	}
	p.Machine = fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	return p
}

// Bound returns a pointer to a bound, for a Figure.
func Bound(x float64) *float64 { return &x }

// Write checks a part and writes its file, whole or not. It makes the folder.
func (p Part) Write(file string) error {
	if err := p.check(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, func(w io.Writer) error { return toml.NewEncoder(w).SetIndentTables(false).Encode(p) })
}

// Parse reads the text of a file that Write wrote, or a person.
func Parse(file string, text []byte) (Part, error) {
	var p Part
	err := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields().Decode(&p)
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		row, _ := unknown.Errors[0].Position()
		return p, fmt.Errorf("%s:%d: %s is not a field of a result", file, row, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// check returns an error that names a field that is missing, or a row of another length
// than the columns.
func (p Part) check() error {
	for _, f := range []struct{ name, text string }{
		{"title", p.Title}, {"says", p.Says}, {"command", p.Command},
		{"date", p.Date}, {"commit", p.Commit}, {"machine", p.Machine},
	} {
		if strings.TrimSpace(f.text) == "" {
			return fmt.Errorf("%s is missing", f.name)
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		return fmt.Errorf("date is %q, wanted one like 2026-01-31", p.Date)
	}
	if len(p.Figures) == 0 {
		return errors.New("figures are missing")
	}
	for i, f := range p.Figures {
		if f.Name == "" {
			return fmt.Errorf("figures[%d] has no name", i)
		}
	}
	for _, t := range p.Tables {
		for i, row := range t.Rows {
			if len(row) != len(t.Columns) {
				return fmt.Errorf("table %q: row %d has %d cells for %d columns", t.Title, i, len(row), len(t.Columns))
			}
		}
	}
	return nil
}

// Met reports whether a figure keeps its bounds, and whether it has any.
func (f Figure) Met() (met, wanted bool) {
	wanted = f.AtLeast != nil || f.AtMost != nil
	return (f.AtLeast == nil || f.Value >= *f.AtLeast) && (f.AtMost == nil || f.Value <= *f.AtMost), wanted
}
