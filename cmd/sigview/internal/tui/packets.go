package tui

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// Limits of what is read and kept of a trace, which bound time and memory.
const (
	keptPackets = 250_000
	readPackets = 1 << 19
)

// Packets is a trace prepared for drawing: the number of packets in each stage at each node
// over time, of the whole run and finer of a part of it, and some packets one by one.
type Packets struct {
	Total  int64
	Partly int64 // of those one by one: packets with instants missing at one end
	nodes  int
	endNs  int64
	run    *trace.Windows
	part   *trace.Windows // of the part that is shown, if that has been read
	list   []packet       // by time
	listed period         // of which list has all packets
	asked  period         // for which part and list were read
	after  found          // beyond the list
	slices *sliceCache    // of the list
}

// period is a part of the run, and the cursor in it.
type period struct{ from, to, at int64 }

// request is what a picture needs of a trace: a part of it, or if beyond is set only the
// packets of a node from the cursor on.
type request struct {
	period
	beyond bool
	of     sliceKey
	node   int
}

// found is what a request for packets beyond the list has found.
type found struct {
	request
	list []packet // at most foundPackets
}

const foundPackets = 256

// packetID names a packet by its sender and the number that the sender's monitor gave it, or
// one without such a number by its actor in the log of who waited for whom.
type packetID struct {
	sender uint16
	number int64
	actor  waits.ID
	named  bool
}

func (k *packet) id() packetID { return packetID{sender: k.sender, number: k.number, named: true} }

// packet is one packet in little memory.
type packet struct {
	number           int64    // that the sender's monitor gave it
	at               [6]int64 // instants, ns; unknown ones are never
	size             int32
	sender, receiver uint16
	kind             trace.Kind
	tag              trace.Tag
	first            bool // of its message
	span             uint32
}

const never = int64(-1 << 62)

// newPackets prepares a trace. Of a long one it reads no packets.
func newPackets(d *Data) (*Packets, error) {
	m := d.Run.Manifest
	p := &Packets{nodes: d.nodes, endNs: max(m.SimulatedNs, 1), listed: period{from: 1}, slices: &sliceCache{}} // none listed
	rows, err := explain.Windows(d.Dir)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		p.Total = d.traced()
		p.run, err = trace.WindowsOf(d.nodes, m.SimulatedNs, rows)
		return p, err
	}
	p.run = trace.NewWindows(d.nodes, 0, m.SimulatedNs)
	err = explain.ScanPackets(d.Dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		p.Total += int64(len(rows))
		for i := range rows {
			p.run.Add(&rows[i])
		}
		p.keep(rows)
		return nil
	})
	p.run.Done()
	p.sort(period{math.MinInt64, math.MaxInt64, 0})
	return p, err
}

// wants returns what a picture needs and that has not been read, with the packets of a node
// unless that is everyone.
func (p *Packets) wants(s *Selection, node int) (request, bool) {
	if want, ok := p.unread(s); ok {
		return request{period: want}, true
	}
	if node == everyone && s.ToNs > s.FromNs && (s.FromNs < p.listed.from || s.ToNs > p.listed.to) { // of a slice all are needed
		want := period{s.FromNs, s.ToNs, s.timeCursor(p)}
		return request{period: want}, want != p.asked
	}
	want := request{beyond: true, period: period{at: s.timeCursor(p)}, of: s.key(), node: node}
	if node == everyone || p.listed.to >= p.endNs || p.after.request == want || len(p.near(want.of, node, want.at, 1)) > 0 {
		return want, false
	}
	return want, true
}

// unread returns the part of the run that a picture needs and that has not been read.
func (p *Packets) unread(s *Selection) (want period, ok bool) {
	want.from, want.to = s.timeRange(p)
	want.at = s.timeCursor(p)
	if want == p.asked {
		return want, false
	}
	coarse := (want.to-want.from)/2 < p.windows(want.from, want.to).WidthNs()*finest
	unlisted := want.at < p.listed.from || want.at > p.listed.to
	return want, coarse && p.windows(want.from, want.to).WidthNs() > 1 || unlisted
}

// finest is how many windows a part should have at least: about as many as the columns of a
// wide terminal.
const finest = 256

// reads returns the trace with a part of it read: only the section that a picture of the part
// needs, and if that is too long, only packets from the cursor on.
func (p *Packets) reads(dir string, wanted request) (*Packets, error) {
	if wanted.beyond {
		return p.finds(dir, wanted)
	}
	want := wanted.period
	out := &Packets{Total: p.Total, nodes: p.nodes, endNs: p.endNs, run: p.run, asked: want, slices: &sliceCache{}}
	margin := (want.to - want.from) / 2 // the cursor may move on
	in := rundir.Section{FromNs: max(want.from-margin, 0), ToNs: min(want.to+margin, p.endNs)}
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
	if in.FromNs == 0 && in.ToNs == p.endNs || n > readPackets {
		in = rundir.Section{FromNs: want.at, ToNs: math.MaxInt64}
	} else {
		out.part = trace.NewWindows(p.nodes, in.FromNs, in.ToNs)
	}
	from := in.FromNs
	if n > keptPackets {
		from = want.at
	}
	err = explain.ScanPackets(dir, in, func(rows []trace.PacketRow) error {
		if out.part != nil {
			for i := range rows {
				out.part.Add(&rows[i])
			}
		}
		if !p.whole() {
			out.keep(slices.DeleteFunc(rows, func(r trace.PacketRow) bool { _, to := r.Extent(); return to < from }))
		}
		if out.part == nil && len(out.list) == keptPackets {
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
	if out.sort(period{from, in.ToNs, 0}); p.whole() {
		out.list, out.listed, out.Partly, out.slices = p.list, p.listed, p.Partly, p.slices
	}
	return out, err
}

// finds returns the trace with the next packets of a node beyond the list.
func (p *Packets) finds(dir string, want request) (*Packets, error) {
	out := &Packets{Total: p.Total, Partly: p.Partly, nodes: p.nodes, endNs: p.endNs, run: p.run, part: p.part, list: p.list, listed: p.listed, asked: p.asked, slices: p.slices}
	in := rundir.Section{FromNs: max(p.listed.to, want.at), ToNs: math.MaxInt64, Nodes: []int64{int64(want.node)}}
	out.after.request = want
	err := explain.ScanPackets(dir, in, func(rows []trace.PacketRow) error {
		for i := range rows {
			if k := packetOf(&rows[i]); k.begin() >= want.at && k.isOf(want.node) && want.of.matches(&k) {
				out.after.list = append(out.after.list, k)
			}
		}
		if len(out.after.list) >= foundPackets {
			return errEnough
		}
		return nil
	})
	sortPackets(out.after.list)
	out.after.list = out.after.list[:min(len(out.after.list), foundPackets)]
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

var errEnough = errors.New("enough packets have been read")

// keep adds packets to those one by one, as far as there is room.
func (p *Packets) keep(rows []trace.PacketRow) {
	for i := range rows[:min(len(rows), keptPackets-len(p.list))] {
		k := packetOf(&rows[i])
		if k.partly() {
			p.Partly++
		}
		p.list = append(p.list, k)
	}
}

// sort puts the packets one by one in the order of time. They are all of a period, unless there
// was no room for its last ones.
func (p *Packets) sort(of period) {
	sortPackets(p.list)
	if p.listed = of; len(p.list) == keptPackets {
		p.listed.to = p.list[len(p.list)-1].begin()
	}
}

func sortPackets(list []packet) {
	slices.SortFunc(list, func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.sender, b.sender), cmp.Compare(a.number, b.number))
	})
}

func packetOf(r *trace.PacketRow) packet {
	k := packet{number: r.Number, size: int32(r.SizeBytes), sender: uint16(r.Sender), receiver: uint16(r.Receiver), tag: r.Tag, first: r.First, span: uint32(r.Span)}
	k.kind, _ = trace.ParseKind(r.Kind) // rows were checked when they were read
	for i, v := range []trace.Opt[int64]{r.T1Ns, r.T2Ns, r.T3Ns, r.T4Ns, r.T5Ns, r.T6Ns} {
		if k.at[i] = never; v.OK {
			k.at[i] = v.Value
		}
	}
	return k
}

// row returns what is kept of a packet as a row of the trace.
func (k *packet) row() trace.PacketRow {
	r := trace.PacketRow{Number: k.number, SizeBytes: int64(k.size), Sender: int64(k.sender), Receiver: int64(k.receiver), Tag: k.tag, First: k.first, Span: int64(k.span), Kind: k.kind.String()}
	for i, at := range []*trace.Opt[int64]{&r.T1Ns, &r.T2Ns, &r.T3Ns, &r.T4Ns, &r.T5Ns, &r.T6Ns} {
		*at = trace.Opt[int64]{Value: k.at[i], OK: k.at[i] != never}
	}
	return r
}

// stage returns when and at which node a packet was in a stage.
func (k *packet) stage(st trace.Stage) (from, to int64, node uint16) {
	switch st {
	case trace.Source:
		return k.at[0], k.at[1], k.sender
	case trace.LANai:
		return k.at[1], k.at[3], k.sender
	case trace.Net:
		return k.at[2], k.at[4], k.receiver
	}
	return k.at[4], k.at[5], k.receiver
}

// partly reports whether instants of one end are missing. Of packets that were stamped on the wire, T3 and T5 are all.
func (k *packet) partly() bool {
	wire := k.at[0] == never && k.at[5] == never && k.at[4] != never
	return !wire && (k.at[0] == never || k.at[5] == never)
}

// begin returns the first known instant.
func (k *packet) begin() int64 {
	for _, t := range k.at {
		if t != never {
			return t
		}
	}
	return never
}

// windows returns the finest windows that cover a part of the run.
func (p *Packets) windows(from, to int64) *trace.Windows {
	if p.part != nil && p.part.Covers(max(from, 0), min(to, p.endNs)) && p.part.WidthNs() < p.run.WidthNs() {
		return p.part
	}
	return p.run
}

// isOf reports whether a node has sent or received the packet.
func (k *packet) isOf(node int) bool { return int(k.sender) == node || int(k.receiver) == node }

// begun returns the listed packets that begin in the time of a selection.
func (p *Packets) begun(key sliceKey) []packet {
	if key.from == key.to {
		return p.list
	}
	from := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() >= key.from })
	to := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() > key.to })
	return p.list[from:to]
}

// near returns at most n selected packets of a node that begin at a time or later: of those
// that are listed, or if none is, of those found beyond.
func (p *Packets) near(of sliceKey, node int, at int64, n int) []packet {
	if a := &p.after; a.beyond && a.of == of && a.node == node && a.at == at {
		return a.list[:min(n, len(a.list))]
	}
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() >= at })
	var out []packet
	for ; i < len(p.list) && len(out) < n; i++ {
		if k := p.list[i]; k.isOf(node) && of.matches(&k) {
			out = append(out, k)
		}
	}
	return out
}

// find returns a packet that begins at a time or later, if it has been read.
func (p *Packets) find(id packetID, from int64) (packet, bool) {
	if id.actor != 0 {
		return packet{}, false
	}
	first := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() >= from })
	for _, list := range [][]packet{p.list[first:], p.after.list} {
		if i := slices.IndexFunc(list, func(k packet) bool { return k.number == id.number && k.sender == id.sender }); i >= 0 {
			return list[i], true
		}
	}
	return packet{}, false
}

// sliceKey says which packets of a trace are selected.
type sliceKey struct {
	group            trace.Group
	sender, receiver int
	from, to         int64 // when it begins; at any time when equal
}

// sliceCache holds the last slices; one picture asks for the same slice often.
type sliceCache struct {
	mu   sync.Mutex
	made map[sliceKey]*slice

	pairs   map[pairKey]*times // the last ones
	pairsOf sliceKey
	class   string
}

// matches reports whether a packet is selected.
func (key sliceKey) matches(k *packet) bool {
	g := key.group
	return k.tag == g.Tag && (g.Kind == trace.AllKinds || k.kind.String() == g.Kind) && (!g.First.OK || g.First.Value == k.first) &&
		(key.from == key.to || k.begin() >= key.from && k.begin() <= key.to) &&
		(key.sender == everyone || int(k.sender) == key.sender) && (key.receiver == everyone || int(k.receiver) == key.receiver)
}

// ranking is an order of packets: selected ones, by their time in a stage or by how long they
// wait in all.
type ranking struct {
	of      sliceKey
	stage   trace.Stage
	waiting bool
}

// ranked is the packets of a ranking that take longest in the whole trace, the longest first.
type ranked struct {
	ranking
	list []placed
}

// placed is a packet with the time by which it is ranked.
type placed struct {
	packet
	ns int64
}
