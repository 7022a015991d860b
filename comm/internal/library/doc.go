// Package library is the common part of the layers' libraries, which run on the
// host: properties of endpoints, checks of arguments, handlers by number,
// notice of arrivals, reusable buffers, receive buffers.
//
// Files, in reading order:
//   - inbox.go: the receiving side of endpoints with a pool
//   - pool.go: a process's receive buffers and the messages in them
//   - process.go: properties of endpoints, and checks of arguments
//   - handlers.go: handlers by number
//   - bell.go: notice of arrivals
//   - watchdog.go: interrupts for a process that does not poll
//   - buffers.go: reusable buffers of one size
//   - memory.go: reusable memory of any size
//   - spares.go: values to be used again
package library
