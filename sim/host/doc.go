// Package host models the computer behind a network interface: CPUs with a
// scheduler, interrupts and polling, the memory bus and the I/O bus that DMA,
// programmed I/O, copies and cache misses share, and virtual memory.
//
// A program is a process with a Context. Its calls (Compute, Copy, PIOWrite,
// Spin, …) take simulated time on a CPU; a context of a higher level, such as an
// interrupt's service process, preempts it, and the interrupted program
// continues where it was. Every transfer of bytes is a flow in the host's pool,
// so DMA and copies slow each other.
//
// Each instant of a program's run time belongs to one Category.
//
// Files, in reading order:
//   - host.go: a host, and DMA through its buses
//   - context.go: processes of a host
//   - pcie.go: an I/O bus of PCI Express
//   - work.go: computing and loads from the device
//   - routes.go: stores to the device
//   - copy.go: memory traffic and copies
//   - wait.go: spinning, blocking, interrupts
//   - gang.go: gang scheduling begun while programs run
//   - sched.go: assignment of CPUs to contexts
//   - burst.go: the use of a CPU until the process continues
//   - account.go: time of programs by category
//   - waits.go: what processes do and wait for, in a log
//   - device.go: the same of devices
//   - state.go: the state of hosts and contexts
//   - category.go: categories of time
//   - spec.go: the host section of a profile
//   - cache.go: the outermost cache
//   - space.go: virtual memory
//   - page.go: addresses, and the memory of a page
//   - watch.go: conditions to wait for
package host
