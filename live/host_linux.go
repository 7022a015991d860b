package live

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// ThisHost describes this host and the interface that has an address. What it does not learn stays
// empty.
func ThisHost(at netip.Addr) Host {
	h := Host{CPUs: runtime.NumCPU(), Processor: processor(), Clock: firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")}
	h.Name, _ = os.Hostname()
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		h.System = unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
	}
	var t unix.Timex
	if state, err := unix.Adjtimex(&t); err == nil {
		h.Disciplined = state != unix.TIME_ERROR
	}
	all, _ := net.Interfaces()
	for _, i := range all {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && n.Contains(at.AsSlice()) {
				h.Interface, h.MTU = i.Name, i.MTU
				if driver, err := os.Readlink(filepath.Join("/sys/class/net", i.Name, "device", "driver")); err == nil {
					h.Interface += " (" + filepath.Base(driver) + ")"
				}
				return h
			}
		}
	}
	return h
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func firstLine(file string) string {
	text, _ := os.ReadFile(file)
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
