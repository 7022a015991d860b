// Package svmcheck judges shared memory from outside: it makes random
// programs that are free of data races, keeps one sequential memory beside
// their execution, and compares every read with it. Program and Oracle know
// nothing of how the memory under test works; only the drivers do.
//
// Files, in reading order:
//   - drive.go: a program run on the protocol core under a schedule
//   - thread.go: the same on threads
//   - program.go: random programs
//   - oracle.go: the sequential memory
package svmcheck
