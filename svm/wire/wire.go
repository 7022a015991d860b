package wire

import (
	"fmt"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/ring"
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
	window host.Addr // address of the shared memory
	rings  host.Addr // inboxes, staging copies and credits of all peers
	all    []*Port
	peers  []*peer // nil until the two nodes are connected
	watch  host.Watch
	notify func()
	inbox  svm.Inbox
	owing  ring.Ring[int] // peers owed a credit
	stats  Stats
}

// Stats counts a port's work besides messages.
type Stats struct {
	Credits uint64 // credit words deposited
	Waits   uint64 // sends that waited for room
	Parts   uint64 // records that are parts of longer messages
	Damaged uint64 // records with an impossible header
}

// peer is both directions between this node and another one.
type peer struct {
	exports endpoints // for the peer

	// Writing into the peer's ring.
	ring    deposit.Import
	pages   deposit.Import
	staging host.Addr  // a copy of the peer's ring, from which the interface fetches
	credit  host.Addr  // the peer deposits here how many bytes it has consumed
	watch   host.Watch // fires when there is more room
	written uint32     // bytes, gaps at the ring's end included
	read    uint32     // bytes that the peer has consumed, as known here
	seq     uint32
	busy    [streams + 1]bool
	posting int // records with room in the ring that are not posted yet

	// Reading from this node's ring for the peer.
	inbox    host.Addr
	room     deposit.Import // the peer's credit word
	chunks   []chunk        // of incomplete records
	complete []arrival      // complete records that wait for an earlier one
	next     uint32         // sequence number
	consumed uint32         // bytes
	told     uint32         // consumed, as reported to the peer
	owed     bool           // it is in owing
	partial  [streams + 1][]byte
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
		p.rings = p.space.Alloc(int64(len(nodes)-1) * p.spec.share())
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
func (s *Spec) share() int64 {
	if s.RingBytes < host.PageBytes {
		return int64(2*s.RingBytes + creditBytes)
	}
	return int64(2*s.RingBytes + host.PageBytes)
}

// layOut computes the addresses of the rings and credits of the i-th peer.
func (p *Port) layOut(i int, q *peer) {
	ring := host.Addr(p.spec.RingBytes)
	at, n := host.Addr(i), host.Addr(len(p.all)-1)
	if ring < host.PageBytes {
		q.inbox = p.rings + at*ring
		q.staging = p.rings + (n+at)*ring
		q.credit = p.rings + 2*n*ring + at*creditBytes
		return
	}
	q.inbox = p.rings + at*host.Addr(p.spec.share())
	q.staging = q.inbox + ring
	q.credit = q.staging + ring
}

// peer returns the connection to another node, and connects on first use.
func (p *Port) peer(j int) *peer {
	if q := p.peers[j]; q != nil {
		return q
	}
	other := p.all[j]
	q, r := p.add(j), other.add(p.id)
	q.connect(p.port, &r.exports)
	r.connect(other.port, &q.exports)
	return q
}

// endpoints are what a node exports to one peer.
type endpoints struct{ ring, pages, credit deposit.Export }

// add allocates and exports the memory for a peer.
func (p *Port) add(j int) *peer {
	q := &peer{}
	p.peers[j] = q
	place := j
	if j > p.id {
		place-- // a node has no place for itself
	}
	p.layOut(place, q)
	e := &q.exports
	e.ring = must(p.port.Export(q.inbox, p.spec.RingBytes, func(deposit.Arrival) { p.notify() }))
	e.ring.OnWrite(func(d deposit.Arrival) { p.arrived(j, d) })
	e.pages = must(p.port.ExportFrames(p.window, p.spec.Pages*svm.PageSize, p.place))
	e.pages.OnWrite(func(d deposit.Arrival) {
		if d.Last {
			p.inbox.Land(j, svm.Page(d.Offset/svm.PageSize))
			p.watch.Fire()
		}
	})
	e.credit = must(p.port.Export(q.credit, 4, nil))
	e.credit.OnWrite(func(deposit.Arrival) { q.credited(p.space.Load32(q.credit)) })
	return q
}

func (q *peer) connect(port deposit.Port, e *endpoints) {
	q.ring, q.pages, q.room = must(port.Import(e.ring)), must(port.Import(e.pages)), must(port.Import(e.credit))
}

// must panics on errors that only a defect of the port itself can cause.
func must[T any](x T, err error) T {
	if err != nil {
		panic("svm/wire: " + err.Error())
	}
	return x
}

// credited stores the reader's count of consumed bytes. Two contexts of the
// reader may send counts at the same time, so an older one may arrive last.
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
