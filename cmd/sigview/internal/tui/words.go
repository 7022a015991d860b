package tui

import (
	"fmt"
	"slices"
	"strconv"
)

// word is a setting that can be written as text, such as "sender=3".
type word struct {
	name, want string
	get        func() string
	set        func(v string) error
	values     func(*Scene) []string // for completion; nil when they cannot be listed
}

// numberWord returns a word for a number from lo to hi.
func numberWord[N ~int | ~int64 | ~uint8](name, want string, at *N, lo, hi int64) word {
	return word{name: name, want: want,
		get: func() string { return strconv.FormatInt(int64(*at), 10) },
		set: func(v string) error {
			n, err := parseNumber(v, lo, hi)
			if err == nil {
				*at = N(n)
			}
			return err
		}}
}

// called returns the word with a name for one value.
func (w word) called(name string, at *int, value int) word {
	number := w
	w.get = func() string {
		if *at == value {
			return name
		}
		return number.get()
	}
	w.set = func(v string) error {
		if v == name {
			*at = value
			return nil
		}
		return number.set(v)
	}
	w.values = func(s *Scene) []string {
		if number.values == nil {
			return []string{name}
		}
		return append([]string{name}, number.values(s)...)
	}
	return w
}

// upTo returns the word with the numbers below n as its values.
func (w word) upTo(n func(*Scene) int) word {
	w.values = func(s *Scene) []string { return numbers(n(s)) }
	return w
}

// numbers lists the numbers from 0 to n-1.
func numbers(n int) []string {
	var out []string
	for i := range n {
		out = append(out, strconv.Itoa(i))
	}
	return out
}

// choiceWord returns a word for a boolean. The name yes means true.
func choiceWord(name string, at *bool, yes string, names [2]string) word {
	no := names[0]
	if no == yes {
		no = names[1]
	}
	return word{name: name, want: names[0] + " or " + names[1],
		get: func() string {
			if *at {
				return yes
			}
			return no
		},
		set: func(v string) error {
			if v != yes && v != no {
				return fmt.Errorf("%q", v)
			}
			*at = v == yes
			return nil
		},
		values: func(*Scene) []string { return names[:] }}
}

// listWord returns a word for one of a list of names.
func listWord(name, want string, at *string, list []string) word {
	return word{name: name, want: want,
		get: func() string { return *at },
		set: func(v string) error {
			if !slices.Contains(list, v) {
				return fmt.Errorf("%q is not one of %v", v, list)
			}
			*at = v
			return nil
		},
		values: func(*Scene) []string { return list }}
}

// written writes the words that differ from those of a fresh state as "name=value".
func written(now, fresh []word) []string {
	var out []string
	for i, w := range now {
		if v := w.get(); v != fresh[i].get() {
			out = append(out, w.name+"="+v)
		}
	}
	return out
}
