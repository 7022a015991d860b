package analysis

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// View is a table whose rows, columns and figures are chosen. Text, Markdown, HTML, JSON
// documents, CSV files and the terminal show the same view.
type View struct {
	Title   string
	Columns []Column
	Rows    [][]Cell // a cell for each column
	Note    string   // how to read it
	// Fold moves columns that do not fit into a text below, after the first column.
	Fold bool
}

// Column is one column of a view.
type Column struct {
	Name string // heading, with the unit
	// Key is the name in JSON documents, where "a/b" is the key b of an object a, and in
	// CSV files; "" for a column that is in none.
	Key  string
	Left bool // aligned left instead of right
	// Once leaves a cell empty if it and all Once columns before it equal those of
	// the row above.
	Once bool
	Room Room
}

// Room says where a column is shown to people.
type Room uint8

// Rooms.
const (
	Always Room = iota
	Wide        // on wide displays
	Never       // in JSON documents and CSV files only, unless a display picks it
)

// Cell is one cell of a view.
type Cell struct {
	Text   string // for people
	Value  any    // in JSON documents and CSV files; nil is null
	Absent bool   // leaves the key out of the JSON object
	Level  Level  // of a deviation, for its colour
	To     string // the address to which it leads in pages; empty for none
}

// Col is a column with the function that makes its cell from a row.
type Col[T any] struct {
	Column
	Cell func(T) Cell
}

// Tabulate makes a view of rows.
func Tabulate[T any](rows []T, cols ...Col[T]) View {
	var v View
	for _, c := range cols {
		v.Columns = append(v.Columns, c.Column)
	}
	for _, r := range rows {
		line := make([]Cell, len(cols))
		for i, c := range cols {
			line[i] = c.Cell(r)
		}
		v.Rows = append(v.Rows, line)
	}
	return v
}

// Raw returns a view without rows whose columns, with these keys, are for programs only.
func Raw(keys ...string) View {
	var v View
	for _, k := range keys {
		v.Columns = append(v.Columns, Column{Key: k, Room: Never})
	}
	return v
}

// Add adds a row of values.
func (v *View) Add(values ...any) {
	row := make([]Cell, len(values))
	for i, x := range values {
		row[i].Value = x
	}
	v.Rows = append(v.Rows, row)
}

// Noted returns the view with a note on how to read it.
func (v View) Noted(note string) View {
	v.Note = note
	return v
}

// Pick returns the view with only these columns, each shown and with all its cells. A name
// is a column's key or heading; "" is the first column that has neither. A name of no column
// is a panic.
func (v View) Pick(names ...string) View {
	var at []int
	for _, name := range names {
		at = append(at, v.column(name))
	}
	out := View{Title: v.Title, Note: v.Note, Rows: make([][]Cell, len(v.Rows))}
	for _, i := range at {
		c := v.Columns[i]
		c.Room, c.Once = Always, false
		out.Columns = append(out.Columns, c)
		for n, r := range v.Rows {
			out.Rows[n] = append(out.Rows[n], r[i])
		}
	}
	return out
}

func (v View) column(name string) int {
	i := slices.IndexFunc(v.Columns, func(c Column) bool {
		return name == "" && c.Key == "" && c.Name == "" || name != "" && (c.Key == name || c.Name == name)
	})
	if i < 0 {
		panic(fmt.Sprintf("analysis: no column %q in a view", name))
	}
	return i
}

// OtherMark begins the headings of another run's columns.
const OtherMark = "+"

// Beside returns the view with the named columns of another run's view after its own, and
// the difference in µs from the first of them. match returns the row of the other view for
// each row, -1 for none.
func (v View) Beside(other View, match func(row int) int, names ...string) View {
	own := v.column(names[0])
	of := other.Pick(names...)
	out := v
	out.Columns = slices.Clone(v.Columns)
	for _, c := range of.Columns {
		c.Name = OtherMark + c.Name
		if c.Key != "" {
			c.Key = "other/" + c.Key
		}
		out.Columns = append(out.Columns, c)
	}
	out.Columns = append(out.Columns, Column{Name: OtherMark + "diff", Key: "difference_us"})
	out.Rows = nil
	for n, r := range v.Rows {
		line, diff := make([]Cell, len(names)), Cell{Text: None}
		for i := range line {
			line[i].Text = None
		}
		if at := match(n); at >= 0 {
			line = of.Rows[at]
			a, okA := line[0].Value.(float64)
			b, okB := r[own].Value.(float64)
			if okA && okB {
				diff = Cell{Text: SignedUs(trace.Some(1000 * (b - a))), Value: b - a}
			}
		}
		out.Rows = append(out.Rows, slices.Concat(r, line, []Cell{diff}))
	}
	return out
}

// Under returns the view with a first column for programs, which has the same value in each
// row.
func (v View) Under(key string, value any) View {
	out := v
	out.Columns, out.Rows = slices.Concat([]Column{{Key: key, Room: Never}}, v.Columns), nil
	for _, r := range v.Rows {
		out.Rows = append(out.Rows, slices.Concat([]Cell{{Value: value}}, r))
	}
	return out
}

// Repeated returns the view with every cell shown, also where it is as the one above.
func (v View) Repeated() View {
	v.Columns = slices.Clone(v.Columns)
	for i := range v.Columns {
		v.Columns[i].Once = false
	}
	return v
}

// In returns the column, shown only in this room.
func (c Col[T]) In(room Room) Col[T] {
	c.Room = room
	return c
}

// Shown returns the columns that people see, and their cells. Wide includes the columns
// for wide displays. Repeated cells of Once columns are empty.
func (v View) Shown(wide bool) (columns []Column, rows [][]Cell) {
	var at []int
	for i, c := range v.Columns {
		if c.Room == Always || c.Room == Wide && wide {
			at = append(at, i)
			columns = append(columns, c)
		}
	}
	for n, r := range v.Rows {
		line := make([]Cell, len(at))
		same := n > 0
		for k, i := range at {
			line[k] = r[i]
			if v.Columns[i].Once {
				if same = same && r[i].Text == v.Rows[n-1][i].Text; same {
					line[k].Text = ""
				}
			}
		}
		rows = append(rows, line)
	}
	return columns, rows
}

// CSV writes the columns that have a key, under their keys with "_" for "/". Unknown values
// are empty.
func (v View) CSV(w io.Writer) error {
	lines := make([][]string, 1+len(v.Rows))
	for i, c := range v.Columns {
		if c.Key == "" {
			continue
		}
		lines[0] = append(lines[0], strings.ReplaceAll(c.Key, "/", "_"))
		for n, r := range v.Rows {
			text := ""
			switch value := r[i].Value.(type) {
			case nil:
			case []string:
				text = strings.Join(value, "; ")
			default:
				text = fmt.Sprint(value)
			}
			if r[i].Absent {
				text = ""
			}
			lines[1+n] = append(lines[1+n], text)
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Records makes a view, for programs, of rows of a run directory's file. Its keys are the
// names of the file's columns: all of them, or those named.
func Records[R trace.Row](rows []R, names ...string) View {
	var columns []trace.Column
	for _, c := range trace.Columns[R]() {
		if c.Key = c.Name; len(names) == 0 || slices.Contains(names, c.Name) {
			columns = append(columns, c)
		}
	}
	return Tabulate(rows, tagged(columns, "", func(r R) R { return r })...)
}

// MarshalJSON writes the view as a list of objects, one for each row. The list is never
// null.
func (v View) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, r := range v.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := v.object(&b, r); err != nil {
			return nil, err
		}
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

func (v View) object(b *bytes.Buffer, row []Cell) error {
	values := json.NewEncoder(b)
	values.SetEscapeHTML(false)
	group, sep := "", "{"
	for i, c := range v.Columns {
		if c.Key == "" || row[i].Absent {
			continue
		}
		in, key, nested := strings.Cut(c.Key, "/")
		if !nested {
			in, key = "", c.Key
		}
		if in != group {
			if group != "" {
				b.WriteByte('}')
			}
			if group = in; in != "" {
				b.WriteString(sep + `"` + in + `":`)
				sep = "{"
			}
		}
		b.WriteString(sep + `"` + key + `":`)
		if err := values.Encode(row[i].Value); err != nil {
			return err
		}
		sep = ","
	}
	if sep == "{" {
		b.WriteByte('{')
	}
	if group != "" {
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return nil
}

// tagged makes columns for JSON documents from the columns of a table that have a key.
// The keys get the prefix.
func tagged[T any, R trace.Row](columns []trace.Column, prefix string, row func(T) R) []Col[T] {
	var out []Col[T]
	for _, c := range columns {
		if c.Key != "" {
			out = append(out, Col[T]{Column{Key: prefix + c.Key, Room: Never}, func(r T) Cell {
				v, ok := c.Data(reflect.ValueOf(row(r)))
				return Cell{Value: v, Absent: !ok}
			}})
		}
	}
	return out
}

// us makes a column of times in ns that are shown in µs.
func us[T any](name, key string, text func(trace.Opt[float64]) string, of func(T) trace.Opt[float64]) Col[T] {
	return Col[T]{Column{Name: name, Key: key}, func(r T) Cell { return Cell{Text: text(of(r)), Value: inUs(of(r))} }}
}

// said makes a column for JSON documents only. Its key is left out if of returns false.
func said[T any](key string, of func(T) (any, bool)) Col[T] {
	return Col[T]{Column{Key: key, Room: Never}, func(r T) Cell {
		v, ok := of(r)
		return Cell{Value: v, Absent: !ok}
	}}
}

// inUs returns a time in ns as the µs of a JSON document.
func inUs(ns trace.Opt[float64]) any {
	if !ns.OK {
		return nil
	}
	return ns.Value / 1000
}
