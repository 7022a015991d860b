package fabric

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
)

// Buffer describes switches with shared buffers and output queues, and what keeps the buffers from
// overflowing.
type Buffer struct {
	Control       FlowControl `toml:"flow_control"`
	LargestPacket int         `toml:"largest_packet_bytes" range:"64..65536"` // on the wire

	// Of a switch, with none and pfc. A lossy packet enters the queue of an output if the queue is
	// at most Alpha times the free bytes then. With pfc the same holds for what has come
	// through an input; beyond that the input pauses its sender.
	SwitchBytes int     `toml:"switch_bytes,omitempty" range:"0..4294967296"`
	Alpha       float64 `toml:"alpha,omitempty" range:"0..1024"`

	// DropBand is below the limit of a queue, with none: packets that reach into it are dropped with a
	// probability that rises to 1 at the limit. With 0 senders in step lock one another out.
	DropBand int `toml:"drop_band_bytes,omitempty" range:"0..1073741824"`

	// Of an input of a switch, with pfc.
	Headroom int          `toml:"headroom_bytes,omitempty" range:"0..16777216"`  // kept for what comes after XOFF
	Xoff     int          `toml:"xoff_bytes,omitempty" range:"0..1073741824"`    // instead of Alpha times the free bytes; 0: none
	XonGap   int          `toml:"xon_gap_bytes,omitempty" range:"0..1073741824"` // XON so far below the limit
	Reaction sim.Duration `toml:"pause_reaction_ns,omitempty" range:"0..1e6"`    // of a sender to a pause frame

	InputBytes int `toml:"input_bytes,omitempty" range:"0..1073741824"` // buffer of an input, with credits

	ECN *ECN `toml:"ecn"`
}

// ECN describes how an output queue marks packets that enter it: none below Min, beyond Max all, and
// in between with a probability that rises in proportion up to Share.
type ECN struct {
	Min   int     `toml:"min_bytes" range:"1..1073741824"`
	Max   int     `toml:"max_bytes" range:"1..1073741824"`
	Share float64 `toml:"max_share" range:"0..1"`
}

// FlowControl is what keeps the buffers of switches from overflowing.
type FlowControl uint8

// Sorts of flow control.
const (
	Lossy   FlowControl = iota // nothing: packets without room are dropped
	PFC                        // inputs pause their senders, as in Ethernet for one priority
	Credits                    // a packet starts when the next input has room, as in InfiniBand
)

var flowControls = names.NewEnum[FlowControl]("flow control", "none", "pfc", "credits")

// String returns the name.
func (f FlowControl) String() string { return flowControls.Name(f) }

// Words returns the names.
func (FlowControl) Words() names.Words { return flowControls.Words() }

// UnmarshalText reads a flow control by its name.
func (f *FlowControl) UnmarshalText(name []byte) error { return flowControls.Set(f, name) }

// pauseBytes is a pause frame on the wire, with preamble and gap.
const pauseBytes = 84

// checkBuffer validates what switches with buffers need. Its error names the field and what was
// wanted.
func (s *Spec) checkBuffer() error {
	b := s.Buffer
	if err := s.checkUnused(); err != nil {
		return err
	}
	switch {
	case s.Arbitration != FIFO:
		return bounds.Wrong("network.arbitration", s.Arbitration, "fifo, the order of output queues")
	case b.ECN != nil && b.ECN.Max <= b.ECN.Min:
		return bounds.Wrong("network.buffer.ecn.max_bytes", b.ECN.Max, "more than min_bytes = %d", b.ECN.Min)
	case b.Control == Credits && b.InputBytes < b.LargestPacket:
		return bounds.Wrong("network.buffer.input_bytes", b.InputBytes, "at least largest_packet_bytes = %d", b.LargestPacket)
	case b.Control == Credits:
		return nil
	case b.Alpha == 0 && b.Xoff == 0:
		return bounds.Wrong("network.buffer.alpha", b.Alpha, "more than 0 with flow_control %q", b.Control)
	}
	if need := s.headroomNeed(); b.Control == PFC && b.Headroom < need {
		return bounds.Wrong("network.buffer.headroom_bytes", b.Headroom, "at least %d: what comes until a pause has its effect, and a packet", need)
	}
	if need := s.layout().ports()*b.Headroom + b.LargestPacket; b.SwitchBytes < need {
		return bounds.Wrong("network.buffer.switch_bytes", b.SwitchBytes, "at least %d: the headroom of all ports, and a packet", need)
	}
	return nil
}

// checkUnused refuses fields that switches with buffers, or their flow control, do not use.
func (s *Spec) checkUnused() error {
	b := s.Buffer
	limit, _ := s.BlockLimit.In("ms")
	reaction, _ := b.Reaction.In("ns")
	pfc, credits := b.Control == PFC, b.Control == Credits
	for _, f := range []struct {
		key   string
		value float64
		used  bool
	}{
		{"slack_bytes", float64(s.SlackBytes), false},
		{"stop_bytes", float64(s.StopBytes), false},
		{"go_bytes", float64(s.GoBytes), false},
		{"block_limit_ms", limit, false},
		{"buffer.switch_bytes", float64(b.SwitchBytes), !credits},
		{"buffer.alpha", b.Alpha, !credits},
		{"buffer.drop_band_bytes", float64(b.DropBand), b.Control == Lossy},
		{"buffer.headroom_bytes", float64(b.Headroom), pfc},
		{"buffer.xoff_bytes", float64(b.Xoff), pfc},
		{"buffer.xon_gap_bytes", float64(b.XonGap), pfc},
		{"buffer.pause_reaction_ns", reaction, pfc},
		{"buffer.input_bytes", float64(b.InputBytes), credits},
	} {
		if f.value != 0 && !f.used {
			return bounds.Wrong("network."+f.key, f.value, "none with network.buffer.flow_control = %q", b.Control)
		}
	}
	return nil
}

// headroomNeed returns the most bytes that can arrive at an input after the packet that makes it
// send XOFF. They are what is sent until the pause takes effect (one wire and switch before the
// look at the packet, a pause frame behind a packet in the other direction, a wire and the sender's
// reaction), and the rest of the packet that is then in progress.
func (s *Spec) headroomNeed() int {
	slowest, longest := s.LinkRate, s.WireDelay
	for _, l := range s.Inward {
		slowest, longest = min(slowest, l.LinkRate), max(longest, l.WireDelay)
	}
	wait := slowest.Time(s.Buffer.LargestPacket + pauseBytes)
	return int(bytesIn(s.LinkRate, s.WireDelay+s.SwitchDelay+wait+longest+s.Buffer.Reaction)) + s.Buffer.LargestPacket
}
