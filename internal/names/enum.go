package names

import (
	"fmt"
	"slices"
)

// Enum holds the names of an enumeration's values, in the order to be shown.
// The type's String, MarshalText and UnmarshalText are calls of it, so that
// errors, flags, JSON and profiles have the same names.
type Enum[T ~uint8] struct {
	what   string
	values []T
	names  []string
}

// NewEnum names the values 0, 1, 2 and so on. What is their kind, for errors.
func NewEnum[T ~uint8](what string, names ...string) Enum[T] {
	e := Enum[T]{what: what, names: names}
	for i := range names {
		e.values = append(e.values, T(i))
	}
	return e
}

// NewEnumOf names values that do not count up from 0.
func NewEnumOf[T ~uint8](what string, values []T, names ...string) Enum[T] {
	return Enum[T]{what, values, names}
}

// Names returns all names.
func (e Enum[T]) Names() []string { return slices.Clone(e.names) }

// Name returns the name of v, or its number when it has none.
func (e Enum[T]) Name(v T) string {
	if i := slices.Index(e.values, v); i >= 0 {
		return e.names[i]
	}
	return fmt.Sprintf("%s(%d)", e.what, v)
}

// Parse returns the value of a name, or an *Error.
func (e Enum[T]) Parse(name string) (T, error) {
	if err := Check(e.what, name, e.names); err != nil {
		return 0, err
	}
	return e.values[slices.Index(e.names, name)], nil
}

// Set is Parse into v.
func (e Enum[T]) Set(v *T, name []byte) error {
	parsed, err := e.Parse(string(name))
	if err == nil {
		*v = parsed
	}
	return err
}
