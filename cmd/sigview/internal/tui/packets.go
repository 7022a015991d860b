package tui

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"github.com/sigview/sigview/trace"
)

// Limits of what is kept of a trace, which bound its memory.
const (
	keptPackets = 250_000
	slots       = 4096 // of the time axis, for all packets
)

// Packets is a trace prepared for drawing: the number of packets in each stage at
// each node over time, and the first packets one by one.
type Packets struct {
	Total  int64
	Partly int64 // packets with instants missing at one end
	SlotNs int64
	nodes  int
	busy   [trace.NumStages][]float32 // by node and slot: mean number of packets
	list   []packet
	endNs  int64
	slices sliceCache
}

// packet is one packet in little memory.
type packet struct {
	at               [6]int64 // instants, ns; unknown ones are never
	size             int32
	sender, receiver uint16
	kind             trace.Kind
	tag              trace.Tag
	first            bool // of its message
	span             uint32
}

const never = int64(-1 << 62)

// NewPackets returns an empty trace of a run of this length.
func NewPackets(nodes int, simulatedNs int64) *Packets {
	p := &Packets{nodes: nodes, SlotNs: max((simulatedNs+slots-1)/slots, 1), endNs: max(simulatedNs, 1)}
	for st := range p.busy {
		p.busy[st] = make([]float32, nodes*slots)
	}
	return p
}

// Add adds packets.
func (p *Packets) Add(rows []trace.PacketRow) {
	for i := range rows {
		k := packetOf(&rows[i])
		p.Total++
		if k.at[0] == never || k.at[5] == never {
			p.Partly++
		}
		for st := range trace.NumStages {
			if from, to, node := k.stage(st); from != never && to != never && int(node) < p.nodes {
				p.occupy(st, int(node), from, to)
			}
		}
		if len(p.list) < keptPackets {
			p.list = append(p.list, k)
		}
	}
}

func packetOf(r *trace.PacketRow) packet {
	k := packet{size: int32(r.SizeBytes), sender: uint16(r.Sender), receiver: uint16(r.Receiver), tag: r.Tag, first: r.First, span: uint32(r.Span)}
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
	r := trace.PacketRow{SizeBytes: int64(k.size), Sender: int64(k.sender), Receiver: int64(k.receiver), Tag: k.tag, First: k.first, Span: int64(k.span), Kind: k.kind.String()}
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

func (p *Packets) occupy(st trace.Stage, node int, from, to int64) {
	from, to = max(from, 0), min(to, p.SlotNs*slots)
	for slot := from / p.SlotNs; slot < slots && slot*p.SlotNs < to; slot++ {
		part := min(to, (slot+1)*p.SlotNs) - max(from, slot*p.SlotNs)
		at := &p.busy[st][node*slots+int(slot)]
		*at += float32(part) / float32(p.SlotNs)
	}
}

// Done sorts the kept packets by time.
func (p *Packets) Done() *Packets {
	slices.SortFunc(p.list, func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.sender, b.sender))
	})
	return p
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

// mean returns the mean number of packets in a stage at a node between two times;
// 0 without a trace or without such a node.
func (p *Packets) mean(st trace.Stage, node int, from, to int64) float64 {
	if p == nil || node >= p.nodes {
		return 0
	}
	a, b := max(from/p.SlotNs, 0), min((to+p.SlotNs-1)/p.SlotNs, slots)
	if b <= a {
		b = a + 1
	}
	sum, n := float32(0), 0
	for slot := a; slot < b && slot < slots; slot++ {
		sum += p.busy[st][node*slots+int(slot)]
		n++
	}
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n)
}

// near returns at most n selected packets of a node, from a time on.
func (p *Packets) near(of sliceKey, node int, at int64, n int) []packet {
	i := sort.Search(len(p.list), func(i int) bool { return p.list[i].begin() >= at })
	var out []packet
	for ; i < len(p.list) && len(out) < n; i++ {
		if k := p.list[i]; (int(k.sender) == node || int(k.receiver) == node) && of.matches(&k) {
			out = append(out, k)
		}
	}
	return out
}

// sliceKey says which packets of a trace are selected.
type sliceKey struct {
	group            trace.Group
	sender, receiver int
}

// sliceCache holds the last slices; one picture asks for the same slice often.
type sliceCache struct {
	mu   sync.Mutex
	made map[sliceKey]*slice
}

// matches reports whether a packet is selected.
func (key sliceKey) matches(k *packet) bool {
	g := key.group
	return k.tag == g.Tag && (g.Kind == trace.AllKinds || k.kind.String() == g.Kind) && (!g.First.OK || g.First.Value == k.first) &&
		(key.sender == everyone || int(k.sender) == key.sender) && (key.receiver == everyone || int(k.receiver) == key.receiver)
}
