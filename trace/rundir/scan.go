package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/sigview/sigview/internal/inputfile"
	"github.com/sigview/sigview/trace"
)

// ErrNoTable is what Scan returns for a table that the run does not have.
var ErrNoTable = errors.New("the run has no such table")

// ReadSummary is ReadRun without the tables that grow with the length of a trace (packets,
// spans and stages) and without the files that are not tables. Scan reads those tables
// batch by batch.
func ReadSummary(dir string) (trace.Run, error) {
	run, r, err := readTables(dir)
	if err == nil {
		err = r.err
	}
	if err != nil {
		return trace.Run{}, fmt.Errorf("run directory %s: %w", dir, err)
	}
	return run, nil
}

// Scan reads a table of a run directory and calls take for each batch of rows, which take
// must not keep. The file is checked as by ReadRun, but mapped, so that a table may be
// larger than memory.
func Scan[R trace.Row](dir string, take func(rows []R) error) error {
	if err := scan(dir, fileOf[R](), everything, take); err != nil {
		return fmt.Errorf("run directory %s: %w", dir, err)
	}
	return nil
}

// ScanSection is Scan for the packets of a section. It reads and checks only the batches that
// hold some, and the last one, whose bytes include the file's footer. Without an index, as
// in directories of earlier versions, it reads all.
func ScanSection(dir string, in Section, take func(rows []trace.PacketRow) error) error {
	only := func(rows []trace.PacketRow) error {
		rows = slices.DeleteFunc(rows, func(r trace.PacketRow) bool { return !in.has(&r) })
		if len(rows) == 0 {
			return nil
		}
		return take(rows)
	}
	if err := scan(dir, fileOf[trace.PacketRow](), in.touches, only); err != nil {
		return fmt.Errorf("run directory %s: %w", dir, err)
	}
	return nil
}

func everything(trace.BatchRow) bool { return true }

// scan scans the batches that are wanted, if the file has an index, else all.
func scan[R trace.Row](dir, name string, want func(trace.BatchRow) bool, take func(rows []R) error) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	for _, f := range m.Files {
		if f.Name != name {
			continue
		}
		index, err := indexOf(dir, m.Files, name)
		switch {
		case err != nil:
		case index != nil:
			err = scanBatches(filepath.Join(dir, name), f, index, want, take)
		default:
			err = scanFile(filepath.Join(dir, name), f, take)
		}
		return wanted[R](name, err)
	}
	return fmt.Errorf("%s: %w", name, ErrNoTable)
}

func scanFile[R trace.Row](path string, f trace.File, take func(rows []R) error) error {
	return mapping(path, func(data []byte, forget func()) error {
		if err := checkSum(path, f); err != nil {
			return err
		}
		var total int64
		var rows []R
		err := batches[R](data, func(rec arrow.Record, cols []trace.Column, at []int) (err error) {
			if rows, err = decoded(rows, rec, cols, at); err != nil {
				return err
			}
			total += int64(len(rows))
			defer forget()
			return take(rows)
		})
		if err == nil && f.Rows != nil && *f.Rows != total {
			err = fmt.Errorf("%d rows, the manifest has %d", total, *f.Rows)
		}
		return err
	})
}

// mapping calls f with the bytes of an Arrow file that is mapped into memory meanwhile, and
// with what forgets the pages that have been read. A mapped file that is truncated meanwhile
// faults; that becomes an error, as does a panic.
func mapping(path string, f func(data []byte, forget func()) error) (err error) {
	data, forget, release, err := mapped(path)
	if err != nil {
		return inputfile.Cause(err)
	}
	defer release()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer damaged(&err)
	if err := frame(data); err != nil {
		return err
	}
	return f(data, forget)
}

// decoded returns the checked rows of a batch, in the memory of earlier ones.
func decoded[R trace.Row](rows []R, rec arrow.Record, cols []trace.Column, at []int) ([]R, error) {
	rows, err := appendRows(rows[:0], rec, cols, at)
	if err == nil {
		err = trace.CheckRows(rows)
	}
	return rows, err
}

// checkSum reads a file in pieces, and returns an error unless its SHA-256 is that of the
// manifest.
func checkSum(path string, want trace.File) error {
	f, _, err := inputfile.Open(path)
	if err != nil {
		return inputfile.Cause(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return inputfile.Cause(err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != want.SHA256 {
		return errChanged
	}
	return nil
}
