//go:build !linux

package hugepages

// Follow does nothing.
func Follow() (stop func()) { return func() {} }
