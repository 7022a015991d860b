// Package operations plays the operations of a programming model one at a time on two
// idle nodes. The packets of programs are compared with theirs: a packet that follows
// others of its own operation is slow on an idle machine too.
//
// Sizes are spread evenly. Before every operation there is a pause in which nothing is
// on its way. The nodes take turns, so that an error of the clock cancels in means over
// both directions. The operations of the file system are those of workloads/dfs with
// Alone.
//
// Files, in reading order:
//   - memory.go: shared virtual memory
//   - messages.go: message passing
//   - pause.go: the time between operations
package operations
