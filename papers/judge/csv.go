package judge

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SyntaxError is an error in a table: its position, what was found and what was
// wanted.
type SyntaxError struct {
	File  string
	Line  int
	Field string // column name, empty for the line as a whole
	Value string
	Want  string
}

// Error names the file, the position, what was found and what was wanted.
func (e *SyntaxError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s:%d: %s, want %s", e.File, e.Line, e.Value, e.Want)
	}
	return fmt.Sprintf("%s:%d: %s is %q, want %s", e.File, e.Line, e.Field, e.Value, e.Want)
}

// record is one record of a CSV file with the names of its columns.
type record struct {
	file    string
	line    int
	columns []string
	fields  []string
}

func (r record) get(column string) string { return r.fields[slices.Index(r.columns, column)] }

func (r record) fail(column, want string) error {
	return &SyntaxError{File: r.file, Line: r.line, Field: column, Value: r.get(column), Want: want}
}

// number returns the number in a column, or 0 if the column is empty. Its absolute
// value is at most limit.
func (r record) number(column string, limit float64) (float64, error) {
	text := r.get(column)
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > limit {
		return 0, r.fail(column, "a number")
	}
	return v, nil
}

// filled checks that the column has text if it is wanted and is empty if not. The
// error states the rule.
func (r record) filled(column string, wanted bool, rule string) error {
	switch {
	case (r.get(column) != "") == wanted:
		return nil
	case wanted:
		return r.fail(column, "some text: "+rule)
	}
	return r.fail(column, "nothing: "+rule)
}

// oneOf returns the value of a column, which has to be one of the names.
func oneOf[T ~string](r record, column string, names ...T) (T, error) {
	if v := T(r.get(column)); slices.Contains(names, v) {
		return v, nil
	}
	return "", r.fail(column, fmt.Sprintf("one of %q", names))
}

// eachRecord reads CSV with exactly these columns and calls f for each record
// after the header.
func eachRecord(name string, r io.Reader, columns []string, f func(record) error) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(columns)
	header := strings.Join(columns, ",")
	for first := true; ; first = false {
		fields, err := in.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && first:
			return &SyntaxError{File: name, Line: 1, Value: "empty file", Want: "the header " + header}
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			want := fmt.Sprintf("%d well-formed fields", len(columns))
			return &SyntaxError{File: name, Line: bad.StartLine, Value: bad.Err.Error(), Want: want}
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		switch got := strings.Join(fields, ","); {
		case !first:
			err = f(record{name, line, columns, fields})
		case got != header:
			err = &SyntaxError{File: name, Line: line, Field: "header", Value: got, Want: header}
		}
		if err != nil {
			return err
		}
	}
}
