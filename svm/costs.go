package svm

import (
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Service is how a node notices the requests of others.
type Service uint8

// Services.
const (
	Interrupt Service = iota // each request interrupts the CPU, unless it is already serving one
	Polling                  // the program polls while it waits, and periodically while it computes
)

var serviceNames = names.NewEnum[Service]("service", "interrupt", "polling")

// String returns the name.
func (s Service) String() string { return serviceNames.Name(s) }

// UnmarshalText reads a Service by its name.
func (s *Service) UnmarshalText(name []byte) error { return serviceNames.Set(s, name) }

// Words returns the names.
func (Service) Words() names.Words { return serviceNames.Words() }

// Costs are the CPU times of the protocol's own steps. No measurement of them is
// published for the machines modelled here, so profiles assume them. Copies and
// comparisons of pages are not included: a twin copies a page in memory, a diff
// reads two pages over the memory bus, and the host charges both.
type Costs struct {
	Fault    sim.Duration `toml:"fault_us" range:"0..1e4"`     // page fault trap, to the protocol's handler and back
	Protect  sim.Duration `toml:"protect_us" range:"0..1e4"`   // changing the protection of one page
	Handler  sim.Duration `toml:"handler_us" range:"0..1e4"`   // receiving one message: dispatch, look-up, bookkeeping
	Notice   sim.Duration `toml:"notice_us" range:"0..1e4"`    // one page in a write notice
	DiffRun  sim.Duration `toml:"diff_run_us" range:"0..1e4"`  // one run of a diff, encoded or applied
	DiffWord sim.Duration `toml:"diff_word_ns" range:"0..1e5"` // one word, compared or applied

	Poll      sim.Duration `toml:"poll_us" range:"0..1e4"`       // with Polling: one poll for requests
	PollEvery sim.Duration `toml:"poll_every_us" range:"0..1e6"` // with Polling: computing between two polls
}
