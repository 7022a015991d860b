package tpil

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Spec is the library's section of a profile.
type Spec struct {
	BufferBytes  int          `toml:"buffer_bytes" range:"8192..16777216"` // pinned and contiguous; a half is one of two buffers
	ProgramWords int          `toml:"program_words" range:"1..64"`         // stored to the card to program a transfer
	Call         sim.Duration `toml:"call_us" range:"0..1000"`             // into the driver and back
	Combining    bool         `toml:"combining"`                           // whether a plan may have combined stores
	Pin          sim.Duration `toml:"pin_us" range:"0..1000"`              // pinning and translating one page
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("tpil", s) }

// Takes reports whether a plan may use a mechanism.
func (s *Spec) Takes(m Mechanism) bool { return m != Combining || s.Combining }

// Mechanism is a way to inject data.
type Mechanism uint8

// Mechanisms: the CPU's stores in the order of host.Route, then DMA started by the host.
const (
	Word Mechanism = iota
	Combining
	MMX
	SSE
	OneCopy
	DoubleBuffered
	ZeroCopy
)

var mechanismNames = names.NewEnum[Mechanism]("mechanism", "word", "combining", "mmx", "sse", "one-copy", "double-buffered", "zero-copy")

// String returns the name.
func (m Mechanism) String() string { return mechanismNames.Name(m) }

// PIO reports whether the CPU stores the data.
func (m Mechanism) PIO() bool { return m < OneCopy }

// route returns the host's route of a mechanism by which the CPU stores.
func (m Mechanism) route() host.Route { return host.Route(m) }

// AllMechanisms returns all mechanisms, in their order.
func AllMechanisms() []Mechanism { return mechanismNames.Values() }

// Mechanisms returns the mechanisms that a host has, in their order.
func Mechanisms(h *host.Spec) (out []Mechanism) {
	for _, m := range AllMechanisms() {
		if !m.PIO() || h.Offers(m.route()) == nil {
			out = append(out, m)
		}
	}
	return out
}

// Offers returns nil if a host has a mechanism, and otherwise an error that lists those it has.
func Offers(h *host.Spec, m Mechanism) error {
	if !m.PIO() || h.Offers(m.route()) == nil {
		return nil
	}
	var offered []string
	for _, x := range Mechanisms(h) {
		offered = append(offered, x.String())
	}
	return fmt.Errorf("mechanism %v: the host does not have it, want one of: %s", m, strings.Join(offered, ", "))
}
