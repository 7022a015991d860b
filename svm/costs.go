package svm

import (
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Service says how a node notices the requests of others.
type Service uint8

// Services.
const (
	Interrupt Service = iota // each request interrupts the CPU, unless it is serving already
	Polling                  // the program looks while it waits, and now and then while it computes
)

var serviceNames = names.NewEnum[Service]("service", "interrupt", "polling")

func (s Service) String() string { return serviceNames.Name(s) }

// UnmarshalText reads a Service by its name.
func (s *Service) UnmarshalText(name []byte) error { return serviceNames.Set(s, name) }

// Services lists the names.
func Services() []string { return serviceNames.Names() }

// Costs are what the protocol's own steps cost a node's CPU. No measurement of
// them is public for the machines modelled here: a profile assumes them.
// Copies and comparisons of pages are not among them: a twin copies a page from
// memory to memory, a difference reads two pages over the memory bus, and the host
// charges that.
type Costs struct {
	Fault    sim.Duration `toml:"fault_us" range:"0..1e4"`     // trap of an access that faults, to the protocol's handler and back
	Protect  sim.Duration `toml:"protect_us" range:"0..1e4"`   // changing the protection of one page
	Handler  sim.Duration `toml:"handler_us" range:"0..1e4"`   // taking one message in: dispatch, look-up, book-keeping
	Notice   sim.Duration `toml:"notice_us" range:"0..1e4"`    // one write notice's run of pages
	DiffRun  sim.Duration `toml:"diff_run_us" range:"0..1e4"`  // one run of a difference, encoded or applied
	DiffWord sim.Duration `toml:"diff_word_ns" range:"0..1e5"` // one word, compared or applied

	Poll      sim.Duration `toml:"poll_us" range:"0..1e4"`       // with Polling: one look for requests
	PollEvery sim.Duration `toml:"poll_every_us" range:"0..1e6"` // with Polling: computing between two looks
}
