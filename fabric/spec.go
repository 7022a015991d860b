package fabric

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Spec describes a fabric. All links are alike.
type Spec struct {
	Topology    Topology
	LinkRate    sim.Rate     // bytes/s in each direction
	WireDelay   sim.Duration // time of flight on one link
	SwitchDelay sim.Duration // cut-through time of one switch
	Arbitration Arbitration  // who gets an output port that several wait for

	// Slack buffer of a switch's input port: its size, the fill at which STOP
	// is sent and the fill at which GO is sent, in bytes.
	SlackBytes int
	StopBytes  int
	GoBytes    int

	// BlockLimit is how long a sender waits in STOP before it performs a
	// forward reset.
	BlockLimit sim.Duration

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

func (a Arbitration) String() string {
	switch a {
	case FIFO:
		return "fifo"
	case RoundRobin:
		return "round-robin"
	}
	return fmt.Sprintf("arbitration(%d)", uint8(a))
}

// ParseArbitration returns the order of that name.
func ParseArbitration(s string) (Arbitration, error) {
	for _, a := range []Arbitration{FIFO, RoundRobin} {
		if a.String() == s {
			return a, nil
		}
	}
	return 0, fmt.Errorf("arbitration %q: want fifo or round-robin", s)
}

// Limits of sense for a Spec; beyond them a unit was mixed up.
const (
	maxRate  = sim.Rate(1e12)
	maxDelay = sim.Millisecond
	maxSlack = 1 << 20
)

// Validate returns an error that names the first bad field, its value and
// what was wanted.
func (s *Spec) Validate() error {
	bad := func(field string, value any, want string, args ...any) error {
		return fmt.Errorf("fabric.%s = %v: want %s", field, value, fmt.Sprintf(want, args...))
	}
	if err := s.Topology.Validate(); err != nil {
		return err
	}
	switch {
	case s.FreeSenders && !s.Uncontended:
		return bad("FreeSenders", s.FreeSenders, "an uncontended fabric")
	case s.LinkRate <= 0 || s.LinkRate > maxRate:
		return bad("LinkRate", int64(s.LinkRate), "1 to %d bytes/s", int64(maxRate))
	case s.WireDelay <= 0 || s.WireDelay > maxDelay:
		return bad("WireDelay", s.WireDelay, "more than 0 and at most %v", maxDelay)
	case s.SwitchDelay < 0 || s.SwitchDelay > maxDelay:
		return bad("SwitchDelay", s.SwitchDelay, "0 to %v", maxDelay)
	case s.Arbitration > RoundRobin:
		return bad("Arbitration", s.Arbitration, "fifo or round-robin")
	case s.BlockLimit <= 0:
		return bad("BlockLimit", s.BlockLimit, "more than 0")
	case s.SlackBytes < 1 || s.SlackBytes > maxSlack:
		return bad("SlackBytes", s.SlackBytes, "1 to %d", maxSlack)
	}
	trip := s.tripBytes()
	switch {
	case s.GoBytes < trip:
		return bad("GoBytes", s.GoBytes, "at least the %d bytes of a round trip, or the link would run dry", trip)
	case s.StopBytes <= s.GoBytes:
		return bad("StopBytes", s.StopBytes, "more than GoBytes = %d", s.GoBytes)
	case s.StopBytes+trip > s.SlackBytes:
		return bad("SlackBytes", s.SlackBytes, "at least StopBytes + %d bytes that arrive after STOP was sent = %d", trip, s.StopBytes+trip)
	}
	return s.Faults.validate(s.Topology.Nodes)
}

// tripBytes is what a link carries from the sending of STOP or GO until its
// effect arrives: two wires and a switch, rounded up.
func (s *Spec) tripBytes() int {
	return int(bytesIn(s.LinkRate, 2*s.WireDelay+s.SwitchDelay))
}
