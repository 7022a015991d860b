package live

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/live/stamps"
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
	// Without a change asked for, Adjtimex only tells. TIME_ERROR is a clock that nothing keeps.
	if state, err := unix.Adjtimex(&t); err == nil {
		h.Disciplined = state != unix.TIME_ERROR
	}
	if i := interfaceAt(at); i != nil {
		h.Interface, h.MTU, h.CardStamps = i.Name, i.MTU, stamps.CardOf(i.Name)
		if driver, err := os.Readlink(filepath.Join("/sys/class/net", i.Name, "device", "driver")); err == nil {
			h.Interface += " (" + filepath.Base(driver) + ")"
		}
	}
	return h
}

// processor names the processor's model, or its architecture where the kernel tells no model.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// firstLine returns the first line of a file, "" if it cannot be read.
func firstLine(file string) string {
	text, _ := os.ReadFile(file)
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// Boot identifies this host until it boots again; "" if it does not tell.
func Boot() string { return firstLine("/proc/sys/kernel/random/boot_id") }
