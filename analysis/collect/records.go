package collect

import (
	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// Records is what the nodes of a run hold at the end.
type Records struct {
	// Manifest says what was run: seed, workload, platform, number of nodes,
	// specification, simulated time, digest, warnings and, in Lost, what the network
	// lost. Run fills in the rest.
	Manifest trace.Manifest
	Programs []Program // by tag
	Nodes    []Node
	// Histograms are those of all nodes together, nil without a monitor.
	Histograms *histo.Snapshot
	// Refine puts percentiles into the signature that are known better than from these, nil: none.
	Refine func(*analysis.Signature)
	// Baseline returns that of the signature, which is asked for if there are packets; nil: none.
	Baseline  func() (analysis.Baseline, error)
	Estimator string // of the global clock
	Clock     []trace.ClockRow
	Online    []trace.OnlineRow
	Ports     []trace.PortRow
	Pauses    []trace.PauseRow
	Flows     []trace.FlowRow

	Packets *trace.Joiner // nil if packets were not traced
	Bins    *trace.Bins   // in host memory, nil without
	Marks   *trace.Marks  // nil if operations were not recorded
}

// Program is a program that has run. Its index in Records is its tag.
type Program struct {
	Name   string
	TookNs int64
	How    string // how its results were checked
	Wrong  error  // what is wrong with them, or nil
	Shares []trace.Shares
}

// Node is what one node has counted and recorded. Counts are of the whole run.
type Node struct {
	Packets       uint64 // sent, those that carry a host request
	Retransmitted uint64
	Corrupted     uint64 // refused by the checksum
	Dropped       uint64
	NotRecorded   uint64 // samples that the monitor had no room for
	Unconverted   uint64 // Net latencies without a clock table to convert them
	// Firmware counts packets that the firmware made by itself; kinds that it does not
	// make are missing.
	Firmware map[trace.Kind]uint64
	Clock    Clock
	Log      trace.Log
}

// Clock is how a node's conversions to global time compare with the truth, where that is known. Real hosts do
// not know it: Conversions is 0.
//
// Invariant: Covered <= Conversions.
type Clock struct {
	Rounds      int // ended; on the coordinator
	Messages    uint64
	Conversions uint64  // conversions compared
	Covered     uint64  // of these, with an error within the bound
	WorstNs     float64 // largest error
}
