//go:build !linux

package live

import (
	"net/netip"
	"os"
	"runtime"
)

// ThisHost describes this host.
func ThisHost(netip.Addr) Host {
	name, _ := os.Hostname()
	return Host{Name: name, System: runtime.GOOS, CPUs: runtime.NumCPU()}
}

// Boot returns "": the host is not known to be another one's.
func Boot() string { return "" }
