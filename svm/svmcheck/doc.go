// Package svmcheck judges shared memory from outside: it makes random
// programs that are free of data races, keeps one sequential memory beside
// their execution, and compares every read with it. Program and Oracle know
// nothing of how the memory under test works; only what drives it does: threads,
// or the driver of the protocol core beside this package's own tests.
//
// Files, in reading order:
//   - thread.go: a program's operations carried out by threads
//   - program.go: random programs
//   - oracle.go: the sequential memory
package svmcheck
