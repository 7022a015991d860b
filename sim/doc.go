// Package sim is a deterministic discrete-event kernel: exact picosecond time,
// a queue of typed events ordered by time and sequence number, processes as
// coroutines, shared resources, named random streams and a running digest of
// all events.
//
// One event is executed at a time and only the queue decides the order, so the
// same specification and seed give the same results on every machine. Hardware
// components are Actors that receive typed events; programs are Procs,
// straight-line Go that sleeps and parks.
//
// Files, in reading order:
//   - rand.go: named random streams
//   - account.go: what flows lose to each other
//   - solo.go: flows that are alone
//   - share.go: capacities shared by flows
//   - units.go: times, rates and frequencies in the units of a profile
//   - engine.go: the engine: events in order, processes, the digest
//   - proc.go: processes as coroutines
//   - queue.go: the event queue: a sorted list, a wheel of buckets for the near future, a heap
//   - bitmap.go: which buckets of the wheel have events
//   - heap.go: events and their places, the heap
//   - time.go: times, durations, rates, frequencies
package sim
