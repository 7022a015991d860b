package rundir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// SweepPart is the runs of a sweep with one layer on one platform. Runs ends with the first error.
type SweepPart struct {
	trace.SweepPlace
	Runs iter.Seq2[SweepRun, error]
}

// SweepRun is a run of a sweep with its signature.
type SweepRun struct {
	Row       trace.SweepRow
	Signature []trace.SweepSignatureRow
}

// sweepTables are the folders of a sweep's tables.
var sweepTables = []string{"sweep", "signature"}

// WriteSweep writes the tables of a sweep into its directory, as Parquet files partitioned by platform and
// layer, and its manifest as the last file. Tables of an earlier time are replaced. The old manifest goes
// first, so that tables of two times are never read together. It fills in the manifest's schema version and
// list of files.
func WriteSweep(ctx context.Context, dir string, m *trace.SweepManifest, parts iter.Seq[SweepPart]) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("output directory %s: no tables were written: %w", dir, err)
		}
	}()
	removeLeft(dir, "tables")
	temp, err := os.MkdirTemp(dir, tempPattern("tables"))
	if err != nil {
		return inputfile.Cause(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	w := writer{ctx: ctx, dir: temp}
	for part := range parts {
		w.part(part, m.ToolVersion)
	}
	if w.err != nil {
		return w.err
	}
	m.SchemaVersion, m.Files = trace.SchemaVersion, w.files
	text, err := m.Encode()
	if err != nil {
		return err
	}
	w.file(trace.SweepFile, func(out io.Writer) error { _, err := out.Write(text); return err })
	if w.err == nil {
		w.err = inputfile.Cause(syncDirs(temp))
	}
	if w.err != nil {
		return w.err
	}
	if err := os.Remove(filepath.Join(dir, trace.SweepFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inputfile.Cause(err)
	}
	for _, part := range append(sweepTables, trace.SweepFile) {
		err := os.RemoveAll(filepath.Join(dir, part))
		if err == nil {
			err = os.Rename(filepath.Join(temp, part), filepath.Join(dir, part))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", part, inputfile.Cause(err))
		}
	}
	return nil
}

// part writes two files for a layer on a platform: the signatures, while runs are read, then the runs.
func (w *writer) part(part SweepPart, toolVersion string) {
	label := trace.Label{Key: "sigview.tool_version", Value: toolVersion}
	var rows []trace.SweepRow
	w.rows(sweepTables[1], part.SweepPlace, func(out io.Writer) (n int64, err error) {
		p, err := NewParquet[trace.SweepSignatureRow](out, label)
		if err != nil {
			return 0, err
		}
		for run, err := range part.Runs {
			if err != nil {
				return n, err
			}
			rows = append(rows, run.Row)
			n += int64(len(run.Signature))
			if err := p.Write(run.Signature); err != nil {
				return n, err
			}
		}
		return n, p.Close()
	})
	w.rows(sweepTables[0], part.SweepPlace, func(out io.Writer) (int64, error) {
		p, err := NewParquet[trace.SweepRow](out, label)
		if err != nil {
			return 0, err
		}
		if err := p.Write(rows); err != nil {
			return 0, err
		}
		return int64(len(rows)), p.Close()
	})
}

// rows writes the file of a table for a place, and notes for the manifest how many rows write has written.
func (w *writer) rows(table string, place trace.SweepPlace, write func(io.Writer) (int64, error)) {
	if w.err != nil {
		return
	}
	var n int64
	w.file(filepath.ToSlash(partFile(table, place)), func(out io.Writer) (err error) {
		n, err = write(out)
		return err
	})
	if w.err == nil {
		w.files[len(w.files)-1].Rows = &n
	}
}

// partFile returns the path of a table's file for a place: TABLE/platform=P/layer=L/part-0.parquet, as readers
// of partitioned tables want it. Values are escaped as in an URL.
func partFile(table string, p trace.SweepPlace) string {
	return filepath.Join(table, "platform="+url.PathEscape(p.Platform), "layer="+url.PathEscape(p.Layer), "part-0"+ParquetEnding)
}

// placeOf is the inverse of partFile. It returns an error for a path without a platform or a layer.
func placeOf(name string) (p trace.SweepPlace, err error) {
	for key, to := range map[string]*string{"platform=": &p.Platform, "layer=": &p.Layer} {
		for element := range strings.SplitSeq(name, "/") {
			if value, ok := strings.CutPrefix(element, key); ok {
				*to, err = url.PathUnescape(value)
			}
		}
		if *to == "" || err != nil {
			return p, fmt.Errorf("%s: file %q: wanted a path with %s and a value", trace.SweepFile, name, key)
		}
	}
	return p, nil
}

// IsSweep reports whether a directory is that of a sweep: it has a sweep's manifest or, while runs go on, a
// folder of runs.
func IsSweep(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, trace.SweepFile))
	_, err1 := os.Stat(filepath.Join(dir, "runs"))
	return err == nil || err1 == nil
}

// ReadSweep reads the manifest of a sweep and its runs, without their signatures. It returns an error if the
// sweep has not ended, or if a file is not the one of the manifest.
func ReadSweep(dir string) (m trace.SweepManifest, runs []trace.SweepRun, err error) {
	data, err := inputfile.ReadText(filepath.Join(dir, trace.SweepFile))
	if err == nil {
		m, err = trace.DecodeSweep(data)
	} else if err = fmt.Errorf("%s: %w", trace.SweepFile, inputfile.Cause(err)); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; the runs of the sweep have not all ended", err)
	}
	r := &reader{dir: dir, files: m.Files, err: err}
	for _, f := range m.Files {
		if !strings.HasPrefix(f.Name, sweepTables[0]+"/") {
			continue
		}
		place, err := placeOf(f.Name)
		if err != nil {
			return m, nil, fmt.Errorf("sweep %s: %w", dir, err)
		}
		for _, row := range parquetRows[trace.SweepRow](r, f) {
			runs = append(runs, trace.SweepRun{SweepPlace: place, SweepRow: row})
		}
	}
	if r.err != nil {
		return m, nil, fmt.Errorf("sweep %s: %w", dir, r.err)
	}
	return m, runs, nil
}
