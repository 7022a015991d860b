// Package bounds checks the fields of specifications against their tags.
//
// A number has a tag `range:"LO..HI UNIT"`. Either end may be missing. An end
// with a < beside the dots is excluded ("0..<1"), and an end may be the name of
// another field of the same struct ("1..send_buffers"). Alternatives are
// separated by | ("0|4..64"). A range that begins with pow2 allows powers of two
// only ("pow2 8..512"). The unit, all that follows the range, is printed in
// errors.
//
// A text has a tag `oneof:"A B C"`. An enumeration (names.Enumeration) needs no
// tag: its value must have a name. A names.Word may be "" where the field has a
// tag `optional:"yes"`.
//
// Errors name fields by their toml or json tags, or else by their Go names. Fields
// of embedded structs belong to the outer struct. A tag on a slice or an array
// applies to each element.
//
// Conditions that a tag cannot express are checked by a specification's own Validate,
// which reports them with Wrong.
//
// Files, in reading order:
//   - bounds.go: Check, and the error that it returns
//   - walk.go: the fields of a specification
//   - range.go: the language of range tags
//   - below.go: bounds of rounding errors in words
package bounds
