package fabric

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// faults is the fault injector. Only it knows the true faults. It computes the CRC of
// damaged packets only; that of an intact packet is correct.
type faults struct {
	spec   *Faults
	stream sim.Stream
	gap    int64 // bytes until the next error
	kinds  [trace.NumKinds]uint64
	when   func(*Packet) bool
	hits   []hit // errors of packets in flight
	free   int32 // head of the free list, index+1
	image  []byte
	clean  []byte
	active bool
}

// hit is one error of a packet: its first byte on the wire.
type hit struct {
	at   int32
	next int32 // index+1
}

func (f *faults) init(e *sim.Engine, spec *Faults) {
	f.spec = spec
	f.stream = e.Stream("fabric/errors")
	f.gap = math.MaxInt64
	if spec.ErrorPerByte > 0 {
		f.gap = f.skip()
	}
	f.active = spec.ErrorPerByte > 0 || len(spec.Drops) > 0
}

// skip draws the distance to the next error from a geometric distribution,
// which saves a draw per packet.
func (f *faults) skip() int64 {
	u := 1 - float64(f.stream.Float64()) // in (0, 1]
	g := portable.Log(u) / portable.Log1p(-f.spec.ErrorPerByte)
	if g >= 1<<62 {
		return 1 << 62
	}
	return int64(g)
}

// inject decides what will happen to p.
func (f *faults) inject(p *Packet) {
	if k := p.Header.Meta.Kind; k < trace.NumKinds {
		f.kinds[k]++
		for _, d := range f.spec.Drops {
			if d.Kind == k && f.kinds[k] >= d.Nth && f.kinds[k]-d.Nth < max(1, d.Count) {
				p.route.drop = true
			}
		}
	}
	if f.when != nil && f.when(p) {
		p.route.drop = true
	}
	size := int64(p.WireBytes)
	at := int64(0)
	for f.gap < size-at {
		at += f.gap
		f.note(p, int32(at))
		at++
		f.gap = f.skip()
	}
	f.gap -= size - at
}

func (f *faults) note(p *Packet, at int32) {
	if f.free == 0 {
		f.hits = append(f.hits, hit{})
		f.free = int32(len(f.hits))
	}
	i := f.free
	f.free = f.hits[i-1].next
	f.hits[i-1] = hit{at, p.route.errors}
	p.route.errors = i
}

// forget drops the errors of a packet.
func (f *faults) forget(p *Packet) {
	for i := p.route.errors; i != 0; {
		next := f.hits[i-1].next
		f.hits[i-1].next = f.free
		f.free = i
		i = next
	}
	p.route.errors = 0
}

// corrupt changes bits of p in its image of header, payload and CRC, and checks the CRC as the
// receiving hardware does.
func (f *faults) corrupt(p *Packet, s *Stats) {
	b, err := binary.Append(f.image[:0], binary.LittleEndian, &p.Header)
	if err != nil {
		panic("fabric: packet header: " + err.Error())
	}
	header := len(b)
	b = append(b, p.Data()...)
	b = append(b, crc8(0, b))
	f.image = b
	f.clean = append(f.clean[:0], b...)
	for i := p.route.errors; i != 0; i = f.hits[i-1].next {
		at := position(int(f.hits[i-1].at), p.WireBytes, header, p.Bytes())
		if f.spec.BurstBytes <= 1 {
			b[at] ^= 1 << f.stream.Below(8)
			continue
		}
		for j := at; j < min(len(b), at+f.spec.BurstBytes); j++ {
			b[j] = uint8(f.stream.Uint64())
		}
	}
	f.forget(p)
	if bytes.Equal(b, f.clean) {
		return // two flips have cancelled
	}
	p.Hit = true
	s.Hit++
	if crc8(0, b[:len(b)-1]) != b[len(b)-1] {
		p.CRCError = true
		s.Detected++
	} else {
		s.Undetected++
	}
	if _, err := binary.Decode(b, binary.LittleEndian, &p.Header); err != nil {
		panic("fabric: packet header: " + err.Error())
	}
	copy(p.data, b[header:])
}

// position maps a byte on the wire to a byte of the image. Both end with the payload and
// the CRC. Route and header on the wire are mapped proportionally to the header's image,
// which has another size.
func position(at, wire, header, data int) int {
	lead := wire - 1 - data
	switch {
	case at >= wire-1 || lead <= 0 && data == 0:
		return header + data
	case at >= lead:
		return header + min(at-lead, data)
	default:
		return at * header / lead
	}
}
