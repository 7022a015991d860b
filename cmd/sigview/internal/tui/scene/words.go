package scene

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
)

// Word is a setting that can be written as text, such as "sender=3".
type Word struct {
	Name, Want string
	Get        func() string
	Set        func(v string) error
	Values     func(*Scene) []string // for completion; nil when they cannot be listed
}

// NumberWord returns a word for a number from lo to hi.
func NumberWord[N ~int | ~int64 | ~uint8](name, want string, at *N, lo, hi int64) Word {
	return Word{Name: name, Want: want,
		Get: func() string { return strconv.FormatInt(int64(*at), 10) },
		Set: func(v string) error {
			n, err := data.ParseNumber(v, lo, hi)
			if err == nil {
				*at = N(n)
			}
			return err
		}}
}

// Called returns the word with a name for one value.
func (w Word) Called(name string, at *int, value int) Word {
	number := w
	w.Get = func() string {
		if *at == value {
			return name
		}
		return number.Get()
	}
	w.Set = func(v string) error {
		if v == name {
			*at = value
			return nil
		}
		return number.Set(v)
	}
	w.Values = func(s *Scene) []string {
		if number.Values == nil {
			return []string{name}
		}
		return append([]string{name}, number.Values(s)...)
	}
	return w
}

// UpTo returns the word with the numbers below n as its values.
func (w Word) UpTo(n func(*Scene) int) Word {
	w.Values = func(s *Scene) []string { return numbers(n(s)) }
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

// ChoiceWord returns a word for a boolean. The name yes means true.
func ChoiceWord(name string, at *bool, yes string, names [2]string) Word {
	no := names[0]
	if no == yes {
		no = names[1]
	}
	return Word{Name: name, Want: names[0] + " or " + names[1],
		Get: func() string {
			if *at {
				return yes
			}
			return no
		},
		Set: func(v string) error {
			if v != yes && v != no {
				return fmt.Errorf("%q", v)
			}
			*at = v == yes
			return nil
		},
		Values: func(*Scene) []string { return names[:] }}
}

// listWord returns a word for one of a list of names.
func listWord(name, want string, at *string, list []string) Word {
	return Word{Name: name, Want: want,
		Get: func() string { return *at },
		Set: func(v string) error {
			if !slices.Contains(list, v) {
				return fmt.Errorf("%q is not one of %v", v, list)
			}
			*at = v
			return nil
		},
		Values: func(*Scene) []string { return list }}
}

// Written writes the words that differ from those of a fresh state as "name=value".
func Written(now, fresh []Word) []string {
	var out []string
	for i, w := range now {
		if v := w.Get(); v != fresh[i].Get() {
			out = append(out, w.Name+"="+v)
		}
	}
	return out
}
