// Package folder lists the runs, sets of runs, sweeps and measurements of a folder.
package folder

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Entry is a directory that can be opened.
type Entry struct {
	Dir      string
	Name     string         // in place of the directory, to be shorter
	Manifest trace.Manifest // of a run
	Verdict  string
}

// OfRun describes a run for the list.
func OfRun(dir string, m trace.Manifest) Entry {
	x := Entry{Dir: dir, Manifest: m, Verdict: "verified"}
	switch {
	case !m.Verified:
		x.Verdict = "NOT VERIFIED"
	case m.Captured():
		x.Verdict = "captured"
	}
	return x
}

// Read lists the runs, sets of runs and measurements of a folder, newest first.
func Read(dir string) ([]Entry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	made := map[string]time.Time{}
	var out []Entry
	for _, e := range entries {
		of := filepath.Join(dir, e.Name())
		x, ok := describe(of)
		if info, err := e.Info(); ok && err == nil {
			x.Name = e.Name()
			made[of] = info.ModTime()
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return made[b.Dir].Compare(made[a.Dir]) })
	return out, nil
}

// describe describes a directory that the views can open.
func describe(dir string) (x Entry, ok bool) {
	if m, err := rundir.ReadManifest(dir); err == nil {
		return OfRun(dir, m), true
	}
	x.Dir = dir
	if members, err := rundir.Members(dir); err == nil && len(members) > 0 {
		if m, err := rundir.ReadManifest(members[0]); err == nil {
			x.Manifest, x.Verdict = m, fmt.Sprintf("set of %d", len(members))
			return x, true
		}
	}
	if rundir.IsSweep(dir) {
		x.Verdict = "sweep"
		return x, true
	}
	for _, name := range bench.Documents() {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			x.Verdict = strings.TrimSuffix(name, ".json")
			return x, true
		}
	}
	return x, false
}

// Headings name the columns of a list.
var Headings = []string{"directory", "workload", "platform", "layer", "nodes", "seed", "run time", "verdict"}

// Cells are the columns of a directory.
func (x Entry) Cells() []string {
	m := x.Manifest
	out := []string{cmp.Or(x.Name, x.Dir), m.Workload, m.Platform.Name, "", "", "", "", x.Verdict}
	if m.Workload == "" {
		return out
	}
	var spec struct {
		Layer string `json:"layer"`
	}
	if json.Unmarshal(m.Spec, &spec) == nil {
		out[3] = spec.Layer
	}
	out[4], out[5] = fmt.Sprint(m.Nodes), fmt.Sprint(m.Seed)
	switch {
	case m.Captured():
		out[5] = ""
	case len(m.Seeds) > 0:
		out[5] = trace.SeedsText(m.Seeds)
	}
	out[6] = analysis.Time(float64(m.RunTimeNs()))
	return out
}
