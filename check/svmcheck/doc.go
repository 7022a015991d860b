// Package svmcheck tests shared memory as a black box. It generates random
// programs without data races, keeps a sequential memory alongside their
// execution, and compares every read with it. Program and Oracle know nothing of
// the memory under test; threads, or the protocol driver in this package's
// tests, connect them to it.
//
// Files, in reading order:
//   - thread.go: a program's operations carried out by threads
//   - program.go: random programs
//   - oracle.go: the sequential memory
package svmcheck
