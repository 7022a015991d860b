package fabric

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Spec describes a fabric, as the network section of a profile does. All links
// are alike.
type Spec struct {
	Topology
	LinkRate    sim.Rate     `toml:"link_mbps" range:"0.001..1e6"`         // in each direction
	WireDelay   sim.Duration `toml:"wire_ns" range:"0.001..1e6"`           // time of flight on one link
	SwitchDelay sim.Duration `toml:"switch_ns" range:"0..1e6"`             // cut-through time of one switch
	Arbitration Arbitration  `toml:"arbitration" oneof:"fifo round-robin"` // who gets an output port that several wait for

	// Slack buffer of a switch's input port: its size, the fill at which STOP
	// is sent and the fill at which GO is sent, in bytes.
	SlackBytes int `toml:"slack_bytes" range:"1..1048576"`
	StopBytes  int `toml:"stop_bytes" range:"1..1048576"`
	GoBytes    int `toml:"go_bytes" range:"0..1048576"`

	// BlockLimit is how long a sender waits in STOP before it performs a
	// forward reset.
	BlockLimit sim.Duration `toml:"block_limit_ms" range:"0.001..1e6"`

	// Uncontended gives every port infinite capacity: no packet waits
	// for another one. Delays, rates and the receivers' refusals stay.
	Uncontended bool

	// FreeSenders lets a node inject any number of packets at the same time,
	// on an uncontended fabric only. Packets may overtake one another then.
	FreeSenders bool

	Faults Faults
}

// Arbitration is the order in which an output port serves its inputs.
type Arbitration uint8

// Arbitration orders.
const (
	FIFO       Arbitration = iota // first come, first served
	RoundRobin                    // cyclic over the switch's inputs
)

var arbitrations = names.NewEnum[Arbitration]("arbitration", "fifo", "round-robin")

func (a Arbitration) String() string { return arbitrations.Name(a) }

// UnmarshalText reads an order by its name.
func (a *Arbitration) UnmarshalText(name []byte) error { return arbitrations.Set(a, name) }

// Validate reports the first field that is not allowed.
func (s *Spec) Validate() error {
	if err := bounds.Check("network", s); err != nil {
		return err
	}
	if err := s.Topology.validate(); err != nil {
		return err
	}
	trip := s.tripBytes()
	switch {
	case s.FreeSenders && !s.Uncontended:
		return bounds.Wrong("network.FreeSenders", true, "an uncontended fabric")
	case s.GoBytes < trip:
		return bounds.Wrong("network.go_bytes", s.GoBytes, "at least the %d bytes of a round trip, or the link would run dry", trip)
	case s.StopBytes <= s.GoBytes:
		return bounds.Wrong("network.stop_bytes", s.StopBytes, "more than go_bytes = %d", s.GoBytes)
	case s.StopBytes+trip > s.SlackBytes:
		return bounds.Wrong("network.slack_bytes", s.SlackBytes, "at least stop_bytes + %d bytes that arrive after STOP was sent = %d", trip, s.StopBytes+trip)
	}
	return s.Faults.validate(s.Nodes)
}

// tripBytes is what a link carries from the sending of STOP or GO until its
// effect arrives: two wires and a switch, rounded up.
func (s *Spec) tripBytes() int {
	return int(bytesIn(s.LinkRate, 2*s.WireDelay+s.SwitchDelay))
}
