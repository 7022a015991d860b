// Package sim is a deterministic discrete-event kernel: exact picosecond
// time, a queue of typed events ordered by time and sequence number,
// processes as coroutines, shared resources, named random streams and a
// running digest of everything that happened.
//
// One event is executed at a time and only the queue decides the order, so
// the same specification and seed give the same bytes out on every machine.
// Hardware paths are Actors that receive typed events; programs are Procs,
// straight-line Go that sleeps and parks.
package sim
