package trace

import "fmt"

// Why a node loses records of packets.
const (
	RingFull = "ring full"      // the ring in SRAM had no room
	NoClock  = "no clock table" // there was no table to convert the registers with
)

// Gap is records in a row that a node has lost, and its records on either side.
type Gap struct {
	Lost      uint64
	Why       string
	Before    Half // of the node, if HasBefore
	After     Half // of the node, if HasAfter
	HasBefore bool
	HasAfter  bool
}

// GapRow is a gap in the packet records of a node.
type GapRow struct {
	Node       int64      `col:"node" range:"0.." doc:"the node that lost records"`
	FromNs     Opt[int64] `col:"from_ns" unit:"ns" doc:"the last instant of the record before the gap; null: the gap begins with the recording"`
	ToNs       Opt[int64] `col:"to_ns" unit:"ns" doc:"the last instant of the record after the gap; null: the gap ends with the recording"`
	Lost       int64      `col:"lost" range:"1.." doc:"records lost in a row"`
	Why        string     `col:"why" named:"yes" doc:"ring full, or no clock table"`
	FromSender Opt[int64] `col:"from_sender" doc:"sender of the packet of the record before"`
	FromNumber Opt[int64] `col:"from_number" doc:"number of that packet"`
	ToSender   Opt[int64] `col:"to_sender" doc:"sender of the packet of the record after"`
	ToNumber   Opt[int64] `col:"to_number" doc:"number of that packet"`
}

// TableName implements Row.
func (GapRow) TableName() string { return "gaps" }

// Conditions implements the interface of that name.
func (r GapRow) Conditions() error {
	if r.FromNs.OK != r.FromSender.OK || r.FromNs.OK != r.FromNumber.OK || r.ToNs.OK != r.ToSender.OK || r.ToNs.OK != r.ToNumber.OK {
		return fmt.Errorf("from_ns, from_sender, from_number, to_ns, to_sender, to_number: wanted those of a record all or none")
	}
	return nil
}

// row makes the row of a node's gap.
func (g *Gap) row(node int) GapRow {
	r := GapRow{Node: int64(node), Lost: int64(g.Lost), Why: g.Why}
	for _, side := range []struct {
		has                bool
		h                  *Half
		at, sender, number *Opt[int64]
	}{{g.HasBefore, &g.Before, &r.FromNs, &r.FromSender, &r.FromNumber}, {g.HasAfter, &g.After, &r.ToNs, &r.ToSender, &r.ToNumber}} {
		if side.has {
			*side.at, *side.sender, *side.number = Some(side.h.last()), Some(int64(side.h.Sender)), Some(int64(side.h.Number))
		}
	}
	return r
}
