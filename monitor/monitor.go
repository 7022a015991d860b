package monitor

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Monitor is the monitor's part of one card's firmware.
type Monitor struct {
	// What every packet uses comes first.
	nic      *ni.NIC
	tracer   *tracer // nil unless packets are traced
	build    Build
	active   Build // the parts that record now: all that are built, or none
	variance bool
	follows  bool                    // the layout has sequences
	since    uint64                  // ticks when recording began or the histograms were cleared
	waiting  ring.Ring[histo.Sample] // deferred samples, at most DeferredSlots of the spec
	takes    takes
	spec     *Spec
	clock    *GlobalClock
	binned   [2][]histo.Sample // sent and received, not yet in the bank, see file
	stats    Stats
	last     follower // the last request
	skipped  int      // requests since the last one that is recorded
	lost     histo.Sample

	cost   *Cycles
	origin int64 // global time, in subticks, of time 0 in records
	bank   *histo.Bank
	marks  *trace.Marks    // nil unless operations are recorded
	phases map[string]bool // if any, record only within them; true once a program has reached it
	_      [16]byte        // to whole cache lines
}

// takes is the time of the steps that every packet needs.
type takes struct{ request, fetched, header, sent, arrived, done, convert, deferring, bin sim.Duration }

// Stats counts the work of the monitor besides its histograms.
type Stats struct {
	Lost       uint64 // samples for which no slot was free, on a card that does not wait
	Inline     uint64 // samples binned immediately, because no slot was free
	Repeated   uint64 // retransmissions, which are not binned
	Unanchored uint64 // packets without a Net: no clock table yet, or no T3 in the header
	Truth      Truth
}

// follower is the packet whose insertion began last at this interface, for the predecessor of the
// next.
type follower struct {
	record *ni.Record
	tag    trace.Tag
	peer   int32
	kind   trace.Kind
	class  int // of its size
	left   bool
	t4     uint64 // if it has left
}

// Words of the packet header that the monitor uses. On the wire there are only
// T3's time stamp and the tag; the receiving interface keeps the other words
// with the packet until its deposit has ended.
const (
	wordT3 = ni.FirstProbeWord + iota
	wordT5
	wordTrueT5 // in simulated time, for Truth alone
)
