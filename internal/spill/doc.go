// Package spill sorts more records than memory should hold: sorted runs of them go to
// a temporary file, and are merged as they are read.
//
// Files, in reading order:
//   - merge.go: giving records out in order
//   - sorter.go: taking them in
//   - file.go: where the temporary file is
package spill
