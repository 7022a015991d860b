package report

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// slots is the number of stretches of time that a timeline tells apart.
const slots = 240

// maxPhases is the largest number of phases that a timeline names.
const maxPhases = 40

// Timeline counts the packets on their way over a traced run: the mean number in each
// stretch of time, by the node that has them, or by group if there are many nodes.
type Timeline struct {
	nodes  int
	group  int // nodes in a lane
	lanes  int
	slotNs int64
	busy   []float64 // by lane and slot, packets times ns
	read   int64     // packets
	part   bool      // some were left out
}

// newTimeline returns an empty timeline of a run.
func newTimeline(m trace.Manifest) *Timeline {
	group := max((m.Nodes+maxMatrix-1)/maxMatrix, 1)
	lanes := (m.Nodes + group - 1) / group
	return &Timeline{nodes: m.Nodes, group: group, lanes: lanes, slotNs: max((m.SimulatedNs+slots-1)/slots, 1), busy: make([]float64, lanes*slots)}
}

// Window returns when a slot begins and ends.
func (t *Timeline) Window(slot int) (from, to int64) {
	return int64(slot) * t.slotNs, int64(slot+1)*t.slotNs - 1
}

// Add counts packets in the slots from one to another, which is not included. Part says that
// packets of other slots are left out.
func (t *Timeline) Add(rows []trace.PacketRow, from, to int) {
	t.part = t.part || from > 0 || to < slots
	for i := range rows {
		r := &rows[i]
		t.read++
		t.occupy(r.Sender, r.T1Ns, r.T4Ns, from, to)
		t.occupy(r.Receiver, r.T4Ns, r.T6Ns, from, to)
	}
}

// occupy adds the time that a packet is at a node.
func (t *Timeline) occupy(node int64, begin, end trace.Opt[int64], first, last int) {
	if !begin.OK || !end.OK || node < 0 || int(node) >= t.nodes {
		return
	}
	from, to := max(begin.Value, int64(first)*t.slotNs), min(end.Value, int64(last)*t.slotNs)
	for slot := from / t.slotNs; slot < int64(last) && slot*t.slotNs < to; slot++ {
		t.busy[int(node)/t.group*slots+int(slot)] += float64(min(to, (slot+1)*t.slotNs) - max(from, slot*t.slotNs))
	}
}

// name names a lane.
func (t *Timeline) name(lane int) string {
	if t.group == 1 {
		return fmt.Sprintf("node %d", lane)
	}
	return fmt.Sprintf("%d to %d", lane*t.group, min((lane+1)*t.group, t.nodes)-1)
}

// chart draws the timeline under the phases of the program. Events have frames in the lanes of their nodes.
func (t *Timeline) chart(phases []trace.SpanRow, events []causal.Event, all int64) chart.Chart {
	c := chart.Chart{Name: "timeline", Title: "Packets on their way at each node over time", X: TimeAxis("ms", chart.Linear), Y: chart.Axis{Hi: float64(t.lanes), Marks: []chart.Tick{}}, Room: 60}
	c.Tall, c.X.Hi = float64(max(18*t.lanes, 80)), float64(slots*t.slotNs)/1e6
	for i := range t.lanes {
		lane := float64(t.lanes - 1 - i)
		c.Y.Marks = append([]chart.Tick{{Value: lane + 0.5, Text: t.name(i)}}, c.Y.Marks...)
		for slot := range slots {
			n := t.busy[i*slots+slot] / float64(t.slotNs) / float64(t.group)
			from, to := int64(slot)*t.slotNs, int64(slot+1)*t.slotNs
			if n >= 0.005 {
				c.Cells = append(c.Cells, chart.Cell{X0: float64(from) / 1e6, X1: float64(to) / 1e6, Y0: lane + 0.05, Y1: lane + 0.95, N: 100 * n,
					Hint: fmt.Sprintf("%s, %s: %.2f packets", t.name(i), analysis.Period(from, to), n)})
			}
		}
	}
	for _, p := range phases {
		c.Bands = append(c.Bands, chart.Band{Name: p.Name, From: float64(p.BeginNs) / 1e6, To: float64(p.EndNs) / 1e6})
	}
	for _, e := range events {
		lane := float64(t.lanes - 1 - e.Node/t.group)
		c.Boxes = append(c.Boxes, chart.Box{X0: float64(e.FromNs) / 1e6, X1: float64(e.ToNs) / 1e6, Y0: lane + 0.05, Y1: lane + 0.95,
			Look: chart.Look{Ink: cell.Warn}, Hollow: true, Hint: e.String() + ", " + analysis.Period(e.FromNs, e.ToNs)})
	}
	if len(events) > 0 {
		c.Notes = append(c.Notes, "frame: an event, see the table of events")
	}
	if t.part {
		c.Notes = append(c.Notes, fmt.Sprintf("from %s of", analysis.Digits(t.read)), analysis.Digits(all)+" packets")
	}
	return c
}
