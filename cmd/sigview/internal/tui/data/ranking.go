package data

import (
	"cmp"
	"slices"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// RankedPackets is how many of the slowest packets are found at once.
const RankedPackets = 100

// time returns how long the packet was in the stage.
func (r Ranking) time(k *Packet) (ns int64, ok bool) {
	from, to, _ := k.Stage(r.Stage)
	return to - from, from != Never && to != Never
}

// Slowest reads the whole trace for the slowest packets.
func (r Ranking) Slowest(dir string) (*Ranked, error) {
	out := &Ranked{Ranking: r}
	order := func(a, b Placed) int {
		return cmp.Or(cmp.Compare(b.Ns, a.Ns), cmp.Compare(a.Begin(), b.Begin()), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	}
	least := Never
	trim := func() {
		slices.SortFunc(out.List, order)
		if out.List = out.List[:min(len(out.List), RankedPackets)]; len(out.List) == RankedPackets {
			least = out.List[RankedPackets-1].Ns
		}
	}
	err := explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			k := packetOf(&rows[i])
			ns, ok := r.time(&k)
			if !ok || ns < least || !r.Of.Matches(&k) {
				continue
			}
			if out.List = append(out.List, Placed{k, ns}); len(out.List) >= 8*RankedPackets {
				trim()
			}
		}
		return nil
	})
	trim()
	return out, err
}

// said is what a ranking says of its packets.
type said struct{ None, First, All, Next string }

func (r Ranking) Said(d *Data) said {
	if r.Waiting {
		return said{"No selected packet of the trace waits.", "This is the packet that waits longest.", "those that wait longest", "u next, enter for whom it waits."}
	}
	stage := d.StageName(r.Stage)
	return said{"The trace has no selected packet with a time in " + stage + ".", "This is the slowest packet.", "the slowest in " + stage, "n next, enter for its six instants."}
}

// Longest finds the packets that wait longest, and reads the whole trace for their instants.
func (r Ranking) Longest(dir string, a *account.Account) (out *Ranked, err error) {
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
		k := Packet{Kind: x.Kind, Tag: x.Tag, Sender: uint16(x.Node), Receiver: uint16(x.Peer), first: r.Of.Group.First.Value}
		if ns := a.Waited(waits.ID(id)) / 1000; x.Type == waits.Packet && x.Number >= 0 && ns > 0 && r.Of.Matches(&k) {
			list = append(list, waiter{number{int64(x.Node), x.Number}, ns})
		}
	}
	slices.SortFunc(list, func(a, b waiter) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number.number, b.number.number))
	})
	place := map[number]int{}
	for i, w := range list[:min(len(list), RankedPackets)] {
		place[w.number] = i
	}
	found := make([]Placed, len(place))
	err = explain.ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			if at, ok := place[number{rows[i].Sender, rows[i].Number}]; ok {
				if k := packetOf(&rows[i]); r.Of.Matches(&k) {
					found[at] = Placed{k, list[at].ns}
				}
			}
		}
		return nil
	})
	return &Ranked{r, slices.DeleteFunc(found, func(p Placed) bool { return p.Ns == 0 })}, err
}
