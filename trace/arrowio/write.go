package arrowio

import (
	"fmt"
	"io"
	"reflect"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/google/renameio/v2"

	"github.com/sigview/sigview/trace"
)

// batchRows is the number of rows in a record batch.
const batchRows = 1 << 16

// filePerm is the mode of files before the umask.
const filePerm = 0o644

// Encode writes a table as an Arrow IPC file. Rows are checked first; nothing
// is written when one is wrong.
func Encode[R trace.Row](w io.Writer, rows []R) error {
	if err := trace.CheckRows(rows); err != nil {
		return err
	}
	cols := trace.Columns[R]()
	sch := schema[R]()
	f, err := ipc.NewFileWriter(&sink{w: w}, ipc.WithSchema(sch))
	if err != nil {
		return err
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, sch)
	defer b.Release()
	// An empty table still gets one batch: some readers want at least one.
	for lo := 0; lo == 0 || lo < len(rows); lo += batchRows {
		for _, r := range rows[lo:min(lo+batchRows, len(rows))] {
			v := reflect.ValueOf(r)
			for i, c := range cols {
				put(b.Field(i), c.Get(v))
			}
		}
		rec := b.NewRecord()
		err := f.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return f.Close()
}

func put(b array.Builder, v trace.Value) {
	if v.Null {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.I)
	case *array.Float64Builder:
		b.Append(v.F)
	case *array.BooleanBuilder:
		b.Append(v.B)
	case *array.StringBuilder:
		b.Append(v.S)
	default:
		panic(fmt.Sprintf("arrowio: no way to put a value into a %T", b))
	}
}

// WriteFile writes one table whole or not at all, replacing a file of that
// name. The error names the file.
func WriteFile[R trace.Row](path string, rows []R) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(filePerm))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer f.Cleanup() //nolint:errcheck // after a success there is nothing to clean up
	if err := Encode(f, rows); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// sink lets the Arrow writer, which asks for its position only, write to
// something that cannot seek.
type sink struct {
	w io.Writer
	n int64
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	return n, err
}

func (s *sink) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, fmt.Errorf("seek to %d from %d in a file that is written in order", offset, whence)
	}
	return s.n, nil
}
