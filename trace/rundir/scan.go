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

// ErrNoTable is the error of Scan for a table that the run does not have. Test for it with errors.Is.
var ErrNoTable = errors.New("the run has no such table")

// ReadSummary is ReadRun without the tables that grow with the length of a trace (packets, operations and their
// steps) and without the files that are not tables. Scan reads those tables batch by batch.
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

// Scan reads a table of a run directory and calls take for each batch of rows. The rows are valid until take
// returns. The file is mapped and not read into memory, so that a table may be larger than memory.
//
// It returns ErrNoTable if the run has no such table, an error of a file that is damaged or not the one of the
// manifest, and errors of take.
func Scan[R trace.Row](dir string, take func(rows []R) error) error {
	if err := scan(dir, fileOf[R](), everything, take); err != nil {
		return fmt.Errorf("run directory %s: %w", dir, err)
	}
	return nil
}

// ScanSection is Scan for the packets of a section: take gets no others. It reads and checks only the batches
// that can hold some, and the last one. Without an index, as in directories of earlier versions, it reads all.
func ScanSection(dir string, in Section, take func(rows []trace.PacketRow) error) error {
	only := func(rows []trace.PacketRow) error {
		rows = slices.DeleteFunc(rows, func(r trace.PacketRow) bool { return !in.has(&r) })
		if len(rows) == 0 {
			return nil
		}
		return take(rows)
	}
	if err := scan(dir, fileOf[trace.PacketRow](), in.Touches, only); err != nil {
		return fmt.Errorf("run directory %s: %w", dir, err)
	}
	return nil
}

// ScanBatches is Scan for those batches of a table, numbered from 0, that want asks for. It checks no digest of the
// file: Scan has to have read it before.
func ScanBatches[R trace.Row](dir string, want func(batch int) bool, take func(rows []R) error) error {
	path := filepath.Join(dir, fileOf[R]())
	err := mapping(path, func(data []byte, forget func()) error {
		var rows []R
		some := func(i int) (bool, error) { return want(i), nil }
		return someBatches[R](data, some, func(rec arrow.Record, cols []trace.Column, at []int) (err error) {
			if rows, err = decoded(rows, rec, cols, at); err != nil {
				return err
			}
			defer forget()
			return take(rows)
		})
	})
	if err != nil {
		return fmt.Errorf("run directory %s: %s: %w", dir, fileOf[R](), err)
	}
	return nil
}

// everything wants every batch.
func everything(trace.BatchRow) bool { return true }

// scan scans a table: by the index if the file has one, then only the batches that want asks for, and otherwise
// as a whole.
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

// scanFile calls take with the rows of all batches of a file. It checks the SHA-256 of the whole file first,
// and the number of rows at the end.
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

// mapping maps an Arrow file into memory, and calls f with its bytes and with forget. forget gives the memory
// of pages that have been read back to the system, which reads them again if they are needed. If somebody
// truncates the file meanwhile, reading it faults: that becomes an error, as does a panic.
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

// decoded returns the rows of a batch. It uses the memory of the given ones, which are lost. An error names the
// first row that is not valid.
func decoded[R trace.Row](rows []R, rec arrow.Record, cols []trace.Column, at []int) ([]R, error) {
	rows, err := appendRows(rows[:0], rec, cols, at)
	if err == nil {
		err = trace.CheckRows(rows)
	}
	return rows, err
}

// checkSum returns an error unless a file has the SHA-256 of the manifest. It reads the file in pieces, so that
// its length does not matter.
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
