package rundir

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/parquet-go/parquet-go"

	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// ParquetEnding is the file name ending of Parquet files.
const ParquetEnding = ".parquet"

// groupRows is the number of rows in a row group of a Parquet file. The writer keeps one
// group in memory, compressed.
const groupRows = 1 << 17

// keyArrow is the metadata key of the table's Arrow schema, from which pyarrow takes units
// and docs of columns.
const keyArrow = "ARROW:schema"

// Parquet writes a table as a Parquet file, a group of rows at a time.
type Parquet[R trace.Row] struct {
	file  *parquet.GenericWriter[any]
	cols  []trace.Column
	cells []parquet.Value
	rows  int64 // in the group
	total int64
}

// NewParquet returns a writer of a table to w. The file's metadata has the table's name, the schema's version
// and the labels.
func NewParquet[R trace.Row](w io.Writer, labels ...trace.Label) (*Parquet[R], error) {
	sch := schema[R](labels...)
	encoded, err := arrowSchema(sch)
	if err != nil {
		return nil, err
	}
	options := []parquet.WriterOption{
		parquetSchema[R](), parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("sigview", version.Tool(), ""),
		parquet.KeyValueMetadata(keyArrow, encoded),
	}
	meta := sch.Metadata()
	for i, key := range meta.Keys() {
		options = append(options, parquet.KeyValueMetadata(key, meta.Values()[i]))
	}
	return &Parquet[R]{file: parquet.NewGenericWriter[any](w, options...), cols: trace.Columns[R]()}, nil
}

// Write writes rows. It returns an error for an invalid row, with its number in the table, and those of the
// writer below; the file is then incomplete.
func (p *Parquet[R]) Write(rows []R) error {
	for len(rows) > 0 {
		n := min(len(rows), blockRows, int(groupRows-p.rows))
		if err := p.block(rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
		if p.rows += int64(n); p.rows == groupRows {
			p.rows = 0
			if err := p.file.Flush(); err != nil {
				return err
			}
		}
		p.total += int64(n)
	}
	return nil
}

// block writes rows of one group column by column, as the library wants them. It checks all rows before it
// writes the first cell.
func (p *Parquet[R]) block(rows []R) error {
	for i := range rows {
		if err := trace.CheckRow(&rows[i]); err != nil {
			return fmt.Errorf("%s: row %d: %w", rows[i].TableName(), p.total+int64(i)+1, err)
		}
	}
	for at, w := range p.file.ColumnWriters() {
		p.cells = p.cells[:0]
		c := p.cols[at]
		for i := range rows {
			p.cells = append(p.cells, parquetCell(c, c.Get(reflect.ValueOf(&rows[i]).Elem()), at))
		}
		if _, err := w.WriteRowValues(p.cells); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the file. It does not close the writer below.
func (p *Parquet[R]) Close() error { return p.file.Close() }

// parquetCell returns a value as a cell of the column with index at. In a nullable column a value has the
// definition level 1, a null 0.
func parquetCell(c trace.Column, v trace.Value, at int) parquet.Value {
	defined := 0 // the level of definition
	if c.Nullable && !v.Null {
		defined = 1
	}
	var cell parquet.Value // null
	switch {
	case v.Null:
	case c.Type == trace.Int:
		cell = parquet.Int64Value(v.I)
	case c.Type == trace.Float:
		cell = parquet.DoubleValue(v.F)
	case c.Type == trace.Bool:
		cell = parquet.BooleanValue(v.B)
	default:
		cell = parquet.ByteArrayValue([]byte(v.S))
	}
	return cell.Level(0, defined, at)
}

// parquetSchema returns the Parquet columns of a table, in the order of its fields.
func parquetSchema[R trace.Row]() *parquet.Schema {
	var zero R
	g := ordered{Group: parquet.Group{}}
	for _, c := range trace.Columns[R]() {
		node := parquetNode(c.Type)
		if c.Nullable {
			node = parquet.Optional(node)
		}
		g.Group[c.Name] = node
		g.names = append(g.names, c.Name)
	}
	return parquet.NewSchema(zero.TableName(), g)
}

// parquetNode returns the Parquet type of a column and how its values are packed: whole numbers by their
// differences, texts by a dictionary.
func parquetNode(t trace.Type) parquet.Node {
	switch t {
	case trace.Int:
		return parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
	case trace.Float:
		return parquet.Leaf(parquet.DoubleType)
	case trace.Bool:
		return parquet.Leaf(parquet.BooleanType)
	case trace.Text:
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	panic(fmt.Sprintf("rundir: column type %d has no Parquet type", t))
}

// ordered is a group of columns in the order of names. The library's own group sorts them by name.
type ordered struct {
	parquet.Group
	names []string
}

// Fields implements parquet.Node.
func (g ordered) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.names, a.Name()) - slices.Index(g.names, b.Name())
	})
	return fields
}

// arrowSchema encodes an Arrow schema as Arrow's readers of Parquet look for it: an IPC stream without batches,
// in base64.
func arrowSchema(s *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(s)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
