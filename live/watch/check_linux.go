package watch

import (
	"math"

	"github.com/cilium/ebpf/btf"
	"golang.org/x/sys/unix"
)

// Check returns everything that a watch needs, and whether this host has it. If all is there it also loads
// and attaches the programs, which is the last need.
func Check() []Need {
	out := rights()
	types, err := btf.LoadKernelSpec()
	out = append(out, Need{"BTF at /sys/kernel/btf/vmlinux", err == nil, everything + ": it tells where the kernel's structures have their fields"})
	whole := err == nil
	for _, p := range probes {
		programs, what := p.in(types)
		out = append(out, Need{what, programs != nil, everything + ": " + p.costs})
	}
	for _, n := range out {
		whole = whole && n.There
	}
	n := Need{"loading and attaching of programs", whole, everything}
	if whole {
		if err := tried(); err != nil {
			n.There, n.Costs = false, everything+" ("+err.Error()+")"
		}
	}
	return append(out, n)
}

// tried loads and attaches the programs, and detaches them.
func tried() error {
	k, err := load(Default())
	if err != nil {
		return err
	}
	defer k.Close()
	return k.attach()
}

// rights returns the capabilities that a watch needs, and whether this process has them.
func rights() (out []Need) {
	// Of a kernel that does not tell none is known, and it decides.
	header, sets := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{{Effective: math.MaxUint32}, {Effective: math.MaxUint32}}
	_ = unix.Capget(&header, &sets[0])
	effective := uint64(sets[1].Effective)<<32 | uint64(sets[0].Effective)
	const admin = 21 // CAP_SYS_ADMIN stands for both
	for _, c := range capabilities {
		out = append(out, Need{c.name, effective>>c.bit&1 != 0 || effective>>admin&1 != 0, everything})
	}
	return out
}

// Granted returns an error that names the capabilities that this process lacks, if it does.
func Granted() error {
	if missing := lacking(); len(missing) > 0 {
		return missing
	}
	return nil
}

// lacking returns the capabilities that are missing.
func lacking() (out Lack) {
	for _, n := range rights() {
		if !n.There {
			out = append(out, n)
		}
	}
	return out
}
