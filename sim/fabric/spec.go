package fabric

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec describes a fabric, as the network section of a profile does. All links
// are alike.
type Spec struct {
	Topology
	LinkRate    sim.Rate     `toml:"link_mbps" range:"0.001..1e7"` // in each direction
	WireDelay   sim.Duration `toml:"wire_ns" range:"0.001..1e6"`   // time of flight on one link
	SwitchDelay sim.Duration `toml:"switch_ns" range:"0..1e6"`     // cut-through time of one switch
	Arbitration Arbitration  `toml:"arbitration"`                  // order in which an output port serves its inputs

	// Slack buffer of a switch's input port: its size, the fill at which STOP
	// is sent and the fill at which GO is sent, in bytes.
	SlackBytes int `toml:"slack_bytes,omitempty" range:"0..1048576"`
	StopBytes  int `toml:"stop_bytes,omitempty" range:"0..1048576"`
	GoBytes    int `toml:"go_bytes,omitempty" range:"0..1048576"`

	// BlockLimit is how long a sender waits in STOP before it performs a
	// forward reset.
	BlockLimit sim.Duration `toml:"block_limit_ms,omitempty" range:"0|0.001..1e6"`

	// Buffer makes switches with shared buffers instead of wormhole switching. The slack and
	// the block limit are 0 then.
	Buffer *Buffer `toml:"buffer"`

	// Uncontended gives every port infinite capacity: no packet waits for
	// another one. Delays, rates and refusals by receivers remain.
	Uncontended bool

	// FreeSenders lets a node inject any number of packets at the same time,
	// which may then overtake one another. It requires Uncontended.
	FreeSenders bool

	// Free are ports of switches with infinite capacity, by name. A packet passes one as soon as its head has come,
	// and what goes on through it is never told to stop.
	Free []string `toml:"-"`

	// Inward are links into nodes that differ from the others, as where the two directions of
	// a circuit do.
	Inward []Link `toml:"inward,omitempty"`

	Faults Faults
}

// Link overrides rate and delay of the link into a node. Its rate bounds packets on their whole
// route.
type Link struct {
	Node      int          `toml:"node" range:"0..16383"` // one that the fabric does not have: no link
	LinkRate  sim.Rate     `toml:"link_mbps" range:"0.001..1e7"`
	WireDelay sim.Duration `toml:"wire_ns" range:"0.001..1e9"`
}

// into returns rate and delay of the link into a node.
func (s *Spec) into(node int32) (sim.Rate, sim.Duration) {
	for i := range s.Inward {
		if l := &s.Inward[i]; l.Node == int(node) {
			return l.LinkRate, l.WireDelay
		}
	}
	return s.LinkRate, s.WireDelay
}

// Arbitration is the order in which an output port serves its inputs.
type Arbitration uint8

// Arbitration orders.
const (
	FIFO       Arbitration = iota // first come, first served
	RoundRobin                    // cyclic over the switch's inputs
)

var arbitrations = names.NewEnum[Arbitration]("arbitration", "fifo", "round-robin")

// String returns the name.
func (a Arbitration) String() string { return arbitrations.Name(a) }

// Words returns the names.
func (Arbitration) Words() names.Words { return arbitrations.Words() }

// UnmarshalText reads an order by its name.
func (a *Arbitration) UnmarshalText(name []byte) error { return arbitrations.Set(a, name) }

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := cmp.Or(bounds.Check("network", s), s.Topology.validate()); err != nil {
		return err
	}
	if s.FreeSenders && !s.Uncontended {
		return bounds.Wrong("network.FreeSenders", true, "an uncontended fabric")
	}
	if len(s.Faults.Storms) > 0 && !s.Pauses() {
		return bounds.Wrong("network.Faults.storms[0].node", s.Faults.Storms[0].Node, "none: the network has no switches with network.buffer.flow_control = %q", PFC)
	}
	check := s.checkSlack
	if s.Buffer != nil {
		check = s.checkBuffer
	}
	return cmp.Or(check(), s.Faults.Validate("network.Faults", s.Nodes))
}

// checkSlack validates what wormhole switching needs. Invariant: a round trip of STOP or GO fits
// below go_bytes, so that a link never runs dry, and above stop_bytes, so that a slack buffer never
// overflows.
func (s *Spec) checkSlack() error {
	roundTrip := s.tripBytes()
	switch {
	case s.BlockLimit == 0:
		return bounds.Wrong("network.block_limit_ms", 0, "0.001 to 1e6")
	case s.SlackBytes == 0:
		return bounds.Wrong("network.slack_bytes", 0, "1 to 1048576")
	case s.StopBytes == 0:
		return bounds.Wrong("network.stop_bytes", 0, "1 to 1048576")
	case s.GoBytes < roundTrip:
		return bounds.Wrong("network.go_bytes", s.GoBytes, "at least the %d bytes of a round trip, or the link would run dry", roundTrip)
	case s.StopBytes <= s.GoBytes:
		return bounds.Wrong("network.stop_bytes", s.StopBytes, "more than go_bytes = %d", s.GoBytes)
	case s.StopBytes+roundTrip > s.SlackBytes:
		return bounds.Wrong("network.slack_bytes", s.SlackBytes, "at least stop_bytes + %d bytes that arrive after STOP was sent = %d", roundTrip, s.StopBytes+roundTrip)
	}
	return nil
}

// tripBytes returns the bytes that a link carries from the sending of STOP or
// GO until its effect arrives: two wires and a switch, rounded up.
func (s *Spec) tripBytes() int {
	return int(bytesIn(s.LinkRate, 2*s.WireDelay+s.SwitchDelay))
}

// Faults describes injected faults. The zero value has none.
type Faults struct {
	// ErrorPerByte is the probability that an error starts at a byte between
	// sender and receiver.
	ErrorPerByte float64 `json:"bit_error" range:"0..<1" flag:"fault-bit-error" help:"probability that an error starts at a byte on a link"`
	// BurstBytes is the length of an error. 0 or 1 flips a single bit, which
	// the CRC always shows; longer ones replace that many bytes by random ones,
	// of which the CRC misses about one in 256.
	BurstBytes int     `json:"burst_bytes" range:"0..4096 bytes" flag:"fault-burst" zero:"yes" help:"bytes that an error replaces; 0 or 1: it flips a single bit"`
	DropAck    float64 `json:"drop_ack" range:"0..<1" flag:"fault-drop-ack" help:"probability that an acknowledgement is lost"`
	Stalls     []Stall `json:"stalls" flag:"fault-stall" help:"a node's interface accepts no packets for a while, NODE:START:FOR; may be repeated"`
	// Outages are times in which the link of a node is down. What is injected meanwhile, by the node or
	// for it, is lost; what is in flight still arrives.
	Outages []Stall `json:"outages,omitempty" flag:"fault-outage" help:"a node's link is down for a while, NODE:START:FOR; may be repeated"`
	// Storms are times in which the switch of a node tells it to pause, again and again.
	Storms []Stall `json:"storms,omitempty" flag:"fault-storm" help:"a switch with pause frames pauses a node for a while, NODE:START:FOR; may be repeated"`
	Drops  []Drop  `json:"-" flag:"- for tests"`
	Breaks []Break `json:"-" flag:"- for tests"`
	Losses []Loss  `json:"-" flag:"- for tests"`
	// Later keeps DropAck, Losses and all that has a time of a node back until Net.Begin.
	Later bool `json:"-" flag:"- set by a run"`
}

// Any reports whether there are faults.
func (f *Faults) Any() bool {
	return f.ErrorPerByte > 0 || f.DropAck > 0 || len(f.Stalls)+len(f.Outages)+len(f.Storms)+len(f.Drops)+len(f.Breaks)+len(f.Losses) > 0
}

// Drop drops Count packets of a kind, starting with the nth injected one.
type Drop struct {
	Kind  trace.Kind
	Nth   uint64 `range:"1.."` // counted from 1
	Count uint64 // 0 means 1
}

// Loss loses a share of the packets on the link of a node into the network.
type Loss struct {
	Node  int
	Share float64 `range:"0..1"`
}

// Stall makes the receiver of a node refuse all packets for a time. Switches with pause frames are paused by it, as by
// a card that sends one after the other.
type Stall struct {
	Node int          `json:"node" range:"0.."`
	At   sim.Time     `json:"start_ps" range:"0.."` // counted from when the faults begin
	For  sim.Duration `json:"for_ps" range:"0<.."`
}

// Validate checks what no tag can say; path is the name of the faults.
func (f *Faults) Validate(path string, nodes int) error {
	for i, d := range f.Drops {
		if d.Kind >= trace.NumKinds {
			return bounds.Wrong(fmt.Sprintf("%s.Drops[%d].Kind", path, i), d.Kind, "a packet kind")
		}
	}
	return cmp.Or(checkTimes(path+".stalls", f.Stalls, nodes), checkTimes(path+".outages", f.Outages, nodes), checkTimes(path+".storms", f.Storms, nodes))
}

// checkTimes checks times of nodes.
func checkTimes(path string, all []Stall, nodes int) error {
	for i, s := range all {
		switch {
		case s.Node >= nodes:
			return bounds.Wrong(fmt.Sprintf("%s[%d].node", path, i), s.Node, "0 to %d", nodes-1)
		case s.At > sim.Never-sim.Time(s.For):
			return bounds.Wrong(fmt.Sprintf("%s[%d].for_ps", path, i), s.For, "an end within the range of time")
		}
	}
	return nil
}

// Pauses reports whether switches tell senders to pause.
func (s *Spec) Pauses() bool {
	return s.Buffer != nil && s.Buffer.Control == PFC && s.Topology.Shape != Cable
}

// Break is the permanent failure of a link in both directions: the first link between
// switches on the route between two nodes. A packet injected later with a route across it
// is lost; one in flight still arrives.
type Break struct {
	From, To int
	At       sim.Time
}

// bytesIn returns how many bytes have started d after the first one, at rate r.
func bytesIn(r sim.Rate, d sim.Duration) int64 {
	if d <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(d), uint64(r))
	lo, carry := bits.Add64(lo, uint64(sim.Second)-1, 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(sim.Second))
	return int64(q)
}
