// Package goal is the text form of GOAL schedules, which LogGOPSim replays: what each
// rank of a program computes, sends and receives, and what has to be done before.
// The form is that of LogGOPSim's tool txt2bin: num_ranks, then for each rank
// operations with optional labels and lines of dependencies.
//
//	num_ranks 2
//	rank 0 {
//	a: calc 5000
//	b: send 64b to 1 tag 7
//	b requires a
//	}
//	rank 1 {
//	recv 64b from 0 tag 7
//	}
//
// Files, in reading order:
//   - read.go: the text as a schedule
//   - line.go: the words of a line
//   - write.go: a schedule as text
//   - check.go: whether a schedule can end
//   - order.go: which operations may begin
//   - schedule.go: schedules
package goal
