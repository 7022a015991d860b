package bounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/internal/names"
)

// Error is a value of a specification that is not allowed.
type Error struct {
	Field string // path in the specification, as "faults.stalls[0].node"
	Value string
	Want  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s is %s, want %s", e.Field, e.Value, e.Want) }

// Usage marks the error as a mistake in how the program was called.
func (e *Error) Usage() bool { return true }

// Wrong returns the Error of a field; want is a format for args.
func Wrong(field string, value any, want string, args ...any) error {
	return &Error{Field: field, Value: fmt.Sprint(value), Want: fmt.Sprintf(want, args...)}
}

// Check returns an *Error for the first field of spec, a struct or a pointer to one,
// whose value its tag does not allow. NaN is in no range. Field names in the error begin
// with path. Check panics on a malformed tag.
func Check(path string, spec any) error {
	return Walk(path, spec, Field.Check)
}

// Check returns an *Error if the field's tag does not allow its value.
func (f Field) Check() error {
	if r, tagged := f.Range(); tagged && !r.Contains(f.Number()) {
		return Wrong(f.Path, f.text(), "%v", r)
	}
	if w, ok := f.Value.Interface().(interface{ Check() error }); ok && (f.text() != "" || f.Tag.Get("optional") == "") {
		return w.Check()
	}
	words := strings.Fields(f.Tag.Get("oneof"))
	if e, ok := f.Value.Interface().(names.Enumeration); ok && f.text() != "" {
		words = e.Words().Names()
	}
	if len(words) > 0 && !slices.Contains(words, f.text()) {
		return Wrong(f.Path, strconv.Quote(f.text()), "%s", List(words))
	}
	return nil
}

// List joins words as a sentence does: "a, b or c".
func List(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
