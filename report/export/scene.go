package export

import (
	"fmt"

	"github.com/sigview/sigview/report/export/perfetto"
	"github.com/sigview/sigview/trace"
)

// timeline writes a traced run for Perfetto: a process per node, with tracks for phases and
// operations, the stages of packets that are on its interface, and, if the run has recorded
// waiting, each engine. Times are those of the tables: global time for packets and
// operations, true time for engines.
type timeline struct {
	dir    string
	w      *perfetto.Writer
	m      trace.Manifest
	nodes  []perfetto.Track
	links  perfetto.Track
	from   int64 // ns, of the earliest instant: Perfetto's times are not negative
	pieces *pieces
}

// nanoseconds rounds picoseconds down, so that what meets in ps also does in ns.
func nanoseconds(ps int64) int64 {
	if ps < 0 {
		return (ps - 999) / 1000
	}
	return ps / 1000
}

// at converts a time to one of the trace.
func (t *timeline) at(ns int64) int64 { return ns - t.from }

// describe adds the nodes and says what the trace is of.
func (t *timeline) describe() {
	var pairs [][2]string
	for _, l := range t.m.Labels() {
		pairs = append(pairs, [2]string{l.Key, l.Value})
	}
	t.w.Attributes(append(pairs, [2]string{"sigview.time_0_ns", fmt.Sprint(t.from)}))
	for n := range t.m.Nodes {
		t.nodes = append(t.nodes, t.w.Process(fmt.Sprintf("node %d", n), n))
	}
	if hasTable[trace.WaitRow](t.m) {
		t.links = t.w.Process("network", t.m.Nodes)
	}
}
