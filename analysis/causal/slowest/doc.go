// Package slowest finds the operations of a run that took longest, and what their time
// was: steps, the waiting of their packets, and for whom.
//
// Files, in reading order:
//   - views.go: what is shown of them
//   - waterfall.go: one operation's steps, packets and waits, each with its begin and end
//   - chains.go: for whom the processes of operations wait, found in a part of a log
//   - slowest.go: the longest operations of each kind
package slowest
