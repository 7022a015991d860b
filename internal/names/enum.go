package names

import (
	"encoding"
	"fmt"
	"slices"
)

// Enumeration is a type whose values have names. Flags, JSON, profiles, errors and
// completion take them from Words.
type Enumeration interface{ Words() Words }

// Words are the names of an enumeration, in the order to be shown.
type Words struct {
	what  string
	names []string
}

// NewWords lists names. What is their kind, for errors.
func NewWords(what string, names ...string) Words { return Words{what, names} }

// Names returns all names.
func (w Words) Names() []string { return slices.Clone(w.names) }

// Check returns an *Error unless name is one of them.
func (w Words) Check(name string) error { return Check(w.what, name, w.names) }

// Enum holds the names of a type's values. The type's Words, String, MarshalText and
// UnmarshalText are calls of it.
type Enum[T ~uint8] struct {
	words  Words
	values []T
}

// NewEnum names the values 0, 1, 2 and so on. What is their kind, for errors.
func NewEnum[T ~uint8](what string, names ...string) Enum[T] {
	e := Enum[T]{words: NewWords(what, names...)}
	for i := range names {
		e.values = append(e.values, T(i))
	}
	return e
}

// NewEnumOf names values that do not count up from 0.
func NewEnumOf[T ~uint8](what string, values []T, names ...string) Enum[T] {
	return Enum[T]{NewWords(what, names...), values}
}

// Words returns all names.
func (e Enum[T]) Words() Words { return e.words }

// Values returns all values.
func (e Enum[T]) Values() []T { return slices.Clone(e.values) }

// Name returns the name of v, or its number when it has none.
func (e Enum[T]) Name(v T) string {
	if i := slices.Index(e.values, v); i >= 0 {
		return e.words.names[i]
	}
	return fmt.Sprintf("%s(%d)", e.words.what, v)
}

// Parse returns the value of a name, or an *Error.
func (e Enum[T]) Parse(name string) (T, error) {
	if err := e.words.Check(name); err != nil {
		return 0, err
	}
	return e.values[slices.Index(e.words.names, name)], nil
}

// Set is Parse into v.
func (e Enum[T]) Set(v *T, name []byte) error {
	parsed, err := e.Parse(string(name))
	if err == nil {
		*v = parsed
	}
	return err
}

// Word is a name of an enumeration as users write it. "" means that they have made no choice.
type Word[E Enumeration] string

// Words returns the names of the enumeration.
func (w Word[E]) Words() Words {
	var e E
	return e.Words()
}

// All returns every one of them.
func (w Word[E]) All() []Word[E] {
	var all []Word[E]
	for _, name := range w.Words().names {
		all = append(all, Word[E](name))
	}
	return all
}

// Check returns an *Error unless w is one of them.
func (w Word[E]) Check() error { return w.Words().Check(string(w)) }

func (w Word[E]) String() string { return string(w) }

// UnmarshalText takes a name of the enumeration, or "".
func (w *Word[E]) UnmarshalText(name []byte) error {
	err := Word[E](name).Check()
	if len(name) == 0 || err == nil {
		*w, err = Word[E](name), nil
	}
	return err
}

// Into sets v, a value of the enumeration, to the one of that name. "" leaves v as it is.
func (w Word[E]) Into(v encoding.TextUnmarshaler) error {
	if w == "" {
		return nil
	}
	return v.UnmarshalText([]byte(w))
}
