package tui

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// rankedPackets is how many of the slowest packets are found at once.
const rankedPackets = 100

// time returns how long the packet was in the stage.
func (r ranking) time(k *packet) (ns int64, ok bool) {
	from, to, _ := k.stage(r.stage)
	return to - from, from != never && to != never
}

// slowest reads the whole trace for the slowest packets.
func (r ranking) slowest(dir string) (*ranked, error) {
	out := &ranked{ranking: r}
	order := func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number, b.number))
	}
	least := never
	trim := func() {
		slices.SortFunc(out.list, order)
		if out.list = out.list[:min(len(out.list), rankedPackets)]; len(out.list) == rankedPackets {
			least = out.list[rankedPackets-1].ns
		}
	}
	err := explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			k := packetOf(&rows[i])
			ns, ok := r.time(&k)
			if !ok || ns < least || !r.of.matches(&k) {
				continue
			}
			if out.list = append(out.list, placed{k, ns}); len(out.list) >= 8*rankedPackets {
				trim()
			}
		}
		return nil
	})
	trim()
	return out, err
}

// said is what a ranking says of its packets.
type said struct{ none, first, all, next string }

func (r ranking) said() said {
	if r.waiting {
		return said{"No selected packet of the trace waits.", "This is the packet that waits longest.", "those that wait longest", "u next, enter for whom it waits."}
	}
	stage := analysis.StageName(r.stage)
	return said{"The trace has no selected packet with a time in " + stage + ".", "This is the slowest packet.", "the slowest in " + stage, "n next, enter for its six instants."}
}

// longest finds the packets that wait longest, and reads the whole trace for their instants.
func (r ranking) longest(dir string, a *account.Account) (out *ranked, err error) {
	if a == nil { // of a long log the sums are needed only
		if a, err = explain.ReadWaits(dir, &account.Period{}); err != nil {
			return nil, err
		}
	}
	type number struct{ sender, number int64 }
	type waiter struct {
		number
		ns int64
	}
	var list []waiter
	for id := 1; id < len(a.Actors); id++ {
		x := &a.Actors[id]
		k := packet{kind: x.Kind, tag: x.Tag, sender: uint16(x.Node), receiver: uint16(x.Peer), first: r.of.group.First.Value}
		if ns := a.Waited(waits.ID(id)) / 1000; x.Type == waits.Packet && x.Number >= 0 && ns > 0 && r.of.matches(&k) {
			list = append(list, waiter{number{int64(x.Node), x.Number}, ns})
		}
	}
	slices.SortFunc(list, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number.number, b.number.number))
	})
	place := map[number]int{}
	for i, w := range list[:min(len(list), rankedPackets)] {
		place[w.number] = i
	}
	found := make([]placed, len(place))
	err = explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			if at, ok := place[number{rows[i].Sender, rows[i].Number}]; ok {
				if k := packetOf(&rows[i]); r.of.matches(&k) {
					found[at] = placed{k, list[at].ns}
				}
			}
		}
		return nil
	})
	return &ranked{r, slices.DeleteFunc(found, func(p placed) bool { return p.ns == 0 })}, err
}
