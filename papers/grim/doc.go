// Package grim says how the rows of the GRIM study are measured (grim, chapter V).
//
// Files, in reading order:
//   - others.go: the layers that the study compares with
//   - rows.go: all rows
package grim
