package page

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Room for packets one by one.
const (
	mostSlow    = 1000
	mostNear    = 100 // of a finding
	mostPackets = 20_000
)

// Why a packet is kept.
const (
	slow = 1 << iota
	near
	sampled
)

// packet is one of a trace.
type packet struct {
	trace.PacketRow
	why  int64
	from int64 // its first instant
	ns   int64 // from there to its last one

	operation int64         // that it belongs to, by its place in a list, from 1; 0: none that is known
	of        trace.SpanRow // that operation
}

// id names a packet by its sender and the number that its monitor gave it.
type id struct{ sender, number int64 }

func (p *packet) id() id { return id{p.Sender, p.Number} }

// place is where and when a finding is to be seen.
type place struct {
	node     int // -1: everywhere
	from, to int64
}

func (at place) has(p *packet) bool {
	return p.from <= at.to && p.from+p.ns >= at.from && (at.node < 0 || int(p.Sender) == at.node || int(p.Receiver) == at.node)
}

// keeper chooses packets of a trace: the slowest, those near findings, those that are named, and a sample.
type keeper struct {
	named  map[id]bool
	places []place
	step   int64 // of the sample
	seen   int64
	slow   longest
	near   []longest // by place
	others []packet
}

func newKeeper(all int64, places []place, named map[id]bool) *keeper {
	return &keeper{named: named, places: places, step: max(all/(mostPackets/2), 1), near: make([]longest, len(places))}
}

func (k *keeper) add(r *trace.PacketRow) {
	p := packet{PacketRow: *r}
	from, to := r.Extent()
	p.from, p.ns = from, to-from
	k.slow.offer(p, mostSlow)
	kept := k.named[p.id()]
	for i, at := range k.places {
		if at.has(&p) {
			k.near[i].offer(p, mostNear)
		}
	}
	if kept {
		p.why = near
	}
	if k.seen%k.step == 0 {
		p.why |= sampled
	}
	if p.why != 0 && (kept || len(k.others) < mostPackets) {
		k.others = append(k.others, p)
	}
	k.seen++
}

// done returns the packets that are kept, each once, by their first instants.
func (k *keeper) done() (out []packet) {
	at := map[id]int{}
	take := func(list []packet, why int64) {
		for _, p := range list {
			i, known := at[p.id()]
			if !known {
				i = len(out)
				at[p.id()] = i
				out = append(out, p)
			}
			out[i].why |= why
		}
	}
	take(k.others, 0)
	take(k.slow, slow)
	for _, list := range k.near {
		take(list, near)
	}
	slices.SortFunc(out, func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	})
	return out
}

// belong notes to which operations packets belong, of a run in a directory. It returns the list with what it lacks.
func belong(dir string, list []packet, operations []string) ([]string, error) {
	type key struct {
		tag  trace.Tag
		span int64
	}
	of := map[key][]int{}
	for i := range list {
		if p := &list[i]; p.Span != 0 {
			k := key{p.Tag, p.Span}
			of[k] = append(of[k], i)
		}
	}
	err := rundir.Scan(dir, func(rows []trace.SpanRow) error {
		for _, r := range rows {
			packets := of[key{r.Tag, r.Span}]
			if packets == nil {
				continue
			}
			at := slices.Index(operations, r.Operation)
			if at < 0 {
				at, operations = len(operations), append(operations, r.Operation)
			}
			for _, i := range packets {
				list[i].operation, list[i].of = int64(at+1), r
			}
		}
		return nil
	})
	if errors.Is(err, rundir.ErrNoTable) {
		err = nil
	}
	return operations, err
}

// longest is a heap of packets, the shortest on top.
type longest []packet

func (l longest) Len() int { return len(l) }
func (l longest) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].ns, l[j].ns), cmp.Compare(l[j].from, l[i].from), cmp.Compare(l[j].Sender, l[i].Sender)) < 0
}
func (l longest) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l *longest) Push(x any)   { *l = append(*l, x.(packet)) }
func (l *longest) Pop() (x any) {
	last := len(*l) - 1
	x, *l = (*l)[last], (*l)[:last]
	return x
}

// offer adds a packet, and lets the shortest go if there are more than so many.
func (l *longest) offer(p packet, most int) {
	if len(*l) == most && p.ns <= (*l)[0].ns {
		return
	}
	if heap.Push(l, p); len(*l) > most {
		heap.Pop(l)
	}
}

// write adds the columns of packets. Kinds and programs are given by their places in lists.
func write(c *columns, list []packet, kinds map[string]int64, tags map[trace.Tag]int64) {
	figures := map[string][]int64{}
	put := func(name string, v int64) { figures[name] = append(figures[name], v) }
	for i := range list {
		p := &list[i]
		instants := []trace.Opt[int64]{p.T1Ns, p.T2Ns, p.T3Ns, p.T4Ns, p.T5Ns, p.T6Ns}
		first := instants[slices.IndexFunc(instants, func(t trace.Opt[int64]) bool { return t.OK })].Value // T3 is always known
		mask, before := int64(0), first
		for i, t := range instants {
			v := int64(0)
			if t.OK {
				mask |= 1 << i
				v, before = t.Value-before, t.Value
			}
			if i == 0 {
				v = first
			}
			put(fmt.Sprintf("p_at%d", i), v)
		}
		put("p_mask", mask)
		put("p_number", p.Number)
		put("p_sender", p.Sender)
		put("p_receiver", p.Receiver)
		put("p_size", p.SizeBytes)
		put("p_span", p.Span)
		put("p_kind", kinds[p.Kind])
		put("p_tag", tags[p.Tag])
		put("p_why", p.why)
		put("p_op", p.operation)
		put("p_op_node", p.of.Node)
		put("p_op_at", p.of.BeginNs-first)
		put("p_op_ns", p.of.DurationNs)
	}
	for _, col := range []struct {
		name string
		as   coding
	}{
		{"p_at0", delta}, {"p_at1", zigzag}, {"p_at2", zigzag}, {"p_at3", zigzag}, {"p_at4", zigzag}, {"p_at5", zigzag}, {"p_mask", plain},
		{"p_number", varint}, {"p_sender", varint}, {"p_receiver", varint}, {"p_size", varint}, {"p_span", varint}, {"p_kind", plain}, {"p_tag", plain}, {"p_why", plain},
		{"p_op", plain}, {"p_op_node", varint}, {"p_op_at", zigzag}, {"p_op_ns", varint},
	} {
		c.add(col.name, col.as, figures[col.name])
	}
}
