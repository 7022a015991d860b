package data

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// Limits of what is read and kept of a trace, which bound time and memory.
const (
	KeptPackets = 250_000
	readPackets = 1 << 19
)

// Packets is a trace prepared for drawing: the number of packets in each stage at each node
// over time, of the whole run and finer of a part of it, and some packets one by one.
type Packets struct {
	Total  int64
	Partly int64 // of those one by one: packets with instants missing at one end
	Nodes  int
	EndNs  int64
	Run    *trace.Windows
	part   *trace.Windows // of the part that is shown, if that has been read
	List   []Packet       // by time
	Listed Period         // of which list has all packets
	Asked  Period         // for which part and list were read
	After  found          // beyond the list
	Slices *SliceCache    // of the list
}

// Period is a part of the run, and the cursor in it.
type Period struct{ From, To, At int64 }

// Request is what a picture needs of a trace: a part of it, or if beyond is set only the
// packets of a node from the cursor on.
type Request struct {
	Period
	Beyond bool
	Of     SliceKey
	Node   int
}

// found is what a request for packets beyond the list has found.
type found struct {
	Request
	list []Packet // at most foundPackets
}

const foundPackets = 256

// PacketID names a packet by its sender and the number that the sender's monitor gave it, or
// one without such a number by its actor in the log of who waited for whom.
type PacketID struct {
	Sender uint16
	Number int64
	Actor  waits.ID
	Named  bool
}

func (k *Packet) Id() PacketID { return PacketID{Sender: k.Sender, Number: k.Number, Named: true} }

// Packet is one packet in little memory.
type Packet struct {
	Number           int64    // that the sender's monitor gave it
	At               [6]int64 // instants, ns; unknown ones are never
	Size             int32
	Sender, Receiver uint16
	Kind             trace.Kind
	Tag              trace.Tag
	first            bool // of its message
	Span             uint32
}

const Never = int64(-1 << 62)

// newPackets prepares a trace. Of a long one it reads no packets.
func newPackets(d *Data) (*Packets, error) {
	m := d.Run.Manifest
	p := &Packets{Nodes: d.Nodes, EndNs: max(m.SimulatedNs, 1), Listed: Period{From: 1}, Slices: &SliceCache{}} // none listed
	rows, err := explain.Windows(d.Dir)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		p.Total = d.traced()
		p.Run, err = trace.WindowsOf(d.Nodes, m.SimulatedNs, rows)
		return p, err
	}
	p.Run = trace.NewWindows(d.Nodes, 0, m.SimulatedNs)
	err = explain.ScanPackets(d.Dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		p.Total += int64(len(rows))
		for i := range rows {
			p.Run.Add(&rows[i])
		}
		p.keep(rows)
		return nil
	})
	p.Run.Done()
	p.sort(Period{math.MinInt64, math.MaxInt64, 0})
	return p, err
}

// Wants returns what a picture needs and that has not been read, with the packets of a node
// unless that is everyone.
func (p *Packets) Wants(s *Selection, node int) (Request, bool) {
	if want, ok := p.Unread(s); ok {
		return Request{Period: want}, true
	}
	if node == Everyone && s.ToNs > s.FromNs && (s.FromNs < p.Listed.From || s.ToNs > p.Listed.To) { // of a slice all are needed
		want := Period{s.FromNs, s.ToNs, s.TimeCursor(p)}
		return Request{Period: want}, want != p.Asked
	}
	want := Request{Beyond: true, Period: Period{At: s.TimeCursor(p)}, Of: s.Key(), Node: node}
	if node == Everyone || p.Listed.To >= p.EndNs || p.After.Request == want || len(p.Near(want.Of, node, want.At, 1)) > 0 {
		return want, false
	}
	return want, true
}

// Unread returns the part of the run that a picture needs and that has not been read.
func (p *Packets) Unread(s *Selection) (want Period, ok bool) {
	want.From, want.To = s.TimeRange(p)
	want.At = s.TimeCursor(p)
	if want == p.Asked {
		return want, false
	}
	coarse := (want.To-want.From)/2 < p.Windows(want.From, want.To).WidthNs()*finest
	unlisted := want.At < p.Listed.From || want.At > p.Listed.To
	return want, coarse && p.Windows(want.From, want.To).WidthNs() > 1 || unlisted
}

// finest is how many windows a part should have at least: about as many as the columns of a
// wide terminal.
const finest = 256

// reads returns the trace with a part of it read: only the section that a picture of the part
// needs, and if that is too long, only packets from the cursor on.
func (p *Packets) reads(dir string, wanted Request) (*Packets, error) {
	if wanted.Beyond {
		return p.finds(dir, wanted)
	}
	want := wanted.Period
	out := &Packets{Total: p.Total, Nodes: p.Nodes, EndNs: p.EndNs, Run: p.Run, Asked: want, Slices: &SliceCache{}}
	margin := (want.To - want.From) / 2 // the cursor may move on
	in := rundir.Section{FromNs: max(want.From-margin, 0), ToNs: min(want.To+margin, p.EndNs)}
	index, err := rundir.ReadIndex(dir)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	for _, b := range index {
		if b.FromNs <= in.ToNs && b.ToNs >= in.FromNs {
			n += b.Rows
		}
	}
	if in.FromNs == 0 && in.ToNs == p.EndNs || n > readPackets {
		in = rundir.Section{FromNs: want.At, ToNs: math.MaxInt64}
	} else {
		out.part = trace.NewWindows(p.Nodes, in.FromNs, in.ToNs)
	}
	from := in.FromNs
	if n > KeptPackets {
		from = want.At
	}
	err = explain.ScanPackets(dir, in, func(rows []trace.PacketRow) error {
		if out.part != nil {
			for i := range rows {
				out.part.Add(&rows[i])
			}
		}
		if !p.Whole() {
			out.keep(slices.DeleteFunc(rows, func(r trace.PacketRow) bool { _, to := r.Extent(); return to < from }))
		}
		if out.part == nil && len(out.List) == KeptPackets {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	if out.part != nil {
		out.part.Done()
	}
	if out.sort(Period{from, in.ToNs, 0}); p.Whole() {
		out.List, out.Listed, out.Partly, out.Slices = p.List, p.Listed, p.Partly, p.Slices
	}
	return out, err
}

// finds returns the trace with the next packets of a node beyond the list.
func (p *Packets) finds(dir string, want Request) (*Packets, error) {
	out := &Packets{Total: p.Total, Partly: p.Partly, Nodes: p.Nodes, EndNs: p.EndNs, Run: p.Run, part: p.part, List: p.List, Listed: p.Listed, Asked: p.Asked, Slices: p.Slices}
	in := rundir.Section{FromNs: max(p.Listed.To, want.At), ToNs: math.MaxInt64, Nodes: []int64{int64(want.Node)}}
	out.After.Request = want
	err := explain.ScanPackets(dir, in, func(rows []trace.PacketRow) error {
		for i := range rows {
			if k := packetOf(&rows[i]); k.Begin() >= want.At && k.isOf(want.Node) && want.Of.Matches(&k) {
				out.After.list = append(out.After.list, k)
			}
		}
		if len(out.After.list) >= foundPackets {
			return errEnough
		}
		return nil
	})
	sortPackets(out.After.list)
	out.After.list = out.After.list[:min(len(out.After.list), foundPackets)]
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

var errEnough = errors.New("enough packets have been read")

// keep adds packets to those one by one, as far as there is room.
func (p *Packets) keep(rows []trace.PacketRow) {
	for i := range rows[:min(len(rows), KeptPackets-len(p.List))] {
		k := packetOf(&rows[i])
		if k.partly() {
			p.Partly++
		}
		p.List = append(p.List, k)
	}
}

// sort puts the packets one by one in the order of time. They are all of a period, unless there
// was no room for its last ones.
func (p *Packets) sort(of Period) {
	sortPackets(p.List)
	if p.Listed = of; len(p.List) == KeptPackets {
		p.Listed.To = p.List[len(p.List)-1].Begin()
	}
}

func sortPackets(list []Packet) {
	slices.SortFunc(list, func(a, b Packet) int {
		return cmp.Or(cmp.Compare(a.Begin(), b.Begin()), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Number, b.Number))
	})
}

func packetOf(r *trace.PacketRow) Packet {
	k := Packet{Number: r.Number, Size: int32(r.SizeBytes), Sender: uint16(r.Sender), Receiver: uint16(r.Receiver), Tag: r.Tag, first: r.First, Span: uint32(r.Span)}
	k.Kind, _ = trace.ParseKind(r.Kind) // rows were checked when they were read
	for i, v := range []trace.Opt[int64]{r.T1Ns, r.T2Ns, r.T3Ns, r.T4Ns, r.T5Ns, r.T6Ns} {
		if k.At[i] = Never; v.OK {
			k.At[i] = v.Value
		}
	}
	return k
}

// Row returns what is kept of a packet as a row of the trace.
func (k *Packet) Row() trace.PacketRow {
	r := trace.PacketRow{Number: k.Number, SizeBytes: int64(k.Size), Sender: int64(k.Sender), Receiver: int64(k.Receiver), Tag: k.Tag, First: k.first, Span: int64(k.Span), Kind: k.Kind.String()}
	for i, at := range []*trace.Opt[int64]{&r.T1Ns, &r.T2Ns, &r.T3Ns, &r.T4Ns, &r.T5Ns, &r.T6Ns} {
		*at = trace.Opt[int64]{Value: k.At[i], OK: k.At[i] != Never}
	}
	return r
}

// Stage returns when and at which node a packet was in a stage.
func (k *Packet) Stage(st trace.Stage) (from, to int64, node uint16) {
	switch st {
	case trace.Source:
		return k.At[0], k.At[1], k.Sender
	case trace.LANai:
		return k.At[1], k.At[3], k.Sender
	case trace.Net:
		return k.At[2], k.At[4], k.Receiver
	}
	return k.At[4], k.At[5], k.Receiver
}

// partly reports whether instants of one end are missing. Of packets that were stamped on the wire, T3 and T5 are all.
func (k *Packet) partly() bool {
	wire := k.At[0] == Never && k.At[5] == Never && k.At[4] != Never
	return !wire && (k.At[0] == Never || k.At[5] == Never)
}

// Begin returns the first known instant.
func (k *Packet) Begin() int64 {
	for _, t := range k.At {
		if t != Never {
			return t
		}
	}
	return Never
}

// Windows returns the finest windows that cover a part of the run.
func (p *Packets) Windows(from, to int64) *trace.Windows {
	if p.part != nil && p.part.Covers(max(from, 0), min(to, p.EndNs)) && p.part.WidthNs() < p.Run.WidthNs() {
		return p.part
	}
	return p.Run
}

// isOf reports whether a node has sent or received the packet.
func (k *Packet) isOf(node int) bool { return int(k.Sender) == node || int(k.Receiver) == node }

// begun returns the listed packets that begin in the time of a selection.
func (p *Packets) begun(key SliceKey) []Packet {
	if key.from == key.to {
		return p.List
	}
	from := sort.Search(len(p.List), func(i int) bool { return p.List[i].Begin() >= key.from })
	to := sort.Search(len(p.List), func(i int) bool { return p.List[i].Begin() > key.to })
	return p.List[from:to]
}

// Near returns at most n selected packets of a node that begin at a time or later: of those
// that are listed, or if none is, of those found beyond.
func (p *Packets) Near(of SliceKey, node int, at int64, n int) []Packet {
	if a := &p.After; a.Beyond && a.Of == of && a.Node == node && a.At == at {
		return a.list[:min(n, len(a.list))]
	}
	i := sort.Search(len(p.List), func(i int) bool { return p.List[i].Begin() >= at })
	var out []Packet
	for ; i < len(p.List) && len(out) < n; i++ {
		if k := p.List[i]; k.isOf(node) && of.Matches(&k) {
			out = append(out, k)
		}
	}
	return out
}

// Clocks is by how much instants of packets may differ from the simulation's time, ns.
const Clocks = 100_000

// Find returns a packet that begins at a time or later, if it has been read. The time may be of another clock than
// the packet's instants.
func (p *Packets) Find(id PacketID, from int64) (Packet, bool) {
	if id.Actor != 0 {
		return Packet{}, false
	}
	first := sort.Search(len(p.List), func(i int) bool { return p.List[i].Begin() >= from-Clocks })
	for _, list := range [][]Packet{p.List[first:], p.After.list} {
		if i := slices.IndexFunc(list, func(k Packet) bool { return k.Number == id.Number && k.Sender == id.Sender }); i >= 0 {
			return list[i], true
		}
	}
	return Packet{}, false
}

// SliceKey says which packets of a trace are selected.
type SliceKey struct {
	Group            trace.Group
	Sender, Receiver int
	from, to         int64 // when it begins; at any time when equal
}

// SliceCache holds the last slices; one picture asks for the same slice often.
type SliceCache struct {
	mu   sync.Mutex
	made map[SliceKey]*slice

	pairs   map[PairKey]*times // the last ones
	pairsOf SliceKey
	class   string
}

// Matches reports whether a packet is selected.
func (key SliceKey) Matches(k *Packet) bool {
	g := key.Group
	return k.Tag == g.Tag && (g.Kind == trace.AllKinds || k.Kind.String() == g.Kind) && (!g.First.OK || g.First.Value == k.first) &&
		(key.from == key.to || k.Begin() >= key.from && k.Begin() <= key.to) &&
		(key.Sender == Everyone || int(k.Sender) == key.Sender) && (key.Receiver == Everyone || int(k.Receiver) == key.Receiver)
}

// Ranking is an order of packets: selected ones, by their time in a stage or by how long they
// wait in all.
type Ranking struct {
	Of      SliceKey
	Stage   trace.Stage
	Waiting bool
}

// Ranked is the packets of a ranking that take longest in the whole trace, the longest first.
type Ranked struct {
	Ranking
	List []Placed
}

// Placed is a packet with the time by which it is ranked.
type Placed struct {
	Packet
	Ns int64
}

type PairKey struct {
	Tag              trace.Tag
	Sender, Receiver int64
}

// Everyone stands for all senders or all receivers.
const Everyone = -1

// slice is the packets of some senders or receivers, summed up from a trace.
// Interfaces do not record these.
type slice struct {
	Cols []analysis.Packets
	Bins [trace.NumStages][]trace.HistogramRow
}

// times are the latencies of packets by stage, with their baseline, and what has been summed up
// of them.
type times struct {
	ns   [trace.NumStages + 1][]int64
	base analysis.Packets
	made [trace.NumStages + 1]bool
	stat [trace.NumStages + 1]trace.Stat
}
