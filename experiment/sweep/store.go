package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// runsFolder holds the runs of a sweep: a directory per cell with one per seed.
const runsFolder = "runs"

// failedEnding is that of files that say why a run failed.
const failedEnding = ".failed"

// store is the directory of a sweep.
type store string

// run returns the directory of a run.
func (d store) run(c Cell, seed uint64) string {
	return rundir.SeedDir(RunsOf(string(d), c.Name), seed)
}

// RunsOf returns the directory of the runs of a combination of a sweep, by its name.
func RunsOf(dir, name string) string { return filepath.Join(dir, runsFolder, name) }

// Open makes the directory of a sweep, or checks that it is one, by this version.
func Open(p *Plan, dir string) error {
	d := store(dir)
	entries, err := os.ReadDir(string(d))
	if err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(string(d), runsFolder)); err != nil {
			return bounds.Wrong("output directory", d, "that of a sweep, or a new or empty one: it holds %s", entries[0].Name())
		}
	}
	for _, c := range p.Cells {
		for _, seed := range p.Seeds {
			if !d.finished(c, seed) {
				continue
			}
			m, err := rundir.ReadManifest(d.run(c, seed))
			if err != nil {
				return err
			}
			if m.ToolVersion != version.Tool() {
				return bounds.Wrong("output directory", d, "a new one: it has runs by sigview %s, and this is %s", m.ToolVersion, version.Tool())
			}
			return nil // all runs are by the same version
		}
	}
	if err := os.MkdirAll(filepath.Join(string(d), runsFolder), 0o755); err != nil {
		return bounds.Wrong("output directory", d, "one that can be made: %v", inputfile.Cause(err))
	}
	return nil
}

// finished reports whether a run has ended and left its directory.
func (d store) finished(c Cell, seed uint64) bool {
	_, err := os.Stat(filepath.Join(d.run(c, seed), trace.ManifestFile))
	return err == nil
}

// failure returns why a run failed, if it has.
func (d store) failure(c Cell, seed uint64) (why string, failed bool) {
	text, err := inputfile.Read(d.run(c, seed)+failedEnding, inputfile.Text)
	return strings.TrimSpace(string(text)), err == nil
}

// fail notes that a run has failed.
func (d store) fail(c Cell, seed uint64, why error) error {
	dir := d.run(c, seed)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteBytes(dir+failedEnding, []byte(why.Error()+"\n"))
}

// sweepUp removes what runs that were killed have left behind.
func (d store) sweepUp() error {
	left, err := filepath.Glob(filepath.Join(string(d), runsFolder, "*", ".*")) // temporary names begin with a dot
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

// Status says how far a sweep is.
type Status struct {
	Runs    int // of the sweep, or of the part of it
	Made    int // by this call
	Failed  int
	Missing int // neither finished nor failed
}

// Look returns how far a sweep is.
func Look(p *Plan, dir string) Status {
	d := store(dir)
	st := Status{Runs: len(p.Cells) * len(p.Seeds)}
	for _, c := range p.Cells {
		for _, seed := range p.Seeds {
			if d.finished(c, seed) {
				continue
			}
			if _, failed := d.failure(c, seed); failed {
				st.Failed++
			} else {
				st.Missing++
			}
		}
	}
	return st
}
