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

// SyntaxError is a flaw in a table: its place, what was found and what was
// wanted.
type SyntaxError struct {
	File  string
	Line  int
	Field string // column name, empty for the line as a whole
	Value string
	Want  string
}

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

func (r record) number(column string) (float64, error) {
	v, err := strconv.ParseFloat(r.get(column), 64)
	if err != nil || math.IsNaN(v) {
		return 0, r.fail(column, "a number")
	}
	return v, nil
}

func (r record) finite(column string) (float64, error) {
	v, err := r.number(column)
	if err == nil && math.IsInf(v, 0) {
		err = r.fail(column, "a finite number")
	}
	return v, err
}

// filled returns an error unless the column has text exactly when it is
// wanted. It says what is wanted, or because of what nothing is.
func (r record) filled(column string, wanted bool, what, because string) error {
	switch {
	case (r.get(column) != "") == wanted:
		return nil
	case wanted:
		return r.fail(column, what)
	}
	return r.fail(column, "nothing, as "+because)
}

// eachRecord reads CSV with exactly these columns and calls f for each record
// after the header.
func eachRecord(name string, r io.Reader, columns []string, f func(record) error) error {
	in := csv.NewReader(r)
	in.FieldsPerRecord = len(columns)
	for first := true; ; first = false {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return &SyntaxError{File: name, Line: 1, Value: "empty file", Want: "the header " + strings.Join(columns, ",")}
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return &SyntaxError{
				File: name, Line: bad.StartLine, Value: bad.Err.Error(),
				Want: fmt.Sprintf("%d well-formed fields", len(columns)),
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		if first {
			if !slices.Equal(fields, columns) {
				return &SyntaxError{File: name, Line: line, Field: "header", Value: strings.Join(fields, ","), Want: strings.Join(columns, ",")}
			}
			continue
		}
		if err := f(record{name, line, columns, fields}); err != nil {
			return err
		}
	}
}
