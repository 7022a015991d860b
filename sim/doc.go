// Package sim is a deterministic discrete-event kernel: exact picosecond
// time, a queue of typed events ordered by time and sequence number,
// processes as coroutines, shared resources, named random streams and a
// running digest of everything that happened.
//
// One event is executed at a time and only the queue decides the order, so
// the same specification and seed give the same bytes out on every machine.
// Hardware paths are Actors that receive typed events; programs are Procs,
// straight-line Go that sleeps and parks.
//
// Files, in reading order:
//   - rand.go: named random streams
//   - share.go: capacities that flows share
//   - units.go: times, rates and frequencies as a profile writes them
//   - engine.go: the run: events in order, processes, the digest
//   - proc.go: processes as coroutines
//   - queue.go: the event queue, a wheel of buckets with a heap behind it
//   - heap.go: the heap
//   - time.go: times, durations, rates, frequencies
package sim
