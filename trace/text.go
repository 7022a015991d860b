package trace

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// null is how the text twin writes a missing value. Text cells are quoted
// when they would read as one.
const null = "-"

// Dump writes the text twin of a table: a line with the table's name and
// schema version, a line of column names, then a line per row, cells separated
// by tabs. Floats are written so that Parse gives the same bits back.
func Dump[R Row](w io.Writer, rows []R) error {
	var zero R
	cols := Columns[R]()
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# sigview %s schema %d\n", zero.TableName(), SchemaVersion)
	for i, c := range cols {
		sep(b, i)
		b.WriteString(c.Name)
	}
	b.WriteByte('\n')
	for _, r := range rows {
		v := reflect.ValueOf(r)
		for i, c := range cols {
			sep(b, i)
			b.WriteString(format(c.Type, c.Get(v)))
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

func sep(b *bufio.Writer, i int) {
	if i > 0 {
		b.WriteByte('\t')
	}
}

func format(t Type, v Value) string {
	if v.Null {
		return null
	}
	switch t {
	case Int:
		return strconv.FormatInt(v.I, 10)
	case Float:
		return strconv.FormatFloat(v.F, 'g', -1, 64)
	case Bool:
		return strconv.FormatBool(v.B)
	}
	if v.S == "" || v.S == null || strconv.Quote(v.S) != `"`+v.S+`"` {
		return strconv.Quote(v.S)
	}
	return v.S
}

// Parse reads what Dump wrote and checks every row. Errors name the line, the
// column, the value and what was wanted.
func Parse[R Row](data []byte) ([]R, error) {
	var zero R
	cols := Columns[R]()
	name := zero.TableName()
	lines := bytes.Split(data, []byte("\n"))
	if len(lines) < 3 || len(lines[len(lines)-1]) != 0 {
		return nil, fmt.Errorf("%s: the text does not end with a whole line after a head of two", name)
	}
	if err := parseHead(name, string(lines[0]), string(lines[1]), cols); err != nil {
		return nil, err
	}
	lines = lines[2 : len(lines)-1]
	rows := make([]R, len(lines))
	for i, line := range lines {
		cells := strings.Split(string(line), "\t")
		if len(cells) != len(cols) {
			return nil, fmt.Errorf("%s: line %d: %d cells, wanted %d", name, i+3, len(cells), len(cols))
		}
		v := reflect.ValueOf(&rows[i]).Elem()
		for j, c := range cols {
			cell, err := c.parse(cells[j])
			if err == nil {
				err = c.Set(v, cell)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", name, i+3, err)
			}
		}
	}
	return rows, CheckRows(rows)
}

func parseHead(name, first, second string, cols []Column) error {
	rest, ok := strings.CutPrefix(first, "# sigview "+name+" schema ")
	version, err := strconv.Atoi(rest)
	if !ok || err != nil {
		return fmt.Errorf("%s: line 1 is %q, wanted \"# sigview %s schema %d\"", name, first, name, SchemaVersion)
	}
	if err := CheckVersion(version); err != nil {
		return fmt.Errorf("%s: line 1: %w", name, err)
	}
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.Name
	}
	if want := strings.Join(names, "\t"); second != want {
		return fmt.Errorf("%s: line 2 has columns %q, wanted %q", name, second, want)
	}
	return nil
}

func (c Column) parse(cell string) (v Value, err error) {
	if cell == null {
		return Value{Null: true}, nil
	}
	switch c.Type {
	case Int:
		v.I, err = strconv.ParseInt(cell, 10, 64)
	case Float:
		v.F, err = strconv.ParseFloat(cell, 64)
	case Bool:
		v.B, err = strconv.ParseBool(cell)
	default:
		v.S = cell
		if strings.HasPrefix(cell, `"`) {
			v.S, err = strconv.Unquote(cell)
		}
	}
	if err != nil {
		return v, fmt.Errorf("%s: %q is not a %s", c.Name, cell, c.Type)
	}
	return v, nil
}

// CheckVersion refuses a schema version that this program does not read.
func CheckVersion(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("schema version %d is newer than %d, the newest this program reads", version, SchemaVersion)
	case version < 1:
		return fmt.Errorf("schema version %d, wanted 1 to %d", version, SchemaVersion)
	}
	return nil
}
