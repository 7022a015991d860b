// Package reference keeps named runs to compare with, with where they come from. A store is
// a folder with a directory for each name: reference.json and, in runs, a copy of a run
// directory, of a directory of several runs, or of a measurement. When a name is accepted
// again, the reference before stays as NAME~1, NAME~2 and so on, in the order of acceptance.
package reference

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// schema is the version of reference.json.
const schema = 1

// Record says where a reference comes from.
type Record struct {
	SchemaVersion  int                `json:"schema_version"`
	Name           string             `json:"name"`
	Accepted       time.Time          `json:"accepted"`
	From           string             `json:"from"` // the directory that was copied
	ToolVersion    string             `json:"tool_version"`
	Workload       string             `json:"workload"`
	Platform       string             `json:"platform"`
	PlatformDigest string             `json:"platform_digest"`
	Nodes          int                `json:"nodes"`
	Seeds          []uint64           `json:"seeds"`
	Clock          trace.ClockQuality `json:"clock"` // of the first run
}

// Store is the folder of the references.
type Store string

const (
	recordFile = "reference.json"
	runsFolder = "runs"
	mark       = "~" // before the number of an earlier reference
	unfinished = ".incomplete-"
)

// Default returns the store of the project that a directory belongs to: .sigview/references
// in the nearest folder around it that has a folder .sigview, else in that of its repository,
// else in the directory itself.
func Default(dir string) Store {
	for _, sign := range []string{".sigview", ".git"} {
		for at := dir; ; at = filepath.Dir(at) {
			if _, err := os.Stat(filepath.Join(at, sign)); err == nil {
				return Store(filepath.Join(at, ".sigview", "references"))
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return Store(filepath.Join(dir, ".sigview", "references"))
}

var plain = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// nameError is a name that a reference cannot have.
type nameError string

func (e nameError) Error() string {
	return fmt.Sprintf("reference name %q, want letters, digits, dots, dashes and underscores", string(e))
}

// Usage marks the error as a mistake in how the program was called.
func (nameError) Usage() bool { return true }

// Accept copies a directory into the store under the record's name, whole or not at all. It
// returns the name under which the reference before is kept, "" if there was none.
func (s Store) Accept(ctx context.Context, r Record, dir string) (earlier string, err error) {
	if !plain.MatchString(r.Name) {
		return "", nameError(r.Name)
	}
	r.SchemaVersion = schema
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	parts, err := rundir.Parts(dir, runsFolder)
	if err != nil {
		return "", err
	}
	parts = append(parts, rundir.Part{Name: recordFile, Write: func(w io.Writer) error {
		_, err := w.Write(trace.Seal(append(text, '\n')))
		return err
	}})
	all, err := s.List()
	if err != nil {
		return "", err
	}
	last, there := 0, false
	for _, x := range all {
		if base, n := split(x.Name); base == r.Name {
			last, there = max(last, n), there || n == 0
		}
	}
	undo, err := atomicfile.MakeDirs(string(s))
	if err != nil {
		return "", fmt.Errorf("references in %s: %w", s, err)
	}
	next := r.Name + mark + strconv.Itoa(last+1)
	if err := rundir.ReplaceDir(ctx, s.dir(r.Name), s.dir(next), parts); err != nil {
		undo()
		return "", err
	}
	if there {
		earlier = next
	}
	return earlier, nil
}

func (s Store) dir(name string) string { return filepath.Join(string(s), name) }

// split returns the name of a reference without its number, and the number, 0 of the
// present one.
func split(name string) (string, int) {
	base, number, _ := strings.Cut(name, mark)
	n, _ := strconv.Atoi(number) // 0 if there is none
	return base, n
}

// List returns the records of all references: by name, the earlier ones of a name after it.
// A reference whose record cannot be read is an error.
func (s Store) List() (out []Record, err error) {
	entries, err := os.ReadDir(string(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("references in %s: %w", s, inputfile.Cause(err))
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		r, err := s.read(e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Record) int {
		x, n := split(a.Name)
		y, m := split(b.Name)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(n, m))
	})
	return out, nil
}

func (s Store) read(name string) (r Record, err error) {
	path := filepath.Join(s.dir(name), recordFile)
	text, err := inputfile.ReadText(path)
	if err == nil {
		text, err = trace.Unseal(text)
	}
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	switch {
	case err != nil:
		return r, fmt.Errorf("reference %s: %s: %w", name, recordFile, inputfile.Cause(err))
	case r.SchemaVersion < 1 || r.SchemaVersion > schema:
		return r, fmt.Errorf("%s: schema_version %d, want 1 to %d", path, r.SchemaVersion, schema)
	}
	r.Name = name // an earlier one has been renamed
	return r, nil
}

// Find returns a reference's record and the directory of its runs. The error for an unknown
// name lists those that are known.
func (s Store) Find(name string) (Record, string, error) {
	all, err := s.List()
	if err != nil {
		return Record{}, "", err
	}
	var known []string
	for _, r := range all {
		if r.Name == name {
			return r, filepath.Join(s.dir(name), runsFolder), nil
		}
		known = append(known, r.Name)
	}
	return Record{}, "", fmt.Errorf("references in %s: %w", s, names.Check("reference", name, known))
}

// Prune removes the earlier references of each name but the last few, and what interrupted
// commands have left. It returns the names of what it has removed.
func (s Store) Prune(keep int) (removed []string, err error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	left := map[string]int{}
	for _, r := range slices.Backward(all) { // the last ones of a name first
		base, n := split(r.Name)
		if n == 0 {
			continue
		}
		if left[base]++; left[base] > keep {
			removed = append(removed, r.Name)
		}
	}
	entries, err := os.ReadDir(string(s))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("references in %s: %w", s, inputfile.Cause(err))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && strings.Contains(e.Name(), unfinished) {
			removed = append(removed, e.Name())
		}
	}
	for i, name := range removed {
		if err := os.RemoveAll(s.dir(name)); err != nil {
			return removed[:i], err
		}
	}
	return removed, nil
}
