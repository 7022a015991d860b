package pm

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/ni"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Firmware firmware.Spec `toml:"firmware"`
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error { return s.Firmware.Validate("pm.firmware") }

// Traits says what the layer is.
func (s *Spec) Traits() *comm.Traits { return &comm.Traits{Name: "pm"} }

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Firmware.Shape(card, probeWords) }

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	return nil, fmt.Errorf("pm: not built yet")
}
