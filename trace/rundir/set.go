package rundir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// SummaryFile is the document with the means of a set of runs. It stands beside the runs.
const SummaryFile = "summary.json"

// seedPrefix is what the names of runs in a set begin with; the seed follows.
const seedPrefix = "seed-"

// SeedDir returns the directory of the run with a seed in a set of runs, SET/seed-0001.
func SeedDir(set string, seed uint64) string {
	return filepath.Join(set, fmt.Sprintf("%s%04d", seedPrefix, seed))
}

// Members returns the directories of a set of runs, in the order of their seeds. A
// directory that has a manifest of its own, or none named as SeedDir does, is no set and
// has no members. It returns an error for a set whose summary was changed.
func Members(dir string) ([]string, error) {
	if _, err := os.Stat(filepath.Join(dir, trace.ManifestFile)); err == nil {
		return nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	type member struct {
		seed uint64
		dir  string
	}
	var found []member
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), seedPrefix)
		seed, err := strconv.ParseUint(number, 10, 64)
		if ok && err == nil && e.IsDir() {
			found = append(found, member{seed, filepath.Join(dir, e.Name())})
		}
	}
	if len(found) > 0 {
		if err := checkSummary(dir); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b member) int { return cmp.Compare(a.seed, b.seed) })
	var out []string
	for _, m := range found {
		out = append(out, m.dir)
	}
	return out, nil
}

// checkSummary returns an error for a summary that cannot be read or was changed. A set
// whose runs have not all ended has none.
func checkSummary(dir string) error {
	text, err := inputfile.ReadText(filepath.Join(dir, SummaryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		text, err = trace.Unseal(text)
	}
	if err == nil && !json.Valid(text) {
		err = errors.New("not a whole JSON document")
	}
	if err != nil {
		return fmt.Errorf("directory of runs %s: %s: %w; remove it, the runs are read without it", dir, SummaryFile, inputfile.Cause(err))
	}
	return nil
}

// CheckFiles reads all files of a run, or of the runs of a set, and returns an error that names the first one
// whose SHA-256 is not that of the manifest. A directory without a manifest passes.
func CheckFiles(dir string) error {
	runs, err := Members(dir)
	if err != nil {
		return err
	}
	if len(runs) == 0 {
		runs = []string{dir}
	}
	for _, run := range runs {
		m, err := ReadManifest(run)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, f := range m.Files {
			err := inside(f)
			if err == nil {
				err = checkSum(filepath.Join(run, f.Name), f)
			}
			if err != nil {
				return fmt.Errorf("run directory %s: %s: %w", run, f.Name, err)
			}
		}
	}
	return nil
}

// Parts returns all files in a directory and its folders, to be written into another directory under the folder
// other.
func Parts(dir, other string) (out []Part, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		out = append(out, Part{Name: path.Join(other, name), Write: func(w io.Writer) error {
			f, _, err := inputfile.Open(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}})
		return nil
	})
	return out, err
}
