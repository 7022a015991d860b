//go:build !linux

package largeheap

// ask does nothing.
func ask() {}
