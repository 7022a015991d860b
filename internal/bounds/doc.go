// Package bounds checks specifications against what the tags of their fields
// allow.
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
// Errors name fields as their toml or json tags do, or else as Go does. Fields
// of embedded structs belong to the struct around them. A tag on a slice or an
// array holds for each element.
//
// What no tag can say of a single field, a specification's own Validate checks
// and reports with Wrong.
//
// Files, in reading order:
//   - bounds.go: Check, and the error that it returns
//   - walk.go: the fields of a specification
//   - range.go: the language of range tags
package bounds
