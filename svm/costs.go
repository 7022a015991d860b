package svm

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Service says how a node learns that others want something of it.
type Service uint8

// Services.
const (
	Interrupt Service = iota // each request interrupts the CPU, unless it is serving already
	Polling                  // the program looks while it waits, and now and then while it computes
)

var serviceNames = [...]string{"interrupt", "polling"}

func (s Service) String() string {
	if int(s) < len(serviceNames) {
		return serviceNames[s]
	}
	return fmt.Sprintf("service(%d)", uint8(s))
}

// ParseService reads a Service by its name.
func ParseService(name string) (Service, error) {
	for i, n := range serviceNames {
		if n == name {
			return Service(i), nil
		}
	}
	return 0, fmt.Errorf("svm: service = %q, want interrupt or polling", name)
}

// Costs are what the protocol's own steps cost a node's CPU. No measurement of
// them is public for the machines modelled here: a profile assumes them.
// Copies and comparisons of pages are not here: twins copy a page from memory
// to memory, a difference reads two pages over the memory bus, and the host
// knows what that takes.
type Costs struct {
	Fault    sim.Duration // trap of an access that faults, to the protocol's handler and back
	Protect  sim.Duration // changing the protection of one page
	Handler  sim.Duration // taking one message in: dispatch, look-up, book-keeping
	Notice   sim.Duration // one write notice's run of pages
	DiffRun  sim.Duration // one run of a difference, encoded or applied
	DiffWord sim.Duration // one word, compared or applied

	Poll      sim.Duration // with Polling: one look for requests
	PollEvery sim.Duration // with Polling: computing between two looks
}

// Validate checks every field and names the first bad one below path.
func (c *Costs) Validate(path string) error {
	for _, f := range []struct {
		name string
		d    sim.Duration
	}{
		{"Fault", c.Fault}, {"Protect", c.Protect}, {"Handler", c.Handler}, {"Notice", c.Notice},
		{"DiffRun", c.DiffRun}, {"DiffWord", c.DiffWord}, {"Poll", c.Poll}, {"PollEvery", c.PollEvery},
	} {
		if f.d < 0 || f.d > sim.Second {
			return fmt.Errorf("%s.%s: %v, want 0 to %v", path, f.name, f.d, sim.Second)
		}
	}
	return nil
}
