package rundir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// dirPerm is the mode of a run directory.
const dirPerm = 0o755

// CheckTarget returns an error for a run directory that WriteRun could not write: one that
// is not empty, one that is a file, or one in a folder that is missing or not writable.
// Call it before a long run. It removes what killed processes have left of the directory.
func CheckTarget(dir string) error {
	if dir == "" {
		return errors.New("output directory: empty, wanted a path")
	}
	dir, parent := resolved(dir)
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("output directory %s: is a file, wanted a new or empty directory", dir)
	case err == nil:
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("output directory %s: %w", dir, inputfile.Cause(err))
		}
		if len(entries) > 0 {
			return fmt.Errorf("output directory %s: already holds %s, wanted a new or empty directory", dir, entries[0].Name())
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("output directory %s: %w", dir, inputfile.Cause(err))
	}
	removeLeft(parent, dir)
	probe, err := os.MkdirTemp(parent, tempPattern(dir))
	if err != nil {
		return fmt.Errorf("output directory %s: cannot write in %s: %w", dir, parent, inputfile.Cause(err))
	}
	return os.Remove(probe)
}

// resolved returns the path of a directory, cleaned and with symbolic links resolved if it exists, and that of
// its parent.
func resolved(dir string) (_, parent string) {
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir, filepath.Dir(dir)
}

// tempPattern names the temporary directories of a target, as os.MkdirTemp wants it.
func tempPattern(dir string) string { return "." + filepath.Base(dir) + ".incomplete-*" }

// removeLeft removes the temporary directories of a target whose processes have been killed: those that it can
// lock. What cannot be removed stays.
func removeLeft(parent, dir string) {
	entries, _ := os.ReadDir(parent)
	prefix := strings.TrimSuffix(tempPattern(dir), "*")
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		left := filepath.Join(parent, e.Name())
		if release, ok := lock(left); ok {
			_ = os.RemoveAll(left)
			release()
		}
	}
}

// WriteRun writes a run directory whole or not at all: if it returns an error, nothing
// is left behind. It returns the error of a context that ends before. It fills in the
// manifest's schema version and list of files.
func WriteRun(ctx context.Context, dir string, run trace.Run) error {
	return newDir(dir, func(temp string) error { return fill(ctx, temp, run) })
}

// Part is one file of a directory that is not a run. Write writes its content.
type Part struct {
	Name  string // with slashes, if it is in a folder of the directory
	Write func(io.Writer) error
}

// WriteDir writes a directory with these files, whole or not at all. It returns an error if the directory has
// something in it, if a file cannot be written, or if ctx ends.
func WriteDir(ctx context.Context, dir string, parts []Part) error {
	return newDir(dir, func(temp string) error { return fillParts(ctx, temp, parts) })
}

// ReplaceDir is WriteDir for a directory that may exist: that one is renamed to aside.
func ReplaceDir(ctx context.Context, dir, aside string, parts []Part) error {
	removeLeft(filepath.Dir(dir), dir)
	return makeDir(dir, func(dir string) error { return os.Rename(dir, aside) }, func(temp string) error { return fillParts(ctx, temp, parts) })
}

// fillParts writes parts into a directory, until one fails or ctx ends.
func fillParts(ctx context.Context, temp string, parts []Part) error {
	w := writer{ctx: ctx, dir: temp}
	for _, p := range parts {
		w.file(p.Name, p.Write)
	}
	return w.err
}

// newDir makes a directory with what fill writes. It returns the error of CheckTarget, and that of fill.
func newDir(dir string, fill func(temp string) error) error {
	if err := CheckTarget(dir); err != nil {
		return err
	}
	return makeDir(dir, os.Remove, fill) // os.Remove removes a directory only if it is empty
}

// makeDir makes a directory whole or not at all: fill writes a temporary one beside the target, which is
// flushed to the disk and renamed. Just before, clear makes room: it removes or renames what is at the target.
func makeDir(dir string, clear, fill func(dir string) error) (err error) {
	dir, parent := resolved(dir)
	temp, err := os.MkdirTemp(parent, tempPattern(dir))
	if err != nil {
		return fmt.Errorf("output directory %s: %w", dir, inputfile.Cause(err))
	}
	if release, ok := lock(temp); ok {
		defer release()
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("output directory %s: nothing was written: %w", dir, err), os.RemoveAll(temp))
		}
	}()
	if err := fill(temp); err != nil {
		return err
	}
	if err := errors.Join(os.Chmod(temp, dirPerm), syncDirs(temp)); err != nil {
		return inputfile.Cause(err)
	}
	if err := clear(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return inputfile.Cause(err)
	}
	return inputfile.Cause(errors.Join(os.Rename(temp, dir), syncDir(parent)))
}

// fill writes the files of a run into a directory, the manifest last.
func fill(ctx context.Context, dir string, run trace.Run) error {
	if run.Spans != nil {
		if err := trace.CheckSteps(run.Spans, run.Steps); err != nil {
			return err
		}
	}
	w := writer{ctx: ctx, dir: dir, labels: run.Manifest.Labels()}
	table(&w, run.Signature)
	table(&w, run.Classes)
	table(&w, run.Pairs)
	table(&w, run.Histograms)
	table(&w, run.Clock)
	if run.Packets != nil {
		windows := trace.NewWindows(run.Manifest.Nodes, 0, run.Manifest.SimulatedNs)
		writePackets(&w, run.Packets, windows)
	}
	if run.Waits != nil {
		stream(&w, run.Actors)
		stream(&w, run.Waits)
	}
	if run.Holds != nil {
		stream(&w, run.Holds)
	}
	optional(&w, run.Gaps)
	optional(&w, run.Online)
	optional(&w, run.Ports)
	optional(&w, run.Pauses)
	optional(&w, run.Flows)
	optional(&w, run.Sequences)
	optional(&w, run.Fine)
	if run.Spans != nil {
		stream(&w, run.Spans)
		stream(&w, run.Steps)
	}
	if w.err == nil && run.Broken != nil {
		w.err = run.Broken()
	}
	for _, e := range run.Extra {
		if e.Name == "" || e.Name != filepath.Base(e.Name) || strings.HasSuffix(e.Name, Ending) || e.Name == trace.ManifestFile {
			return fmt.Errorf("extra file %q: wanted a plain name that no table has", e.Name)
		}
		w.file(e.Name, func(out io.Writer) error { _, err := out.Write(e.Data); return err })
	}
	m := run.Manifest
	m.SchemaVersion = trace.SchemaVersion
	m.Files = w.files
	// The manifest is last: without it, a directory is not a run.
	w.file(trace.ManifestFile, func(out io.Writer) error {
		data, err := m.Encode()
		if err != nil {
			return err
		}
		_, err = out.Write(data)
		return err
	})
	return w.err
}

// writer writes the files of a directory. After the first error it does nothing.
type writer struct {
	ctx    context.Context
	dir    string
	labels []trace.Label // of tables
	files  []trace.File
	err    error
}

// table writes a table.
func table[R trace.Row](w *writer, rows []R) { stream(w, slices.Values(rows)) }

// stream writes a table of rows that come one after another, and notes their number for the manifest.
func stream[R trace.Row](w *writer, rows iter.Seq[R]) {
	var n int64
	w.file(fileOf[R](), func(out io.Writer) (err error) {
		n, err = encodeSeq(out, rows, w.labels, func() {})
		return err
	})
	if w.err == nil {
		w.files[len(w.files)-1].Rows = &n
	}
}

// writePackets writes the table of packets and the index of its batches. If there are several batches, it also
// writes the table of windows, by which a view of a long trace need not read all packets.
func writePackets(w *writer, rows iter.Seq[trace.PacketRow], windows *trace.Windows) {
	x := indexer{sum: sha256.New(), windows: windows}
	var n int64
	w.file(fileOf[trace.PacketRow](), func(out io.Writer) (err error) {
		n, err = encodeSeq(io.MultiWriter(out, &x), x.seen(rows), w.labels, x.next)
		return err
	})
	if w.err == nil {
		w.files[len(w.files)-1].Rows = &n
		x.close()
		table(w, x.rows)
		if len(x.rows) > 1 {
			table(w, windows.Done().ForPackets(n).Rows())
		}
	}
}

// optional writes a table that not every run has, unless rows is nil. A table without rows is written.
func optional[R trace.Row](w *writer, rows []R) {
	if rows != nil {
		table(w, rows)
	}
}

// file writes a file and notes its length and its SHA-256 for the manifest. It makes the folder of a name with
// slashes. It does nothing after an error or when ctx has ended.
func (w *writer) file(name string, write func(io.Writer) error) {
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err != nil {
		return
	}
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(file), dirPerm)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, filePerm)
	}
	if err != nil {
		w.err = fmt.Errorf("%s: %w", name, inputfile.Cause(err))
		return
	}
	sum := sha256.New()
	var count *sink
	err = atomicfile.Fill(f, func(out io.Writer) error {
		count = &sink{w: io.MultiWriter(out, sum)}
		return write(count)
	})
	if err != nil {
		w.err = fmt.Errorf("%s: %w", name, err)
		return
	}
	w.files = append(w.files, trace.File{Name: name, Bytes: count.n, SHA256: hex.EncodeToString(sum.Sum(nil))})
}

// syncDirs flushes the names in a directory, and in those within it, to the disk.
func syncDirs(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		return syncDir(path)
	})
}

// syncDir flushes the names in a directory to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return atomicfile.Sync(d)
}

// ReadRun reads a run directory and checks all its files. Extra files are returned unchanged. Packets are
// checked but not returned, because they may not fit into memory; Scan reads them. An error names the
// directory, the file and what is wrong with it.
func ReadRun(dir string) (trace.Run, error) {
	run, err := readRun(dir)
	if err != nil {
		return trace.Run{}, fmt.Errorf("run directory %s: %w", dir, err)
	}
	return run, nil
}

// readRun is ReadRun without the directory's name in the error.
func readRun(dir string) (trace.Run, error) {
	run, r, err := readTables(dir)
	if err != nil {
		return run, err
	}
	run.Fine = optionalRows[trace.FineRow](r)
	if spans := optionalRows[trace.SpanRow](r); spans != nil {
		run.Spans, run.Steps = slices.Values(spans), slices.Values(optionalRows[trace.StepRow](r))
		if r.err == nil {
			r.err = trace.CheckSteps(run.Spans, run.Steps)
		}
	}
	for _, f := range r.files {
		if strings.HasSuffix(f.Name, Ending) {
			continue // a table of this program or of a newer one
		}
		if data := r.bytes(f); r.err == nil {
			run.Extra = append(run.Extra, trace.Extra{Name: f.Name, Data: data})
		}
	}
	if r.err != nil {
		return run, r.err
	}
	err = scan(dir, fileOf[trace.PacketRow](), everything, func([]trace.PacketRow) error { return nil })
	if errors.Is(err, ErrNoTable) {
		return run, nil
	}
	return run, err
}
