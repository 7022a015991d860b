package tomlfile

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Form says how tables become specifications.
type Form struct {
	Of  string // what the fields are of, for errors: "a profile"
	Tag string // the tag that names the fields
	// Partial lets all fields be missing. Otherwise only pointers may be, and fields whose
	// tag has the option omitempty.
	Partial bool
}

// FromTOML is implemented by types that read a value of a file themselves.
type FromTOML interface {
	// SetTOML takes a value; the text of its error says what is wanted.
	SetTOML(value any) error
}

// Decode fills v, a pointer to a struct, with a table of a file. The tags of v's fields, and
// of structs embedded in it, name the fields of the table. Unknown fields are errors. Numbers
// are checked against their range tags before they are converted to the type of their field.
// Errors begin with the path of a field, which begins with path.
func (f Form) Decode(path string, table map[string]any, v any) error {
	return f.decode(path, table, reflect.ValueOf(v).Elem())
}

func (f Form) decode(path string, table map[string]any, v reflect.Value) error {
	known := map[string]bool{}
	for _, field := range reflect.VisibleFields(v.Type()) {
		key, option, _ := strings.Cut(field.Tag.Get(f.Tag), ",")
		if key == "" || key == "-" {
			continue
		}
		known[key] = true
		target := v.FieldByIndex(field.Index)
		value, given := table[key]
		switch section := target.Kind() == reflect.Pointer; {
		case !given && (section || f.Partial || option == "omitempty"):
			continue
		case !given:
			return fmt.Errorf("%s is missing", Under(path, key))
		case section:
			target.Set(reflect.New(target.Type().Elem()))
			target = target.Elem()
		}
		if err := f.set(Under(path, key), field.Tag, value, target); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !known[key] {
			return f.unknown(Under(path, key), key, slices.Sorted(maps.Keys(known)))
		}
	}
	return nil
}

// unknown returns the error of a field that is not known, with the nearest that is.
func (f Form) unknown(path, key string, known []string) error {
	hint := ""
	if near := names.Nearest(key, known); near != "" {
		hint = fmt.Sprintf(", did you mean %q?", near)
	}
	return fmt.Errorf("%s is not a field of %s%s", path, f.Of, hint)
}

// Under returns the path of a field of the table at path.
func Under(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// measured is a quantity whose field name ends in its unit.
type measured interface {
	SetIn(unit string, x float64) bool
}

// set stores a value in a field.
func (f Form) set(path string, tag reflect.StructTag, value any, target reflect.Value) error {
	switch t := target.Addr().Interface().(type) {
	case FromTOML:
		if err := t.SetTOML(value); err != nil {
			return bounds.Wrong(path, shown(value), "%v", err)
		}
		return nil
	case measured:
		x, err := number(path, tag, value)
		if unit := path[strings.LastIndex(path, "_")+1:]; err == nil && !t.SetIn(unit, x) {
			panic(fmt.Sprintf("tomlfile: %s: %T has no unit %s", path, t, unit))
		}
		return err
	case encoding.TextUnmarshaler:
		name, ok := value.(string)
		if !ok {
			return Mismatch(path, value, "a string in quotes")
		}
		err := t.UnmarshalText([]byte(name))
		var unknown *names.Error
		if errors.As(err, &unknown) {
			return bounds.Wrong(path, strconv.Quote(name), "%s", bounds.List(unknown.Known))
		}
		return err
	}
	switch target.Kind() {
	case reflect.Struct:
		table, ok := value.(map[string]any)
		if !ok {
			return Mismatch(path, value, "a table")
		}
		return f.decode(path, table, target)
	case reflect.Slice:
		return f.list(path, tag, value, target)
	case reflect.Float64:
		x, err := number(path, tag, value)
		target.SetFloat(x)
		return err
	}
	given := reflect.ValueOf(value)
	switch _, whole := value.(int64); {
	case target.CanInt() || target.CanUint():
		if !whole {
			return Mismatch(path, value, "a whole number")
		}
		if _, err := number(path, tag, value); err != nil {
			return err
		}
	case given.Kind() != target.Kind():
		return Mismatch(path, value, map[reflect.Kind]string{reflect.Bool: "true or false", reflect.String: "a string in quotes"}[target.Kind()])
	}
	target.Set(given.Convert(target.Type()))
	return nil
}

// list stores a list in a slice.
func (f Form) list(path string, tag reflect.StructTag, value any, target reflect.Value) error {
	list, ok := value.([]any)
	if !ok {
		return Mismatch(path, value, "a list")
	}
	target.Set(reflect.MakeSlice(target.Type(), len(list), len(list)))
	for i, v := range list {
		if err := f.set(fmt.Sprintf("%s[%d]", path, i), tag, v, target.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// shown writes a value as a file does.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case map[string]any:
		return "a table"
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = shown(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(value)
}

// number returns a number and checks it against the range tag of its field.
func number(path string, tag reflect.StructTag, value any) (float64, error) {
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt(), v.CanFloat():
		f := bounds.Field{Path: path, Value: v, Tag: tag}
		return f.Number(), f.Check()
	}
	return 0, Mismatch(path, value, "a number")
}

// Mismatch returns the error of a value of the wrong type.
func Mismatch(path string, value any, want string) error {
	is := "a date"
	switch value.(type) {
	case string:
		is = "a string"
	case bool:
		is = "a boolean"
	case int64:
		is = "an integer"
	case float64:
		is = "a float"
	case map[string]any:
		is = "a table"
	case []any:
		is = "a list"
	}
	return fmt.Errorf("%s is %s, want %s", path, is, want)
}
