package export

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// merged returns the traces of several runs as one archive, which Perfetto shows on one timeline: each run is a machine
// there, and all begin to record at the same time.
func (s Spec) merged(ctx context.Context, runs []string) ([]rundir.Part, error) {
	all := make([]trace.Manifest, len(runs))
	for i, dir := range runs {
		s.Dir = dir
		_, m, err := s.run(ctx) // which checks that there is a trace
		if err != nil {
			return nil, err
		}
		all[i] = m
	}
	return single(func(w io.Writer) error {
		archive := zip.NewWriter(w)
		from := make([]int64, len(runs))
		for i, dir := range runs {
			file, err := archive.Create(member(all[i]))
			if err != nil {
				return err
			}
			if from[i], err = writeTimeline(ctx, dir, all[i], file); err != nil {
				return err
			}
		}
		file, err := archive.Create("perfetto_manifest.json")
		if err == nil {
			err = json.NewEncoder(file).Encode(mergeOf(all, from))
		}
		if err != nil {
			return err
		}
		return archive.Close()
	}), nil
}

// member is the name of a run's trace in the archive.
func member(m trace.Manifest) string { return fmt.Sprintf("seed-%d.pftrace", m.Seed) }

// merge is what Perfetto reads of an archive of traces, version 1:
// https://perfetto.dev/docs/reference/perfetto-manifest.
type merge struct {
	Manifest struct {
		Version   int          `json:"version"`
		TraceTime clock        `json:"trace_time"`
		Files     []mergedFile `json:"files"`
	} `json:"perfetto_manifest"`
}

type clock struct {
	File  string `json:"file"`
	Clock string `json:"clock"`
}

type mergedFile struct {
	Path    string `json:"path"`
	Machine struct {
		Name string `json:"name"`
	} `json:"machine"`
	Clocks *pinned `json:"clocks,omitempty"`
}

// pinned places a file without a clock of its own.
type pinned struct {
	SyncTo   clock `json:"sync_to"`
	OffsetNs int64 `json:"offset_ns"` // by how much it is later than the other
}

// mergeOf relates traces whose time 0 is that of each run's recording plus from. That of the earliest is the time of the
// whole, so that nothing lies before it.
func mergeOf(all []trace.Manifest, from []int64) (out merge) {
	first := slices.Index(from, slices.Min(from))
	time := clock{File: member(all[first]), Clock: "BOOTTIME"}
	out.Manifest.Version, out.Manifest.TraceTime = 1, time
	for i, m := range all {
		f := mergedFile{Path: member(m)}
		f.Machine.Name = fmt.Sprintf("seed %d", m.Seed)
		if i != first {
			f.Clocks = &pinned{time, from[i] - from[first]}
		}
		out.Manifest.Files = append(out.Manifest.Files, f)
	}
	return out
}
