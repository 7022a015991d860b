package bounds

import (
	"fmt"
	"reflect"
	"strings"
)

// Measured is a quantity whose field's name ends with its unit: "wire_ns".
type Measured interface {
	// In returns the quantity in a unit ("ns"), or false for a unit that it does
	// not have.
	In(unit string) (float64, bool)
}

// Field is a field of a specification that is not a struct, or an element of such a field.
type Field struct {
	Path  string // as users write it: "ni.loop.test_cycles"
	Value reflect.Value
	Tag   reflect.StructTag
	owner reflect.Value // the struct around it
}

// Walk calls visit for every exported field of spec, a struct or a pointer to
// one, and of the structs in it, until one returns an error.
func Walk(path string, spec any, visit func(Field) error) error {
	return walk(Field{Path: path, Value: reflect.ValueOf(spec)}, visit)
}

func walk(f Field, visit func(Field) error) error {
	v := f.Value
	if _, measured := v.Interface().(Measured); measured {
		return visit(f)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		f.Value = v.Elem()
		return walk(f, visit)
	case reflect.Slice, reflect.Array:
		path := f.Path
		for i := range v.Len() {
			f.Path, f.Value = fmt.Sprintf("%s[%d]", path, i), v.Index(i)
			if err := walk(f, visit); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		for i := range v.NumField() {
			t := v.Type().Field(i)
			if !t.IsExported() {
				continue
			}
			path := f.Path
			if !t.Anonymous {
				path = strings.TrimPrefix(path+"."+Name(t), ".")
			}
			if err := walk(Field{path, v.Field(i), t.Tag, v}, visit); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(f)
}

// Name returns the name of a field for users: that of its toml or json tag, or else in Go.
func Name(f reflect.StructField) string {
	for _, key := range []string{"toml", "json"} {
		if name, _, _ := strings.Cut(f.Tag.Get(key), ","); name != "" && name != "-" {
			return name
		}
	}
	return f.Name
}

// Range returns the range of the field's tag, and false if there is none. An end that is
// another field is open unless Walk made the Field.
func (f Field) Range() (Range, bool) {
	tag, tagged := f.Tag.Lookup("range")
	if !tagged {
		return Range{}, false
	}
	var siblings func(name string) (float64, bool)
	if f.owner.IsValid() {
		siblings = f.sibling
	}
	r, err := parse(tag, siblings)
	if err != nil {
		panic(fmt.Sprintf("bounds: %s: range %q: %v", f.Path, tag, err))
	}
	return r, true
}

// sibling returns the number in another field of the same struct.
func (f Field) sibling(name string) (float64, bool) {
	for i := range f.owner.NumField() {
		if t := f.owner.Type().Field(i); t.IsExported() && Name(t) == name {
			return Field{Path: name, Value: f.owner.Field(i)}.Number(), true
		}
	}
	return 0, false
}

// Number returns the field's value, in the unit of its name if it has one. It panics if
// the field is not a number.
func (f Field) Number() float64 {
	if m, ok := f.Value.Interface().(Measured); ok {
		if x, ok := m.In(f.unit()); ok {
			return x
		}
	}
	switch v := f.Value; {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	panic(fmt.Sprintf("bounds: %s is no number but a %v", f.Path, f.Value.Type()))
}

// unit is what follows the last underscore of the field's name.
func (f Field) unit() string { return f.Path[strings.LastIndex(f.Path, "_")+1:] }

// text returns the field's value as errors print it.
func (f Field) text() string {
	if m, ok := f.Value.Interface().(Measured); ok {
		if x, ok := m.In(f.unit()); ok {
			return fmt.Sprint(x)
		}
	}
	return fmt.Sprint(f.Value.Interface())
}
