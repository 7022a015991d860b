// Package replay runs GOAL schedules, which trace/goal reads, as programs that pass
// messages by nx: what a rank computes, sends and receives, each when what it requires
// is done.
//
// A node has one processor, so computations of a rank follow each other whatever CPU
// the schedule gives them. Messages say in their first bytes which send they are, so
// that receivers can check that each comes once, whole, and to the right receive.
//
// Files, in reading order:
//   - rank.go: the program of a rank
//   - replay.go: a schedule on its nodes, and its result
package replay
