// Package rundir writes and reads run directories: the tables of package
// trace as Arrow IPC files (Feather version 2, uncompressed) beside run.json.
//
// A directory or file appears whole or not at all: it is written under a
// temporary name next to its target, flushed to the disk, and renamed. What is
// read is checked: that the file is whole, that it is ours, that its version
// is one this program knows, that every row makes sense, and, within a run
// directory, that each file is the one the manifest was written with.
package rundir
