package monitor

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Monitor is the monitor's part of one card's firmware.
type Monitor struct {
	nic       *ni.NIC
	spec      Spec
	cost      *Cycles
	build     Build
	recording bool
	since     uint64 // ticks when recording began, or the histograms were cleared
	origin    int64  // of times in records: global, in subticks
	bank      *histo.Bank
	variance  bool
	waiting   ring.Ring[sample] // to be binned, in as many slots of SRAM as the spec has
	clock     *GlobalClock
	tracer    *tracer         // nil unless packets are traced
	spans     *spanLog        // nil unless operations are recorded
	phases    map[string]bool // if any, record within them only; true once a program has reached it
	stats     Stats
}

// Stats counts what the monitor did beside its histograms.
type Stats struct {
	Inline     uint64 // samples binned at once, because no slot was left
	Repeated   uint64 // retransmissions, which are not binned
	Unanchored uint64 // packets without a Net: no clock table yet, or no T3 in the header
	Truth      Truth
}

// sample is a pair of latencies that waits to be binned: Source and LANai at
// the sender, Net and Dest at the receiver.
type sample struct {
	packet histo.Packet
	stages [2]trace.Stage
	ticks  [2]int64
}

// spanLog holds, in host memory, what the processes of a node have reported of
// their operations.
type spanLog struct {
	marks []trace.Mark
}

// Words of the packet header that the monitor uses. On the wire it is the
// time stamp of T3 beside the tag; the rest is what the receiving card keeps
// with the packet until its deposit has ended.
const (
	wordT3 = ni.FirstProbeWord + iota
	wordT5
	wordNet
)

// noNet stands for a missing Net; in a sample it is math.MinInt64.
const noNet = 1 << 63
