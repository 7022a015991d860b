package live

import (
	"net"
	"net/netip"

	"github.com/sigview/sigview/live/stamps"
)

// Host is a host in words.
type Host struct {
	Name      string `json:"name"`
	System    string `json:"system"` // kernel and its version
	Processor string `json:"processor"`
	CPUs      int    `json:"cpus"`
	Interface string `json:"interface"` // network interface of the messages, with its driver
	MTU       int    `json:"mtu"`
	// CardStamps is whether the interface's card stamps messages.
	CardStamps  stamps.Card `json:"card_stamps,omitempty"`
	Clock       string      `json:"clock"`             // source of the system's clock
	Disciplined bool        `json:"clock_disciplined"` // the system says that something keeps its clock
}

// interfaceAt returns the interface that has an address, or nil.
func interfaceAt(at netip.Addr) *net.Interface {
	all, _ := net.Interfaces()
	for _, i := range all {
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			// Of the network in which the address is, so that also a peer's address finds it.
			if n, ok := a.(*net.IPNet); ok && n.Contains(at.AsSlice()) {
				return &i
			}
		}
	}
	return nil
}

// Addresses are those by which other hosts reach this one, in the network namespace of this process.
func Addresses() (out []netip.Addr) {
	all, _ := net.InterfaceAddrs() // without there are no messages either
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().IsGlobalUnicast() {
			out = append(out, p.Addr().Unmap())
		}
	}
	return out
}
