// Package hugepages lets the heap of the running program be in huge pages, where the
// system gives them to programs that ask.
//
// The state of a thousand nodes is in all of the heap, so that with pages of 4 KB most
// cache misses also miss the processor's cache of page addresses. Linux gives huge pages
// to those that ask unless it is set to give them to all or to none
// (/sys/kernel/mm/transparent_hugepage/enabled). On other systems nothing happens.
//
// Files, in reading order:
//   - follow_linux.go: asking as the heap grows
//   - follow_other.go: other systems
//   - regions.go: which memory is the heap's
package hugepages
