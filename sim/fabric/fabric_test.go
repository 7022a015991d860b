package fabric

import (
	"testing"

	"github.com/sigview/sigview/sim"
)

const never = sim.Never

// base is a fabric with round figures that no two delays of the tests share.
func base(t Topology) Spec {
	return Spec{
		Topology: t, LinkRate: 160_000_000, // 6250 ps per byte
		WireDelay: 24_001, SwitchDelay: 99_991,
		SlackBytes: 96, StopBytes: 64, GoBytes: 32, BlockLimit: 50 * sim.Millisecond,
	}
}

// record is what a port saw of a packet.
type record struct {
	src, dst   int32
	seq        uint32
	t3, t4, t5 sim.Time
	crc, hit   bool
}

// sink is a port that takes everything, or what take allows.
type sink struct {
	coming   map[*Packet]bool // accepted, not arrived
	net      *Net
	take     func(*Packet) bool
	sent     func(*Packet)
	arrived  func(*Packet)
	got      []record
	resets   int
	aborted  int
	sentSeqs []uint32
}

func (s *sink) Accept(p *Packet) bool {
	if s.take != nil && !s.take(p) {
		return false
	}
	if s.coming == nil {
		s.coming = map[*Packet]bool{}
	}
	s.coming[p] = true
	return true
}

func (s *sink) Arrived(p *Packet) {
	if !s.coming[p] {
		panic("a packet arrives that has not been accepted since the last reset")
	}
	delete(s.coming, p)
	s.got = append(s.got, record{p.Src, p.Dst, p.Header.Seq, p.T3, p.T4, p.T5, p.CRCError, p.Hit})
	if s.arrived != nil {
		s.arrived(p)
	}
	s.net.Free(p)
}

func (s *sink) Sent(p *Packet) {
	if p.Lost {
		s.aborted++
	}
	s.sentSeqs = append(s.sentSeqs, p.Header.Seq)
	if s.sent != nil {
		s.sent(p)
	}
}

func (s *sink) Reset() {
	s.resets++
	s.coming = nil
}

// rig is a fabric with a sink at every node.
type rig struct {
	engine *sim.Engine
	net    *Net
	ports  []*sink
}

func newRig(t testing.TB, spec Spec) *rig {
	t.Helper()
	e := sim.New(1)
	n, err := New(e, spec)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{engine: e, net: n}
	for i := range n.Nodes() {
		p := &sink{net: n}
		r.ports = append(r.ports, p)
		n.Attach(i, p)
	}
	return r
}

func (r *rig) run(t testing.TB) {
	t.Helper()
	if err := r.engine.Run(never); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) send(src, dst, bytes int, seq uint32, at sim.Time) *Packet {
	p := r.net.NewPacket()
	p.Src, p.Dst, p.WireBytes, p.Header.Seq, p.WantSent = int32(src), int32(dst), bytes, seq, true
	r.net.Inject(p, at, 1e12)
	return p
}
