package wire

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Spec describes the rings and the shared memory.
type Spec struct {
	Tag       trace.Tag // program that the packets belong to
	Pages     int       // of the shared memory
	RingBytes int       // of one ring; a power of two of at least 1 KB
}

// Port is one node's svm.Transport.
type Port struct {
	svm.Expected
	id     int
	spec   Spec
	space  *host.Space
	port   deposit.Port
	window host.Addr      // address of the shared memory
	rings  host.Addr      // inboxes, staging copies and credits of all peers
	memory deposit.Export // of the rings
	pages  deposit.Export // of the window
	all    []*Port
	peers  []*peer // nil until the two nodes are connected
	watch  host.Watch
	notify func()
	inbox  svm.Inbox
	owing  ring.Ring[int]   // peers owed a credit
	posted ring.Ring[int32] // the peers of the last records
	stats  Stats
}

// Stats counts a port's work besides messages.
type Stats struct {
	Credits uint64 // credit words deposited
	Waits   uint64 // sends that waited for room
	Parts   uint64 // records that are parts of longer messages
	Damaged uint64 // records with an impossible header
}

// peer is both directions between this node and another one. There is one for each pair of
// nodes, so it holds little.
type peer struct {
	// Writing into the peer's ring.
	memory  deposit.Import // the peer's rings
	pages   deposit.Import
	watch   host.Watch // fires when there is more room
	written uint32     // bytes, gaps at the ring's end included
	read    uint32     // bytes that the peer has consumed, as known here
	seq     uint32
	posting int32 // records with room in the ring that are not posted yet
	staged  int32 // records whose bytes may not be fetched

	// Reading from this node's ring for the peer.
	next      uint32 // sequence number
	consumed  uint32 // bytes
	reported  uint32 // consumed, as of the latest credit to the peer; reported <= consumed
	creditDue bool   // a credit is scheduled: the peer is in owing
	rare      *rare
}

// rare holds the fields that few peers need.
type rare struct {
	busy     [streams + 1]bool
	chunks   []chunk   // of incomplete records
	complete []arrival // complete records that wait for an earlier one
	partial  [streams + 1][]byte
}

// uncommon returns the fields that few peers need, and allocates them at the first use.
func (q *peer) uncommon() *rare {
	if q.rare == nil {
		q.rare = &rare{}
	}
	return q.rare
}

// chunk is a part of a record, of one or more packets.
type chunk struct {
	start, end  int // in the ring
	first, last bool
}

// arrival is a record in the ring.
type arrival struct {
	record
	start int
}

// Connect makes the ports of all nodes. Port.OnRequest sets the function that runs
// when a request has arrived. Two nodes are connected when one of them first needs
// the other; trusted daemons do that in no simulated time.
func Connect(spec Spec, nodes []deposit.Node) ([]*Port, error) {
	if spec.RingBytes < minRing || spec.RingBytes&(spec.RingBytes-1) != 0 {
		return nil, fmt.Errorf("svm/wire: a ring of %d B, want a power of two of at least %d B", spec.RingBytes, minRing)
	}
	ports := make([]*Port, len(nodes))
	opened, err := deposit.Open(nodes, "svm", spec.Tag)
	if err != nil {
		return nil, err
	}
	for i, port := range opened {
		p := &Port{id: i, spec: spec, all: ports, peers: make([]*peer, len(nodes)), port: port, space: port.Space()}
		p.window = p.space.Alloc(int64(spec.Pages) * svm.PageSize)
		rings := (len(nodes) - 1) * p.spec.share()
		p.rings = p.space.Alloc(int64(rings))
		p.memory = must(port.Export(p.rings, rings, func(deposit.Arrival) { p.notify() }))
		p.memory.OnWrite(p.stored)
		p.pages = must(port.ExportFrames(p.window, spec.Pages*svm.PageSize, p.place))
		p.pages.OnWrite(func(d deposit.Arrival) {
			if d.Last {
				p.inbox.Land(d.From, svm.Page(d.Offset/svm.PageSize))
				p.watch.Fire()
			}
		})
		ports[i] = p
	}
	return ports, nil
}

// minRing holds four of the longest undivided records and a reserve for the
// service.
const minRing = 1 << 10

// creditBytes is the size of two credit words, the incoming and the outgoing
// one.
const creditBytes = 8

// share returns the bytes that one peer takes of a port's memory. The credits
// of a ring of whole pages have a page of their own; smaller rings are packed.
func (s *Spec) share() int {
	if s.RingBytes < host.PageBytes {
		return 2*s.RingBytes + creditBytes
	}
	return 2*s.RingBytes + host.PageBytes
}

// places are offsets in a port's rings.
type places struct {
	inbox   int // the peer's records
	staging int // a copy of the peer's inbox, from which the interface fetches
	credit  int // the peer deposits here how many bytes it has consumed; the next word is its copy of ours
}

// places returns the offsets in a port's rings that belong to another node. A node has none for
// itself.
func (p *Port) places(node, peer int) places {
	at, n, ring := peer, len(p.all)-1, p.spec.RingBytes
	if peer > node {
		at--
	}
	if ring < host.PageBytes {
		return places{at * ring, (n + at) * ring, 2*n*ring + at*creditBytes}
	}
	inbox := at * p.spec.share()
	return places{inbox, inbox + ring, inbox + 2*ring}
}

// peer returns the connection to another node, and connects on first use.
func (p *Port) peer(j int) *peer {
	if q := p.peers[j]; q != nil {
		return q
	}
	other := p.all[j]
	p.peers[j], other.peers[p.id] = p.connect(other), other.connect(p)
	return p.peers[j]
}

func (p *Port) connect(other *Port) *peer {
	return &peer{memory: must(p.port.Import(other.memory)), pages: must(p.port.Import(other.pages))}
}

// stored records a packet in the rings; it runs when the bytes are in memory.
func (p *Port) stored(d deposit.Arrival) {
	at := p.places(p.id, d.From)
	switch {
	case at.inbox <= d.Offset && d.Offset+d.Bytes <= at.inbox+p.spec.RingBytes:
		d.Offset -= at.inbox
		p.arrived(d)
	case d.Offset == at.credit && d.Bytes == creditBytes/2:
		p.peer(d.From).credited(p.space.Load32(p.rings + host.Addr(at.credit)))
		p.forgetCredit(at.credit)
	default:
		p.damaged(d.From)
	}
}

// forget releases memory of rings that are all read or fetched. On a layer whose hosts poll, an
// arrival that is not noticed yet may keep it.
func (p *Port) forget(at, n int) {
	if !p.port.Polled() {
		p.space.Forget(p.rings+host.Addr(at), n)
	}
}

// forgetCredit gives back the page of a peer's credits, if they have one of their own.
func (p *Port) forgetCredit(at int) {
	if p.spec.RingBytes >= host.PageBytes {
		p.forget(at, host.PageBytes)
	}
}

// must panics on errors that only a defect of the port itself can cause.
func must[T any](x T, err error) T {
	if err != nil {
		panic("svm/wire: " + err.Error())
	}
	return x
}

// credited stores the reader's count of consumed bytes, unless it is older than the stored one: two
// contexts of the reader may send counts that overtake each other.
func (q *peer) credited(v uint32) {
	if int32(v-q.read) > 0 {
		q.read = v
	}
	q.watch.Fire()
}

// OnRequest sets the function that runs when a request has arrived and its
// notification has been raised.
func (p *Port) OnRequest(f func()) {
	p.notify = f
	p.port.Attend(f)
}

// Stats returns the counters.
func (p *Port) Stats() Stats { return p.stats }

// Watch implements svm.Transport.
func (p *Port) Watch() *host.Watch { return &p.watch }

// Wait implements svm.Transport.
func (p *Port) Wait(c *host.Context, reason string) {
	if !p.inbox.Holds(svm.Answer) {
		p.port.Wait(c, &p.watch, reason)
	}
}

// place returns the memory of a deposit into the shared pages.
func (p *Port) place(offset, n int) []byte {
	if f := p.Frame(svm.Page(offset / svm.PageSize)); f != nil {
		from := offset % svm.PageSize
		return f.Bytes()[from : from+n]
	}
	return nil
}
