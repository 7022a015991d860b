package export

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// table is a table of a directory, whatever its rows.
type table struct {
	name    string
	columns func() []trace.Column
	parquet func(ctx context.Context, w io.Writer, dir string, labels []trace.Label) error
	csv     func(ctx context.Context, w io.Writer, dir string) error
}

// source calls take with the rows of a table, batch by batch.
type source[R trace.Row] func(take func([]R) error) error

// all are the tables of a run; the index of packets' batches is of no use without its file.
var all = []table{
	tableOf[trace.SignatureRow](), tableOf[trace.ClassRow](), tableOf[trace.PairRow](), tableOf[trace.SequenceRow](),
	tableOf[trace.HistogramRow](), tableOf[trace.FineRow](), tableOf[trace.ClockRow](), tableOf[trace.PacketRow](),
	tableOf[trace.GapRow](), tableOf[trace.OnlineRow](), tableOf[trace.SpanRow](), tableOf[trace.StepRow](),
	tableOf[trace.ActorRow](), tableOf[trace.WaitRow](), tableOf[trace.HoldRow](),
	tableOf[trace.PortRow](), tableOf[trace.PauseRow](), tableOf[trace.FlowRow](),
}

// Tables returns the names of the tables that can be exported.
func Tables() (list []string) {
	for _, t := range all {
		list = append(list, t.name)
	}
	return list
}

// tableOf is a table of run directories.
func tableOf[R trace.Row]() table {
	return tableFrom(func(ctx context.Context, dir string) source[R] {
		return func(take func([]R) error) error { return scan(ctx, dir, take) }
	})
}

// tableFrom is a table whose rows come from a source.
func tableFrom[R trace.Row](from func(ctx context.Context, dir string) source[R]) table {
	var zero R
	return table{
		name: zero.TableName(), columns: trace.Columns[R],
		parquet: func(ctx context.Context, w io.Writer, dir string, labels []trace.Label) error {
			return writeParquet(w, labels, from(ctx, dir))
		},
		csv: func(ctx context.Context, w io.Writer, dir string) error { return writeCSV(w, from(ctx, dir)) },
	}
}

// tables returns the files of the tables that the run has, or of those that are asked for.
func (s Spec) tables(ctx context.Context, m trace.Manifest) ([]rundir.Part, error) {
	chosen, err := s.choose(m)
	if err == nil && len(chosen) == 0 {
		err = fmt.Errorf("tables of %s: %w", s.Dir, errNothing)
	}
	return s.parts(ctx, chosen, m.Labels()), err
}

// parts returns the files of tables, which the labels describe.
func (s Spec) parts(ctx context.Context, tables []table, labels []trace.Label) (files []rundir.Part) {
	for _, t := range tables {
		part := rundir.Part{Name: t.name + ".csv", Write: func(w io.Writer) error { return t.csv(ctx, w, s.Dir) }}
		if s.To == Parquet {
			part = rundir.Part{Name: t.name + rundir.ParquetEnding, Write: func(w io.Writer) error {
				return t.parquet(ctx, w, s.Dir, labels)
			}}
		}
		files = append(files, part)
	}
	if s.To == CSV {
		files = append(files, describe(tables, labels)...)
	}
	return files
}

func (s Spec) choose(m trace.Manifest) (chosen []table, err error) {
	for _, name := range s.Tables {
		if err := names.Check("table", name, Tables()); err != nil {
			return nil, err
		}
	}
	var has []string
	for _, t := range all {
		if !slices.ContainsFunc(m.Files, func(f trace.File) bool { return f.Name == t.name+rundir.Ending }) {
			continue
		}
		has = append(has, t.name)
		if len(s.Tables) == 0 || slices.Contains(s.Tables, t.name) {
			chosen = append(chosen, t)
		}
	}
	for _, name := range s.Tables {
		if !slices.Contains(has, name) {
			return nil, fmt.Errorf("table %s: %w, it has %v", name, errNothing, has)
		}
	}
	return chosen, nil
}

// writeParquet writes a table, with the labels in the file's metadata.
func writeParquet[R trace.Row](w io.Writer, labels []trace.Label, from source[R]) error {
	p, err := rundir.NewParquet[R](w, labels...)
	if err != nil {
		return err
	}
	if err := from(p.Write); err != nil {
		return err
	}
	return p.Close()
}

// writeCSV writes a table with a line of column names. A null is an empty field; columns of
// texts have no nulls.
func writeCSV[R trace.Row](w io.Writer, from source[R]) error {
	out := csv.NewWriter(w)
	cols := trace.Columns[R]()
	line := make([]string, len(cols))
	for i, c := range cols {
		line[i] = c.Name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	err := from(func(rows []R) error {
		for i := range rows {
			row := reflect.ValueOf(&rows[i]).Elem()
			for j, c := range cols {
				line[j] = field(c, c.Get(row))
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// field writes a value so that the same value is read.
func field(c trace.Column, v trace.Value) string {
	switch {
	case v.Null:
		return ""
	case c.Type == trace.Int:
		return strconv.FormatInt(v.I, 10)
	case c.Type == trace.Float:
		return strconv.FormatFloat(v.F, 'g', -1, 64)
	case c.Type == trace.Bool:
		return strconv.FormatBool(v.B)
	}
	return v.S
}

// describe returns files with what CSV has no place for: units and docs of columns, and of
// what run the tables are.
func describe(tables []table, about []trace.Label) []rundir.Part {
	columns := [][]string{{"table", "column", "type", "nullable", "unit", "doc"}}
	for _, t := range tables {
		for _, c := range t.columns() {
			columns = append(columns, []string{t.name, c.Name, c.Type.String(), strconv.FormatBool(c.Nullable), c.Unit, c.Doc})
		}
	}
	labels := [][]string{{"key", "value"}}
	for _, l := range about {
		labels = append(labels, []string{l.Key, l.Value})
	}
	lines := func(list [][]string) func(io.Writer) error {
		return func(w io.Writer) error { return csv.NewWriter(w).WriteAll(list) }
	}
	return []rundir.Part{{Name: "columns.csv", Write: lines(columns)}, {Name: "run.csv", Write: lines(labels)}}
}
