package rundir

import (
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/sigview/sigview/trace"
)

// BatchRows is the number of rows in a record batch.
const BatchRows = 1 << 16

// filePerm is the mode of files before the umask.
const filePerm = 0o644

// Encode writes a table as an Arrow IPC file, whose metadata has the labels. It returns an error for an invalid
// row, with its number, and those of w; the file is then incomplete.
func Encode[R trace.Row](w io.Writer, rows []R, labels ...trace.Label) error {
	_, err := encodeSeq(w, slices.Values(rows), labels, func() {})
	return err
}

// encodeSeq is Encode for rows that come one after another, and returns their number. It calls batch when a
// batch is filled, before its bytes are written.
func encodeSeq[R trace.Row](w io.Writer, rows iter.Seq[R], labels []trace.Label, batch func()) (n int64, err error) {
	cols := trace.Columns[R]()
	sch := schema[R](labels...)
	f, err := ipc.NewFileWriter(&sink{w: w}, ipc.WithSchema(sch))
	if err != nil {
		return 0, err
	}
	b := array.NewRecordBuilder(newRecycler(), sch)
	defer b.Release()
	flush := func() error {
		batch()
		rec := b.NewRecord()
		defer rec.Release()
		return f.Write(rec)
	}
	row := new(R)
	cells := reflect.ValueOf(row).Elem()
	for r := range rows {
		n++
		*row = r
		if err := trace.CheckRow(row); err != nil {
			return n, fmt.Errorf("%s: row %d: %w", r.TableName(), n, err)
		}
		for i, c := range cols {
			put(b.Field(i), c.Get(cells))
		}
		if n%BatchRows == 0 {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	// An empty table still gets one batch: some readers want at least one.
	if n == 0 || n%BatchRows > 0 {
		if err := flush(); err != nil {
			return n, err
		}
	}
	return n, f.Close()
}

// put appends a value to a column.
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
		panic(fmt.Sprintf("rundir: no way to put a value into a %T", b))
	}
}

// sink lets the Arrow writer write to a writer that cannot seek. n is the number of bytes written. The Arrow
// writer seeks only to find out its position.
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
