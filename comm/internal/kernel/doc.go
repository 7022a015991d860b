// Package kernel is the common part of layers whose messages pass through the
// kernels of the hosts: a driver for a simple controller. The controller writes
// arriving frames into kernel memory and interrupts; the interrupt's handler passes
// them to a protocol. The controller reads frames that leave from kernel memory.
//
// Files, in reading order:
//   - driver.go: frames that arrive, and their interrupt
package kernel
