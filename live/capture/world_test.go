package capture

import (
	"bytes"
	"cmp"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"
)

// world is traffic between two hosts whose true times are known.
type world struct {
	t       testing.TB
	rng     *rand.Rand
	v6      bool
	link    layers.LinkType
	vlan    bool
	nano    bool
	ng      bool
	snap    uint32
	startNs int64
	aheadNs int64   // of the second host's clock, at the start
	rate    float64 // of the second host's clock, less one
	setAt   int64   // when that was set, by how much
	setNs   int64
	earlier int64 // s by which stamps of pcapng are written later than they are
	seen    [2][]shot
	truth   [2][]event // by sender
	again   int
	lost    int
	acks    int
}

// shot is a frame in a capture at a true time.
type shot struct {
	at    int64
	frame []byte
}

// event is a packet of a program: when it was sent and when all of it had arrived; 0: never.
type event struct {
	sent, arrived int64
	bytes         int
}

const second = 1_000_000_000

func newWorld(t testing.TB, seed int64) *world {
	w := &world{
		t: t, rng: rand.New(rand.NewSource(seed)), link: layers.LinkTypeEthernet, nano: true,
		startNs: 1_700_000_000*second + 123_456_789,
	}
	w.shoot(0, 0, w.arp())
	w.shoot(1, 0, w.arp())
	return w
}

// clock returns what a host's clock shows.
func (w *world) clock(host int, at int64) int64 {
	if host == 0 {
		return w.startNs + at
	}
	set := int64(0)
	if w.setNs > 0 && at > w.setAt {
		set = w.setNs
	}
	return w.startNs + at + w.aheadNs + int64(w.rate*float64(at)) + set
}

func (w *world) shoot(host int, at int64, frame []byte) {
	w.seen[host] = append(w.seen[host], shot{at, frame})
}

// delay is that of the way from a host, which is longer now and then, and once in a while much.
func (w *world) delay(from int) int64 {
	d := int64(12_000+3_000*from) + w.rng.Int63n(2_000)
	if w.rng.Intn(4) == 0 {
		d += w.rng.Int63n(60_000)
	}
	if w.rng.Intn(200) == 0 {
		d += w.rng.Int63n(5_000_000)
	}
	return d
}

func (w *world) addresses(from int) (src, dst net.IP) {
	all := [2]net.IP{net.IPv4(10, 0, 0, 9).To4(), net.IPv4(10, 0, 0, 1).To4()} // the first host has the greater address
	if w.v6 {
		all = [2]net.IP{net.ParseIP("fd00::9"), net.ParseIP("fd00::1")}
	}
	return all[from], all[1-from]
}

// frame serializes a packet of a host. The id is that of IPv4.
func (w *world) frame(from int, id uint16, protocol layers.IPProtocol, body ...gopacket.SerializableLayer) []byte {
	return w.fragment(from, id, 0, false, protocol, body...)
}

func (w *world) fragment(from int, id uint16, offset int, more bool, protocol layers.IPProtocol, body ...gopacket.SerializableLayer) []byte {
	src, dst := w.addresses(from)
	var list []gopacket.SerializableLayer
	kind := layers.EthernetTypeIPv4
	if w.v6 {
		kind = layers.EthernetTypeIPv6
	}
	list = append(list, w.linkLayers(kind)...)
	if w.v6 {
		if offset > 0 || more {
			head := []byte{byte(protocol), 0, byte(offset >> 8), byte(offset), 0, 0, byte(id >> 8), byte(id)}
			if more {
				head[3] |= 1
			}
			body, protocol = append([]gopacket.SerializableLayer{gopacket.Payload(head)}, body...), layers.IPProtocolIPv6Fragment
		}
		list = append(list, &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: protocol, SrcIP: src, DstIP: dst})
	} else {
		ip := &layers.IPv4{Version: 4, IHL: 5, TTL: 64, Id: id, Protocol: protocol, SrcIP: src, DstIP: dst, FragOffset: uint16(offset / 8)}
		if more {
			ip.Flags = layers.IPv4MoreFragments
		}
		list = append(list, ip)
	}
	out := gopacket.NewSerializeBuffer()
	require.NoError(w.t, gopacket.SerializeLayers(out, gopacket.SerializeOptions{FixLengths: true}, append(list, body...)...))
	return bytes.Clone(out.Bytes())
}

func (w *world) linkLayers(kind layers.EthernetType) []gopacket.SerializableLayer {
	switch w.link {
	case layers.LinkTypeLinuxSLL:
		return []gopacket.SerializableLayer{gopacket.Payload([]byte{0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, byte(kind >> 8), byte(kind)})}
	case layers.LinkTypeLinuxSLL2:
		return []gopacket.SerializableLayer{gopacket.Payload([]byte{byte(kind >> 8), byte(kind), 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0})}
	case layers.LinkTypeRaw:
		return nil
	}
	ether := &layers.Ethernet{SrcMAC: net.HardwareAddr{2, 0, 0, 0, 0, 1}, DstMAC: net.HardwareAddr{2, 0, 0, 0, 0, 2}, EthernetType: kind}
	if !w.vlan {
		return []gopacket.SerializableLayer{ether}
	}
	ether.EthernetType = layers.EthernetTypeDot1Q
	return []gopacket.SerializableLayer{ether, &layers.Dot1Q{VLANIdentifier: 7, Type: kind}}
}

func (w *world) arp() []byte {
	if w.link == layers.LinkTypeRaw {
		return []byte{0}
	}
	out := gopacket.NewSerializeBuffer()
	require.NoError(w.t, gopacket.SerializeLayers(out, gopacket.SerializeOptions{}, append(w.linkLayers(layers.EthernetTypeARP), gopacket.Payload(make([]byte, 46)))...))
	return bytes.Clone(out.Bytes())
}

func (w *world) noise(n int) gopacket.Payload {
	b := make([]byte, n)
	w.rng.Read(b)
	return b
}

// cross lets a frame go from a host to the other one, at which it arrives in pieces, or not. It
// returns when the last one does.
func (w *world) cross(from int, at int64, lose bool, frame []byte, pieces ...[]byte) (arrived int64) {
	w.shoot(from, at, frame)
	if lose {
		return 0
	}
	if pieces == nil {
		pieces = [][]byte{frame}
	}
	at += w.delay(from)
	for i, p := range pieces {
		w.shoot(1-from, at+int64(i)*700, p)
	}
	return at + int64(len(pieces)-1)*700
}

// send sends a message of a program in a datagram.
func (w *world) send(from int, at int64, id uint16, lose bool, payload gopacket.Payload) {
	e := event{sent: at, bytes: len(payload)}
	e.arrived = w.cross(from, at, lose, w.frame(from, id, layers.IPProtocolUDP, w.udp(from, len(payload)), payload))
	if lose {
		w.lost++
	}
	w.truth[from] = append(w.truth[from], e)
}

func (w *world) udp(from, size int) gopacket.SerializableLayer {
	return &layers.UDP{SrcPort: layers.UDPPort(1000 + from), DstPort: layers.UDPPort(1001 - from), Length: uint16(8 + size)}
}

// fragments sends a datagram in three fragments, which arrive in another order.
func (w *world) fragments(from int, at int64, id uint16) {
	body := append(make([]byte, 8), w.noise(3000)...)
	header := gopacket.NewSerializeBuffer()
	require.NoError(w.t, gopacket.SerializeLayers(header, gopacket.SerializeOptions{}, w.udp(from, 3000)))
	copy(body, header.Bytes())
	e := event{sent: at, bytes: 3000}
	for i, offset := range []int{1400, 0, 2800} {
		f := w.fragment(from, id, offset, offset < 2800, layers.IPProtocolUDP, gopacket.Payload(body[offset:min(offset+1400, len(body))]))
		e.arrived = max(e.arrived, w.cross(from, at+int64(i)*500, false, f))
	}
	w.truth[from] = append(w.truth[from], e)
}

// segment serializes a segment of TCP.
func (w *world) segment(from int, seq uint32, payload []byte) []byte {
	return w.frame(from, uint16(seq), layers.IPProtocolTCP, &layers.TCP{SrcPort: layers.TCPPort(5000 + from), DstPort: layers.TCPPort(5001 - from), Seq: seq, ACK: true, PSH: true, Window: 500}, gopacket.Payload(payload))
}

func (w *world) ack(from int, at int64, ack uint32) {
	w.acks++
	w.cross(from, at, false, w.frame(from, uint16(ack), layers.IPProtocolTCP, &layers.TCP{SrcPort: layers.TCPPort(5000 + from), DstPort: layers.TCPPort(5001 - from), Seq: 77, Ack: ack, ACK: true, Window: 500}))
}

// bulk sends data in segments of up to ten packets, some of which are lost and sent again one by one, and
// acknowledges each.
func (w *world) bulk(from int, at int64, seq uint32, segments int, losses bool) {
	const mss = 1400
	for range segments {
		n := 1 + w.rng.Intn(10)
		data := w.noise(n * mss)
		var pieces [][]byte
		missing := -1
		if losses && w.rng.Intn(10) == 0 {
			missing = w.rng.Intn(n)
		}
		for i := range n {
			if i != missing {
				pieces = append(pieces, w.segment(from, seq+uint32(i*mss), data[i*mss:(i+1)*mss]))
			}
		}
		if w.rng.Intn(3) == 0 && len(pieces) > 1 {
			pieces[0], pieces[1] = pieces[1], pieces[0]
		}
		e := event{sent: at, bytes: len(data)}
		e.arrived = w.cross(from, at, len(pieces) == 0, w.segment(from, seq, data), pieces...)
		next := at + 100_000
		if missing >= 0 {
			w.again++
			next = at + 20_000_000
			e.arrived = max(e.arrived, w.cross(from, next, false, w.segment(from, seq+uint32(missing*mss), data[missing*mss:(missing+1)*mss])))
		}
		w.truth[from] = append(w.truth[from], e)
		seq += uint32(len(data))
		w.ack(1-from, e.arrived+20_000, seq)
		at = next + w.rng.Int63n(50_000)
	}
}

// merged sends packets that the receiver's kernel puts together.
func (w *world) merged(from int, at int64, seq uint32) {
	data := w.noise(4 * 1400)
	arrived := at + 4*1000 + w.delay(from)
	for i := range 4 {
		sent := at + int64(i)*1000
		w.shoot(from, sent, w.segment(from, seq+uint32(1400*i), data[1400*i:1400*(i+1)]))
		w.truth[from] = append(w.truth[from], event{sent, arrived, 1400})
	}
	w.shoot(1-from, arrived, w.segment(from, seq, data))
}

// files writes the captures of both hosts.
func (w *world) files() (out [2]string) {
	dir, end := w.t.TempDir(), int64(0)
	for _, s := range append(w.seen[0], w.seen[1]...) {
		end = max(end, s.at)
	}
	for host := range w.seen {
		w.shoot(host, end+second, w.arp())
		out[host] = filepath.Join(dir, [2]string{"first.pcap", "second.pcap"}[host])
		require.NoError(w.t, os.WriteFile(out[host], w.capture(host), 0o644))
	}
	for from := range w.truth {
		slices.SortStableFunc(w.truth[from], func(a, b event) int { return cmp.Compare(a.sent, b.sent) })
	}
	return out
}

// capture is the file that a host's capture writes.
func (w *world) capture(host int) []byte {
	var b bytes.Buffer
	var write func(gopacket.CaptureInfo, []byte) error
	flush := func() error { return nil }
	snap := cmp.Or(w.snap, 262144)
	if w.ng {
		ng, err := pcapgo.NewNgWriterInterface(&b, pcapgo.NgInterface{Name: "eth0", LinkType: w.link, TimestampResolution: 9, TimestampOffset: uint64(-w.earlier), SnapLength: snap, OS: "Linux"}, pcapgo.DefaultNgWriterOptions)
		require.NoError(w.t, err)
		write, flush = ng.WritePacket, ng.Flush
	} else {
		c := pcapgo.NewWriter(&b)
		if w.nano {
			c = pcapgo.NewWriterNanos(&b)
		}
		require.NoError(w.t, c.WriteFileHeader(snap, w.link))
		write = c.WritePacket
	}
	slices.SortStableFunc(w.seen[host], func(a, b shot) int { return cmp.Compare(a.at, b.at) })
	for _, s := range w.seen[host] {
		kept := s.frame[:min(len(s.frame), int(snap))]
		require.NoError(w.t, write(gopacket.CaptureInfo{Timestamp: time.Unix(w.earlier, w.clock(host, s.at)), CaptureLength: len(kept), Length: len(s.frame)}, kept))
	}
	require.NoError(w.t, flush())
	return b.Bytes()
}
