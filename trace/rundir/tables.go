package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// readTables reads the manifest and the tables that do not grow with a trace. Errors of tables are in the
// reader, which can read further files.
func readTables(dir string) (run trace.Run, r *reader, err error) {
	if run.Manifest, err = readManifest(dir); err != nil {
		return run, nil, err
	}
	r = &reader{dir: dir, files: run.Manifest.Files}
	run.Signature = rowsOf[trace.SignatureRow](r)
	run.Classes = rowsOf[trace.ClassRow](r)
	run.Pairs = rowsOf[trace.PairRow](r)
	run.Sequences = optionalRows[trace.SequenceRow](r)
	run.Histograms = rowsOf[trace.HistogramRow](r)
	run.Clock = rowsOf[trace.ClockRow](r)
	run.Gaps = optionalRows[trace.GapRow](r)
	run.Online = optionalRows[trace.OnlineRow](r)
	run.Ports, run.Pauses, run.Flows = optionalRows[trace.PortRow](r), optionalRows[trace.PauseRow](r), optionalRows[trace.FlowRow](r)
	return run, r, nil
}

// ReadManifest reads and checks the manifest of a run directory. Without one, the directory is no run: the
// error says so, and names a run in it if there is one.
func ReadManifest(dir string) (trace.Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return m, fmt.Errorf("run directory %s: %w", dir, err)
	}
	return m, nil
}

// ReadFile returns the bytes of a file of a run directory. It returns an error unless they have the SHA-256 of
// the manifest's entry f.
func ReadFile(dir string, f trace.File) ([]byte, error) {
	r := reader{dir: dir}
	data := r.bytes(f)
	if r.err != nil {
		return nil, fmt.Errorf("run directory %s: %w", dir, r.err)
	}
	return data, nil
}

// readManifest reads the manifest of a run directory. Without one the error names a run directory within dir,
// if there is any.
func readManifest(dir string) (trace.Manifest, error) {
	data, err := inputfile.ReadText(filepath.Join(dir, trace.ManifestFile))
	if err != nil {
		return trace.Manifest{}, fmt.Errorf("%s: %w; wanted the manifest of a whole run%s", trace.ManifestFile, inputfile.Cause(err), within(dir))
	}
	return trace.DecodeManifest(data)
}

// within returns ", as in RUN" for a directory that has runs in it but is none itself, and "" otherwise. It
// ends an error.
func within(dir string) string {
	runs, err := filepath.Glob(filepath.Join(dir, "*", trace.ManifestFile))
	if err != nil || len(runs) == 0 {
		return ""
	}
	return ", as in " + filepath.Dir(runs[0])
}

// reader reads the files that a manifest lists. After the first error it does nothing.
type reader struct {
	dir   string
	files []trace.File
	err   error
}

// rowsOf reads a table that every run has. An error is kept in r: the manifest does not list the table, or its
// file is damaged.
func rowsOf[R trace.Row](r *reader) []R {
	name := fileOf[R]()
	i := slices.IndexFunc(r.files, func(f trace.File) bool { return f.Name == name })
	if i < 0 && r.err == nil {
		r.err = fmt.Errorf("%s: the manifest does not list %s", trace.ManifestFile, name)
	}
	if r.err != nil {
		return nil
	}
	f := r.files[i]
	data := r.bytes(f)
	if r.err != nil {
		return nil
	}
	rows, err := Decode[R](data)
	if err == nil && f.Rows != nil && *f.Rows != int64(len(rows)) {
		err = fmt.Errorf("%d rows, the manifest has %d", len(rows), *f.Rows)
	}
	r.err = wanted[R](name, err)
	return rows
}

// fileOf returns the name of a table's file.
func fileOf[R trace.Row]() string {
	var zero R
	return zero.TableName() + Ending
}

// optionalRows reads a table that not every run has: nil if the run does not have it, an empty list if it has
// no rows.
func optionalRows[R trace.Row](r *reader) []R {
	name := fileOf[R]()
	if !slices.ContainsFunc(r.files, func(f trace.File) bool { return f.Name == name }) {
		return nil
	}
	if rows := rowsOf[R](r); rows != nil || r.err != nil {
		return rows
	}
	return []R{}
}

// bytes reads a file and checks it against its entry in the manifest. An error says whether it is missing,
// truncated, of another length or changed.
func (r *reader) bytes(f trace.File) []byte {
	if r.err != nil {
		return nil
	}
	if r.err = inside(f); r.err != nil {
		return nil
	}
	data, err := inputfile.Read(filepath.Join(r.dir, f.Name), inputfile.Data)
	if err != nil {
		r.err = fmt.Errorf("%s: %w; the manifest lists it", f.Name, inputfile.Cause(err))
		return nil
	}
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) == f.SHA256 {
		return data
	}
	switch damage := frame(data); {
	case strings.HasSuffix(f.Name, Ending) && damage != nil:
		r.err = fmt.Errorf("%s: %w; wanted the file of %d bytes that the manifest was written with", f.Name, damage, f.Bytes)
	case int64(len(data)) != f.Bytes:
		r.err = fmt.Errorf("%s: %d bytes; wanted the file of %d bytes that the manifest was written with", f.Name, len(data), f.Bytes)
	default:
		r.err = fmt.Errorf("%s: changed since the manifest was written: its SHA-256 differs", f.Name)
	}
	return nil
}

// inside returns an error for an entry whose name leads out of the manifest's directory.
func inside(f trace.File) error {
	if !filepath.IsLocal(f.Name) {
		return fmt.Errorf("%s: file %q is not in the directory", trace.ManifestFile, f.Name)
	}
	return nil
}

// wanted adds to the error of a table's file its name and which table was wanted. It returns nil for nil.
func wanted[R trace.Row](name string, err error) error {
	if err == nil {
		return nil
	}
	var zero R
	return fmt.Errorf("%s: %w; wanted sigview's table %q, schema version up to %d",
		name, err, zero.TableName(), trace.SchemaVersion)
}
