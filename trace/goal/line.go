package goal

import (
	"fmt"
	"strconv"
	"strings"
)

// line is the words that are left of a line.
type line struct {
	number int
	words  []string
}

// fail returns an error about the next word.
func (l *line) fail(want string, args ...any) error {
	got := "the end of the line"
	if len(l.words) > 0 {
		got = strconv.Quote(l.words[0])
	}
	return fmt.Errorf("line %d: %s, wanted %s", l.number, got, fmt.Sprintf(want, args...))
}

// is reports whether the next word is the given one, and takes it then.
func (l *line) is(word string) bool {
	if len(l.words) == 0 || l.words[0] != word {
		return false
	}
	l.words = l.words[1:]
	return true
}

// integer takes a number from low to high.
func (l *line) integer(what string, low, high int64) (int64, error) {
	if len(l.words) > 0 {
		if n, err := strconv.ParseInt(l.words[0], 10, 64); err == nil && low <= n && n <= high {
			l.words = l.words[1:]
			return n, nil
		}
	}
	return 0, l.fail("%s, %d to %d", what, low, high)
}

// end returns an error if words are left.
func (l *line) end() error {
	if len(l.words) > 0 {
		return l.fail("the end of the line")
	}
	return nil
}

// isLabel reports whether a word can be a label.
func isLabel(word string) bool {
	for i, c := range word {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return word != ""
}

// split returns the words of a text: numbers, names and signs. Spaces are needed only
// between two names or two numbers.
func split(text string) (words []string) {
	for text = strings.TrimLeft(text, " \t\r"); text != ""; text = strings.TrimLeft(text, " \t\r") {
		n := 1
		switch {
		case digit(text[0]) || text[0] == '-':
			for n < len(text) && digit(text[n]) {
				n++
			}
		case isLabel(text[:1]):
			for n < len(text) && isLabel(text[:n+1]) {
				n++
			}
		}
		words = append(words, text[:n])
		text = text[n:]
	}
	return words
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
