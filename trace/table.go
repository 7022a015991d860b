package trace

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// SchemaVersion is the version of every table and of the manifest. A reader rejects a
// newer one. It increases when a column changes its meaning or is removed. A nullable
// column may be added without a new version: readers ignore columns that they do not
// know and read a missing nullable column as null.
const SchemaVersion = 1

// Row is one row of a table: a plain struct. A field's tag `col` is the name of its
// column, `unit` the unit, `doc` the meaning, and `key` the name in JSON documents (see
// Column.Data). Embedded structs add their columns in place. A struct field with a `col`
// tag adds its columns with that name and an underscore before theirs, and likewise in
// keys. Fields are Tag, int, int64, float64, bool, string, Stage (its name), or Opt of
// int64, float64 or bool.
type Row interface {
	// TableName is the name of the file, without its ending.
	TableName() string
}

// Type is the type of a column.
type Type uint8

// Column types.
const (
	Int Type = iota
	Float
	Bool
	Text
)

func (t Type) String() string { return [...]string{"int64", "float64", "bool", "utf8"}[t] }

// Column describes one column of a table.
type Column struct {
	Name     string
	Unit     string // "" for counts and names
	Doc      string
	Type     Type
	Nullable bool
	Key      string // in JSON documents; "" when it is in none
	option   string // of the key: omit, or the word that a true value stands for
	index    []int
	field    reflect.Type
	offset   uintptr // of the field in the row
}

// Holds reports whether the column's field is of type T.
func Holds[T any](c Column) bool { return c.field == reflect.TypeFor[T]() }

// Offset returns where in the row's memory the field is.
func (c Column) Offset() uintptr { return c.offset }

// Value is one cell: the field of the column's type is set.
type Value struct {
	Null bool
	I    int64
	F    float64
	B    bool
	S    string
}

// Columns lists the columns of a row type in file order. It panics on a field of a
// type that no column can hold.
func Columns[R Row]() []Column {
	t := reflect.TypeFor[R]()
	cols := columnsOf(t, place{})
	seen := make(map[string]bool, len(cols))
	for _, c := range cols {
		if seen[c.Name] {
			panic(fmt.Sprintf("trace: %s has two columns %q", t, c.Name))
		}
		seen[c.Name] = true
	}
	return cols
}

// place is where in a row a struct lies, and what the names of its columns and keys begin
// with.
type place struct {
	index           []int
	offset          uintptr
	prefix, keyPart string
}

func columnsOf(t reflect.Type, in place) []Column {
	var cols []Column
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), in.index...), i)
		offset := in.offset + f.Offset
		name := f.Tag.Get("col")
		switch {
		case f.Anonymous:
			cols = append(cols, columnsOf(f.Type, place{at, offset, in.prefix, in.keyPart})...)
			continue
		case name == "":
			panic(fmt.Sprintf("trace: field %s.%s has no column name", t, f.Name))
		}
		key, option, _ := strings.Cut(f.Tag.Get("key"), ",")
		if key != "" {
			key = in.keyPart + key
		}
		typ, nullable, ok := columnType(f.Type)
		if !ok {
			if f.Type.Kind() != reflect.Struct {
				panic(fmt.Sprintf("trace: field %s.%s has type %s, which no column holds", t, f.Name, f.Type))
			}
			cols = append(cols, columnsOf(f.Type, place{at, offset, in.prefix + name + "_", key + "_"})...)
			continue
		}
		cols = append(cols, Column{
			Name: in.prefix + name, Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"),
			Type: typ, Nullable: nullable, Key: key, option: option, index: at, field: f.Type, offset: offset,
		})
	}
	return cols
}

func columnType(t reflect.Type) (typ Type, nullable, ok bool) {
	switch t {
	case reflect.TypeFor[Opt[int64]]():
		return Int, true, true
	case reflect.TypeFor[Opt[float64]]():
		return Float, true, true
	case reflect.TypeFor[Opt[bool]]():
		return Bool, true, true
	case reflect.TypeFor[Stage]():
		return Text, false, true
	case reflect.TypeFor[Tag]():
		return Int, false, true
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return Int, false, true
	case reflect.Float64:
		return Float, false, true
	case reflect.Bool:
		return Bool, false, true
	case reflect.String:
		return Text, false, true
	}
	return 0, false, false
}

// Get returns the column's cell of a row, given as reflect.ValueOf(row).
func (c Column) Get(row reflect.Value) Value {
	f := row.FieldByIndex(c.index)
	if c.Nullable {
		if !f.Field(1).Bool() {
			return Value{Null: true}
		}
		f = f.Field(0)
	}
	switch c.Type {
	case Int:
		if f.Kind() == reflect.Uint8 {
			return Value{I: int64(f.Uint())}
		}
		return Value{I: f.Int()}
	case Float:
		return Value{F: f.Float()}
	case Bool:
		return Value{B: f.Bool()}
	default:
		if f.Kind() == reflect.Uint8 {
			return Value{S: Stage(f.Uint()).String()}
		}
		return Value{S: f.String()}
	}
}

// Data returns the column's cell of a row as a JSON value: nil for a null, times in the
// unit at the end of the key. It returns false to omit the key: with the option "omit" if
// the cell is empty, with a word as the option if the cell is false. The word replaces
// true.
func (c Column) Data(row reflect.Value) (any, bool) {
	v := c.Get(row)
	switch {
	case v.Null:
		return nil, c.option == ""
	case c.Type == Text:
		return v.S, c.option == "" || v.S != ""
	case c.Type == Bool && c.option != "" && c.option != "omit":
		return c.option, v.B
	case c.Type == Bool:
		return v.B, c.option == "" || v.B
	case c.Unit == "ns" && strings.HasSuffix(c.Key, "us") && c.Type == Int:
		return float64(v.I) / 1000, true
	case c.Unit == "ns" && strings.HasSuffix(c.Key, "us"):
		return v.F / 1000, true
	case c.Type == Int:
		return v.I, true
	}
	return v.F, true
}

// Set stores a cell in a row, given as reflect.ValueOf(&row).Elem(). It fails
// for a null in a column that is not nullable; the error names the column.
func (c Column) Set(row reflect.Value, v Value) error {
	f := row.FieldByIndex(c.index)
	if v.Null {
		if !c.Nullable {
			return fmt.Errorf("%s: null, wanted a value", c.Name)
		}
		f.SetZero()
		return nil
	}
	if c.Nullable {
		f.Field(1).SetBool(true)
		f = f.Field(0)
	}
	switch c.Type {
	case Int:
		if f.Kind() != reflect.Uint8 {
			f.SetInt(v.I)
			return nil
		}
		if v.I < 0 || v.I > math.MaxUint8 {
			return fmt.Errorf("%s: %d, wanted 0 to %d", c.Name, v.I, math.MaxUint8)
		}
		f.SetUint(uint64(v.I))
	case Float:
		f.SetFloat(v.F)
	case Bool:
		f.SetBool(v.B)
	default:
		if f.Kind() != reflect.Uint8 {
			f.SetString(v.S)
			return nil
		}
		s, err := ParseStage(v.S)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		f.SetUint(uint64(s))
	}
	return nil
}
