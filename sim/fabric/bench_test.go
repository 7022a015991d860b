package fabric

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/sigview/sigview/sim"
)

// streamer sends packets as fast as the link takes them.
type streamer struct {
	net      *Net
	node     int32
	nodes    int32
	to       int32
	left     int
	received int
	bytes    int
}

func (s *streamer) Accept(*Packet) bool { return true }
func (s *streamer) Arrived(p *Packet)   { s.received++; s.net.Free(p) }
func (s *streamer) Sent(*Packet)        { s.next() }
func (s *streamer) Reset()              {}

func (s *streamer) next() {
	if s.left == 0 {
		return
	}
	s.left--
	p := s.net.NewPacket()
	p.Src, p.Dst, p.WireBytes, p.WantSent = s.node, s.to, s.bytes, true
	if s.to++; s.to == s.nodes {
		s.to = 0
	}
	if s.to == s.node {
		s.to = (s.to + 1) % s.nodes
	}
	s.net.Inject(p, s.net.engine.Now(), 132_000_000)
}

func stream(b *testing.B, spec Spec, senders int) {
	e := sim.New(1)
	n, err := New(e, spec)
	if err != nil {
		b.Fatal(err)
	}
	var ports []*streamer
	for i := range spec.Topology.Nodes {
		p := &streamer{net: n, node: int32(i), nodes: int32(n.Nodes()), to: int32((i + 1) % n.Nodes()), bytes: 80}
		ports = append(ports, p)
		n.Attach(i, p)
	}
	round := func(packets int) {
		for i := range senders {
			ports[i].left = packets / senders
			ports[i].next()
		}
		if err := e.Run(sim.Never); err != nil {
			b.Fatal(err)
		}
	}
	round(20_000)
	start := e.Events()
	b.ReportAllocs()
	b.ResetTimer()
	round(b.N)
	b.StopTimer()
	b.ReportMetric(float64(e.Events()-start)/float64(b.N), "events/packet")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpackets/s")
	b.ReportMetric(float64(n.made), "pool")
}

func BenchmarkTwoNodeStream(b *testing.B) { stream(b, base(Topology{Nodes: 2}), 1) }

func BenchmarkAllToAll8(b *testing.B) { stream(b, base(Topology{Nodes: 8}), 8) }

func BenchmarkAllToAll64(b *testing.B) { stream(b, base(Topology{Nodes: 64}), 64) }

func BenchmarkAllToAll1024(b *testing.B) { stream(b, base(Topology{Nodes: 1024}), 1024) }

// BenchmarkBuffered is the same traffic through switches with buffers.
func BenchmarkBuffered(b *testing.B) {
	for _, c := range []FlowControl{Lossy, PFC, Credits} {
		for _, top := range []Topology{{Nodes: 2}, {Nodes: 8}, {Nodes: 64}, {Nodes: 1024}, {Nodes: 1024, Radix: 64}} {
			senders := top.Nodes
			if senders == 2 {
				senders = 1
			}
			b.Run(fmt.Sprintf("%v/%d nodes, %d ports", c, top.Nodes, cmp.Or(top.Radix, defaultRadix)), func(b *testing.B) { stream(b, buffered(top, c), senders) })
		}
	}
}
