// Package flags makes the flags of a command line from specifications. A field has a tag
// flag:"NAME" and a tag help:"TEXT", in which %s stands for the words that it takes. A tag
// flag:"- REASON" says why a field has no flag. A tag
// group:"NAME" is of all fields below, bare:"VALUE" what the flag alone means, and a number with
// zero:"yes" may be given as 0.
//
// Files, in reading order:
//   - flags.go: the flags of a specification, and the arguments that make one
//   - selection.go: the flag that selects packets to trace
//   - values.go: flags with a form of their own
package flags
