// Package tomlfile reads TOML files into specifications, with errors that name the file, the
// line, the field, the value and what is wanted.
//
// Files, in reading order:
//   - file.go: a file as a table, and errors with their line
//   - decode.go: a table into a specification
package tomlfile
