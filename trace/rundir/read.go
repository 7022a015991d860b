package rundir

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/sigview/sigview/trace"
)

// Decode reads a table from the bytes of an Arrow IPC file and checks it. It returns
// an error, and does not panic, on any damaged input. Its memory is proportional to
// the input.
func Decode[R trace.Row](data []byte) (rows []R, err error) {
	err = batches[R](data, func(rec arrow.Record, cols []trace.Column, at []int) error {
		if rows, err = appendRows(rows, rec, cols, at); err != nil {
			var zero R
			return fmt.Errorf("%s: %w", zero.TableName(), err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, trace.CheckRows(rows)
}

// batches checks the bytes of an Arrow IPC file and calls take for each batch, with the table's columns and the
// index of each in the batch; -1 for a nullable column that the file does not have.
func batches[R trace.Row](data []byte, take func(rec arrow.Record, cols []trace.Column, at []int) error) (err error) {
	return someBatches[R](data, func(int) (bool, error) { return true, nil }, take)
}

// someBatches is batches for those batches, numbered from 0, for which some returns true. It ends with the
// first error of some or take.
func someBatches[R trace.Row](data []byte, some func(batch int) (bool, error), take func(rec arrow.Record, cols []trace.Column, at []int) error) (err error) {
	defer damaged(&err)
	if err := frame(data); err != nil {
		return err
	}
	if err := verify(data); err != nil {
		return err
	}
	f, err := ipc.NewFileReader(bytes.NewReader(data), ipc.WithAllocator(newBounded(len(data))))
	if err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	defer f.Close()
	var zero R
	cols := trace.Columns[R]()
	at, err := match(f.Schema(), zero.TableName(), cols)
	if err != nil {
		return err
	}
	for i := range f.NumRecords() {
		if wanted, err := some(i); err != nil {
			return err
		} else if !wanted {
			continue
		}
		rec, err := f.RecordAt(i)
		if err != nil {
			return fmt.Errorf("damaged: %w", err)
		}
		if rec.NumRows() > int64(len(data))*8 {
			return fmt.Errorf("damaged: %d rows in %d bytes", rec.NumRows(), len(data))
		}
		err = take(rec, cols, at)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// damaged is deferred: it turns a panic of the function into its error. The Arrow library and verify panic on
// damaged files.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("damaged: %v", r)
	}
}

// magic is what an Arrow IPC file begins and ends with.
var magic = []byte("ARROW1")

// frame checks the first and the last bytes, and says whether a file is empty, none of Arrow or truncated. The
// library would not tell these apart.
func frame(data []byte) error {
	switch {
	case len(data) == 0:
		return errors.New("empty")
	case !bytes.HasPrefix(data, magic) && !(len(data) < len(magic) && bytes.HasPrefix(magic, data)):
		return errors.New("not an Arrow file")
	case len(data) < 3*len(magic) || !bytes.HasSuffix(data, magic):
		return errors.New("truncated: the Arrow file has no end")
	}
	return nil
}

// blockRows is how many rows are filled column by column before the next ones: their
// memory stays in the processor's cache.
const blockRows = 256

// appendRows appends the rows of a batch. An error names the row, counted from 1 in the table, and the column.
func appendRows[R trace.Row](rows []R, rec arrow.Record, cols []trace.Column, at []int) ([]R, error) {
	from := len(rows)
	rows = append(rows, make([]R, rec.NumRows())...)
	block := rows[from:]
	for lo := 0; lo < len(block); lo += blockRows {
		part := block[lo:min(lo+blockRows, len(block))]
		for j, c := range cols {
			if at[j] < 0 {
				continue // rows start out null
			}
			if i, err := fillCells(part, rec.Column(at[j]), lo, c); err != nil {
				return nil, fmt.Errorf("row %d: %w", from+lo+i+1, err)
			}
		}
	}
	return rows, nil
}

// fillCells sets one column of rows from cells first and following of an array. The types that long tables have
// are set without reflection. With an error it also returns the index of the row that cannot be set.
func fillCells[R trace.Row](rows []R, col arrow.Array, first int, c trace.Column) (int, error) {
	switch col := col.(type) {
	case *array.Int64:
		values := col.Int64Values()[first:]
		switch {
		case trace.Holds[trace.Opt[int64]](c):
			nulls := col.NullN() > 0
			for i := range rows {
				if !nulls || !col.IsNull(first+i) { // rows start out null
					*field[trace.Opt[int64]](&rows[i], c) = trace.Some(values[i])
				}
			}
			return 0, nil
		case trace.Holds[int64](c) && col.NullN() == 0:
			for i := range rows {
				*field[int64](&rows[i], c) = values[i]
			}
			return 0, nil
		}
	case *array.String:
		if trace.Holds[string](c) && col.NullN() == 0 {
			fillTexts(rows, col, first, c)
			return 0, nil
		}
	}
	for i := range rows {
		if err := c.Set(reflect.ValueOf(&rows[i]).Elem(), take(col, first+i)); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// field returns a pointer to a column's field in a row. T has to be the type of the field; see trace.Holds.
func field[T any, R trace.Row](row *R, c trace.Column) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(row), c.Offset()))
}

// fillTexts is fillCells for texts. Neighbouring rows often have the same few texts, which are then copied once
// and shared. They have to be copied, because those of the array are part of the file's buffer.
func fillTexts[R trace.Row](rows []R, col *array.String, first int, c trace.Column) {
	known := map[string]string{}
	for i := range rows {
		text, ok := known[col.Value(first+i)]
		if !ok {
			text = strings.Clone(col.Value(first + i))
			known[text] = text
		}
		*field[string](&rows[i], c) = text
	}
}

// take returns cell i of an array as a value. Texts are copied out of the file's buffer.
func take(a arrow.Array, i int) trace.Value {
	if a.IsNull(i) {
		return trace.Value{Null: true}
	}
	switch a := a.(type) {
	case *array.Int64:
		return trace.Value{I: a.Value(i)}
	case *array.Float64:
		return trace.Value{F: a.Value(i)}
	case *array.Boolean:
		return trace.Value{B: a.Value(i)}
	case *array.String:
		// The array's text is part of the file's buffer, so it is copied.
		return trace.Value{S: string([]byte(a.Value(i)))}
	}
	panic(fmt.Sprintf("rundir: no way to take a value out of a %T", a))
}

// bounded is an allocator that panics if the library asks for much more memory than the file's size. A damaged
// length would otherwise exhaust the memory.
type bounded struct {
	memory.Allocator
	left int
}

// The library copies what it reads twice and rounds up. A file of n bytes may take allocTimes*n + allocSlack
// bytes.
const (
	allocTimes = 4
	allocSlack = 1 << 16
)

// newBounded returns an allocator for a file of size bytes.
func newBounded(size int) *bounded {
	return &bounded{Allocator: memory.NewGoAllocator(), left: size*allocTimes + allocSlack}
}

// take takes size bytes off what is left.
func (b *bounded) take(size int) {
	if size < 0 || size > b.left {
		panic(fmt.Sprintf("a length of %d bytes is out of proportion", size))
	}
	b.left -= size
}

func (b *bounded) Allocate(size int) []byte {
	b.take(size)
	return b.Allocator.Allocate(size)
}

func (b *bounded) Reallocate(size int, old []byte) []byte {
	b.take(size)
	return b.Allocator.Reallocate(size, old)
}
