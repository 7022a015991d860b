//go:build !unix

package rundir

// lock does nothing: what a killed process has left stays.
func lock(string) (release func(), ok bool) { return nil, false }
