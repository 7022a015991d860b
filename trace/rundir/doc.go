// Package rundir writes and reads run directories: the tables of package
// trace as Arrow IPC files (Feather version 2, uncompressed) beside run.json. It also
// writes tables as Parquet files.
//
// A directory or file appears whole or not at all: it is written under a
// temporary name next to its target, flushed to the disk, and renamed. Reading
// checks that the file is whole, that sigview wrote it, that its version is
// known, that every row is valid and, in a run directory, that each file has the
// size and the SHA-256 of the manifest.
//
// Files, in reading order:
//   - sweep.go: tables of many runs, partitioned
//   - set.go: directories of several runs
//   - underway.go: how far a directory is that is being made
//   - run.go: run directories
//   - scan.go: tables of any length, batch by batch
//   - index.go: the index of the packets' batches, and scans by it
//   - parquet_read.go: a Parquet file as a table
//   - tables.go: the files that a manifest lists
//   - write.go: a table as an Arrow file
//   - parquet.go: a table as a Parquet file
//   - read.go: an Arrow file as a table
//   - recycler.go: memory of the Arrow writer
//   - map_unix.go: files mapped into memory
//   - map_other.go: files read into memory, elsewhere
//   - lock_unix.go: which temporary directories are in use
//   - lock_other.go: none that is known, elsewhere
//   - verify.go: damage that the Arrow library does not find
//   - schema.go: columns as Arrow fields
package rundir
