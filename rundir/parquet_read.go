package rundir

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"github.com/sigview/sigview/trace"
)

// parquetRows reads a table of a manifest's Parquet file.
func parquetRows[R trace.Row](r *reader, f trace.File) []R {
	data := r.bytes(f)
	if r.err != nil {
		return nil
	}
	rows, err := DecodeParquet[R](data)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", f.Name, err)
	}
	return rows
}

// DecodeParquet reads a table from a Parquet file of NewParquet. It refuses other files, and
// rows that are not valid.
func DecodeParquet[R trace.Row](data []byte) (rows []R, err error) {
	defer func() { // the library does so for some damage
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("damaged: %v", p)
		}
	}()
	var zero R
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	if name, _ := f.Lookup(keyTable); name != zero.TableName() {
		return nil, fmt.Errorf("holds the table %q, wanted %q", name, zero.TableName())
	}
	cols := trace.Columns[R]()
	if err := sameColumns(f.Schema(), parquetSchema[R]()); err != nil {
		return nil, err
	}
	in := parquet.NewReader(f)
	defer in.Close()
	buf := make([]parquet.Row, 64)
	for {
		n, err := in.ReadRows(buf)
		for _, cells := range buf[:n] {
			var row R
			at := reflect.ValueOf(&row).Elem()
			for _, v := range cells {
				c := cols[v.Column()]
				if err := c.Set(at, valueOf(c.Type, v)); err != nil {
					return nil, err
				}
			}
			rows = append(rows, row)
		}
		if errors.Is(err, io.EOF) {
			return rows, trace.CheckRows(rows)
		}
		if err != nil {
			return nil, err
		}
	}
}

func sameColumns(got, want *parquet.Schema) error {
	if g, w := fmt.Sprint(got.Columns()), fmt.Sprint(want.Columns()); g != w {
		return fmt.Errorf("has the columns %s, wanted %s", g, w)
	}
	for i, f := range want.Fields() {
		if g := got.Fields()[i]; g.Type().Kind() != f.Type().Kind() || g.Optional() != f.Optional() {
			return fmt.Errorf("column %s: type %v, wanted %v", f.Name(), g, f)
		}
	}
	return nil
}

func valueOf(t trace.Type, v parquet.Value) trace.Value {
	switch {
	case v.IsNull():
		return trace.Value{Null: true}
	case t == trace.Int:
		return trace.Value{I: v.Int64()}
	case t == trace.Float:
		return trace.Value{F: v.Double()}
	case t == trace.Bool:
		return trace.Value{B: v.Boolean()}
	}
	return trace.Value{S: string(v.ByteArray())}
}
