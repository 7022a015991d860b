package platform

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

// decode fills v, a struct, with a table of a profile. The toml tags of v's
// fields, and of structs embedded in it, name the fields of the table. Every
// field must be given, except pointers: a platform may lack these sections.
// Unknown fields are errors. Numbers are checked against their range tags before
// they are converted to the type of their field. Errors begin with the path of a
// field.
func decode(path string, table map[string]any, v reflect.Value) error {
	known := map[string]bool{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		key := f.Tag.Get("toml")
		if key == "" {
			continue
		}
		known[key] = true
		target := v.FieldByIndex(f.Index)
		value, given := table[key]
		switch section := target.Kind() == reflect.Pointer; {
		case !given && section:
			continue
		case !given:
			return fmt.Errorf("%s is missing", under(path, key))
		case section:
			target.Set(reflect.New(target.Type().Elem()))
			target = target.Elem()
		}
		if err := set(under(path, key), f.Tag, value, target); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !known[key] {
			return fmt.Errorf("%s is not a field of a profile", under(path, key))
		}
	}
	return nil
}

// under returns the path of a field of the table at path.
func under(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// measured is a quantity whose field name ends in its unit.
type measured interface {
	SetIn(unit string, x float64) bool
}

// set stores a value of a profile in a field.
func set(path string, tag reflect.StructTag, value any, target reflect.Value) error {
	switch t := target.Addr().Interface().(type) {
	case measured:
		x, err := number(path, tag, value)
		if unit := path[strings.LastIndex(path, "_")+1:]; err == nil && !t.SetIn(unit, x) {
			panic(fmt.Sprintf("platform: %s: %T has no unit %s", path, t, unit))
		}
		return err
	case encoding.TextUnmarshaler:
		name, ok := value.(string)
		if !ok {
			return mismatch(path, value, "a string in quotes")
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
			return mismatch(path, value, "a table")
		}
		return decode(path, table, target)
	case reflect.Float64:
		x, err := number(path, tag, value)
		target.SetFloat(x)
		return err
	}
	given := reflect.ValueOf(value)
	switch _, whole := value.(int64); {
	case target.CanInt() || target.CanUint():
		if !whole {
			return mismatch(path, value, "a whole number")
		}
		if _, err := number(path, tag, value); err != nil {
			return err
		}
	case given.Kind() != target.Kind():
		return mismatch(path, value, map[reflect.Kind]string{reflect.Bool: "true or false", reflect.String: "a string in quotes"}[target.Kind()])
	}
	target.Set(given.Convert(target.Type()))
	return nil
}

// number returns a number and checks it against the range tag of its field.
func number(path string, tag reflect.StructTag, value any) (float64, error) {
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt(), v.CanFloat():
		f := bounds.Field{Path: path, Value: v, Tag: tag}
		return f.Number(), f.Check()
	}
	return 0, mismatch(path, value, "a number")
}

// mismatch returns the error of a value of the wrong type.
func mismatch(path string, value any, want string) error {
	is := "date"
	switch value.(type) {
	case string:
		is = "string"
	case bool:
		is = "boolean"
	case int64:
		is = "integer"
	case float64:
		is = "float"
	case map[string]any:
		is = "table"
	case []any:
		is = "list"
	}
	return fmt.Errorf("%s is a %s, want %s", path, is, want)
}
