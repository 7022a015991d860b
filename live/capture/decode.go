package capture

import (
	"encoding/binary"

	"github.com/gopacket/gopacket/layers"
)

// address is one of the internet protocol, version 4 as mapped into version 6.
type address [16]byte

// flow is one direction of a conversation.
type flow struct {
	from, to         address
	fromPort, toPort uint16
	protocol         uint8
}

// Numbers of protocols.
const (
	hopByHop, routing, fragmented, authentication, options = 0, 43, 44, 51, 60

	tcp, udp = 6, 17
)

// datagram is a packet of the internet protocol, or a fragment of one.
type datagram struct {
	from, to address
	protocol uint8
	// By it and the addresses the fragments of a datagram belong together.
	id     uint32 // 0: none
	offset int    // of a fragment
	more   bool   // fragments follow
	size   int    // bytes after the headers
	body   []byte // those of them that were captured
}

// frames says where frames of a link have the type of what they carry, and where that begins, in bytes.
var frames = map[layers.LinkType]struct{ kind, body int }{
	layers.LinkTypeEthernet: {12, 14}, layers.LinkTypeLinuxSLL: {14, 16}, layers.LinkTypeLinuxSLL2: {0, 20},
}

// plain are links without a type: bytes before the packet, of which the version tells.
var plain = map[layers.LinkType]int{
	layers.LinkTypeRaw: 0, layers.LinkTypeIPv4: 0, layers.LinkTypeIPv6: 0, layers.LinkTypeNull: 4, layers.LinkTypeLoop: 4,
	12: 0, 14: 0, // raw, by the numbers of some systems
}

// readable reports whether the packets of a link can be read.
func readable(link layers.LinkType) bool {
	_, typed := frames[link]
	_, raw := plain[link]
	return typed || raw
}

// inside returns the packet of the internet protocol in a frame, nil if there is none or the frame is cut off
// before it.
func inside(link layers.LinkType, frame []byte) []byte {
	at, typed := frames[link]
	if !typed {
		return frame[min(plain[link], len(frame)):]
	}
	if len(frame) < at.body {
		return nil
	}
	kind, rest := binary.BigEndian.Uint16(frame[at.kind:]), frame[at.body:]
	for kind == 0x8100 || kind == 0x88a8 { // tags of virtual networks
		if len(rest) < 4 {
			return nil
		}
		kind, rest = binary.BigEndian.Uint16(rest[2:]), rest[4:]
	}
	// Versions 4 and 6 of the internet protocol.
	if kind != 0x0800 && kind != 0x86dd {
		return nil
	}
	return rest
}

// parse reads the headers of the internet protocol. Length is that of the packet on the wire, in bytes. ok is
// false for what is no such packet, or cut off within the headers.
func parse(packet []byte, length int) (d datagram, ok bool) {
	switch {
	case len(packet) >= 20 && packet[0]>>4 == 4:
		return parse4(packet, length)
	case len(packet) >= 40 && packet[0]>>4 == 6:
		return parse6(packet, length)
	}
	return d, false
}

// parse4 reads a header of version 4 (RFC 791): lengths in words of 4 bytes, offsets of fragments in units of
// 8.
func parse4(p []byte, length int) (d datagram, ok bool) {
	header, total, fragment := int(p[0]&15)*4, int(binary.BigEndian.Uint16(p[2:])), binary.BigEndian.Uint16(p[6:])
	if total == 0 {
		total = length // too long for the field: the device makes packets of it
	}
	// Damaged, or cut off within the options.
	if header < 20 || total < header || len(p) < header {
		return d, false
	}
	d = datagram{
		from: mapped(p[12:16]), to: mapped(p[16:20]), protocol: p[9], id: uint32(binary.BigEndian.Uint16(p[4:])),
		offset: int(fragment&0x1fff) * 8, more: fragment&0x2000 != 0, size: total - header, body: p[header:],
	}
	return d.clipped(), true
}

// mapped returns an address of version 4 as one of version 6, ::ffff:a.b.c.d.
func mapped(a []byte) (out address) {
	out[10], out[11] = 0xff, 0xff
	copy(out[12:], a)
	return out
}

// parse6 reads a header of version 6 (RFC 8200) and the extension headers that follow it, each of which names
// the next one.
func parse6(p []byte, length int) (d datagram, ok bool) {
	total := int(binary.BigEndian.Uint16(p[4:]))
	if total == 0 {
		total = length - 40
	}
	d = datagram{from: address(p[8:24]), to: address(p[24:40]), protocol: p[6], size: total, body: p[40:]}
	for {
		header := 0
		switch {
		case d.protocol == hopByHop || d.protocol == routing || d.protocol == options:
			if len(d.body) >= 2 {
				// The length is in units of 8 bytes, without the first.
				header = 8 * (int(d.body[1]) + 1)
			}
		case d.protocol == authentication:
			if len(d.body) >= 2 {
				// That of this header is in words of 4 bytes, without the first two.
				header = 4 * (int(d.body[1]) + 2)
			}
		case d.protocol == fragmented:
			if header = 8; len(d.body) >= header {
				field := binary.BigEndian.Uint16(d.body[2:])
				// The lowest bit is more; the offset is in units of 8, and stands 3 bits up.
				d.offset, d.more, d.id = int(field&^7), field&1 != 0, binary.BigEndian.Uint32(d.body[4:])
			}
		default:
			return d.clipped(), d.size >= 0
		}
		if header == 0 || len(d.body) < header {
			return d, false
		}
		// The first byte of each header names what follows.
		d.protocol, d.body, d.size = d.body[0], d.body[header:], d.size-header
		if d.offset > 0 {
			return d.clipped(), d.size >= 0 // what follows belongs to the first fragment
		}
	}
}

// clipped leaves out what lies behind the packet: frames have a least length.
func (d datagram) clipped() datagram {
	d.body = d.body[:max(min(len(d.body), d.size), 0)]
	return d
}

// digest returns what a datagram or fragment looks like, without the checksums that devices compute.
func (d datagram) digest() uint64 {
	b, rest := d.body[:min(len(d.body), mostHashed)], []byte(nil)
	switch {
	case d.offset > 0:
	case d.protocol == tcp:
		b = b[:min(len(b), 16)]
	case d.protocol == udp && len(b) >= 8:
		b, rest = b[:6], b[8:]
	}
	return digest(uint64(d.id)<<32|uint64(d.offset)<<16|uint64(d.size), d.from[:], d.to[:], []byte{d.protocol}, b, rest)
}

// sort is what a packet is to its protocol. Segments are joined by the bytes that they carry, the
// others by what they look like.
type sort uint8

const (
	segment sort = iota // of TCP, with data
	control             // of TCP, without: acknowledgements, and the begin and the end of connections
	message             // of UDP
	other
)

// content is what the headers of a whole datagram say.
type content struct {
	flow
	sort     sort
	sequence uint32 // of a segment
	looks    uint64 // of others: a digest
	bytes    int    // payload
}

// mostHashed is how much of its data tells what a packet looks like.
const mostHashed = 256

// read reads the headers of the protocol in a datagram. Checksums are left out, which devices compute after the
// sender's capture. ok is false if the headers are cut off or contradict the length.
func (d datagram) read() (c content, ok bool) {
	b := d.body
	c = content{flow: flow{from: d.from, to: d.to, protocol: d.protocol}, sort: other, bytes: d.size}
	switch d.protocol {
	case tcp:
		// Up to the checksum; options are not needed.
		if len(b) < 16 {
			return c, false
		}
		header := int(b[12]>>4) * 4
		c.bytes = d.size - header
		c.sort, c.sequence = segment, binary.BigEndian.Uint32(b[4:])
		if c.bytes == 0 {
			// From the sequence number up to the window, then the options: without the checksum and the urgent
			// pointer.
			c.sort, c.looks = control, digest(0, b[4:16], b[min(20, len(b)):])
		}
		c.ports(b)
		return c, header >= 20 && c.bytes >= 0
	case udp:
		if len(b) < 8 || d.size < 8 {
			return c, false
		}
		c.sort, c.bytes = message, d.size-8
		c.ports(b)
		b = b[8:]
	}
	// The number of the datagram and its length tell equal contents apart.
	c.looks = digest(uint64(d.id)<<32|uint64(c.bytes), b[:min(len(b), mostHashed)])
	return c, true
}

// ports reads the ports, with which both protocols begin.
func (c *content) ports(header []byte) {
	c.fromPort, c.toPort = binary.BigEndian.Uint16(header), binary.BigEndian.Uint16(header[2:])
}

// digest is FNV-1a of 64 bits, over begin and then the texts.
func digest(begin uint64, texts ...[]byte) uint64 {
	h := uint64(14695981039346656037)
	add := func(b byte) { h = (h ^ uint64(b)) * 1099511628211 }
	for i := range 8 {
		add(byte(begin >> (8 * i)))
	}
	for _, text := range texts {
		for _, b := range text {
			add(b)
		}
	}
	return h
}
