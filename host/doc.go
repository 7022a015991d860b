// Package host models the computer behind a network interface: CPUs with a
// scheduler, interrupts and polling, the memory bus and the I/O bus that DMA,
// programmed I/O, copies and cache misses share, and virtual memory.
//
// A program is a process with a Context. Its calls (Compute, Copy, PIOWrite,
// Spin, …) take simulated time on a CPU; a context of a higher level, such as an
// interrupt's service process, takes the CPU away and gives it back, and what it
// interrupted goes on where it was. Anything that moves bytes is a flow in the
// host's pool, so that a DMA slows a copy and the other way round.
//
// Each instant of a program's life belongs to one Category.
package host
