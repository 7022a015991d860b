// Package largeheap lets a program whose heap is large run with less memory and fewer
// misses of the processor's cache of page addresses, and within a limit.
//
// The state of a thousand nodes is in all of the heap, so that with pages of 4 KB most
// cache misses also miss that cache. Linux gives huge pages to those that ask, unless it
// is set to give them to all or to none (/sys/kernel/mm/transparent_hugepage/enabled).
// A large run makes little garbage for its size, so that collecting it when the heap has
// grown by half, not when it has doubled, costs little time.
//
// Files, in reading order:
//   - machine.go: how much memory there is
//   - addresses_linux.go: for how much there are addresses
//   - addresses_other.go: other systems
//   - limit.go: the end of what takes too much
//   - follow.go: what is done as the heap grows
//   - ask_linux.go: asking for huge pages
//   - ask_other.go: other systems
//   - regions.go: which memory is the heap's
package largeheap
