package wire

import (
	"fmt"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Spec says how messages travel.
type Spec struct {
	Tag       trace.Tag // program that the packets belong to
	Pages     int       // of the shared memory
	RingBytes int       // of one ring; a power of two of at least 4 KB
}

// Node is what one node brings: its control program and its memory.
type Node struct {
	VMMC   *vmmc.Node
	Frames *host.Frames
}

// Port is one node's svm.Transport.
type Port struct {
	id     int
	spec   Spec
	space  *host.Space
	ep     *vmmc.Endpoint
	window host.Addr // where the shared memory lies
	peers  []peer
	watch  host.Watch
	notify func()
	boxes  [2]box
	free   [][]byte // buffers of messages that have been received
	named  []named
	owing  []int // peers to be told of room
	stats  Stats
}

// Stats counts what a port did beside carrying messages.
type Stats struct {
	Credits uint64 // words deposited to tell a writer of room
	Waits   uint64 // sends that waited for room
	Parts   uint64 // records that are parts of longer messages
	Damaged uint64 // records with an impossible header
}

type named struct {
	page  svm.Page
	frame *svm.Frame
}

// box holds messages of one class in the order of arrival.
type box struct {
	messages []message
	head     int
	last     []byte
}

type message struct {
	from  int
	bytes []byte
}

// peer is both directions between this node and another one.
type peer struct {
	// Writing into its ring.
	ring      *vmmc.Import
	pages     *vmmc.Import
	staging   host.Addr // a copy of its ring, from which the interface fetches
	credit    host.Addr // it deposits here how much it has consumed
	watch     host.Watchpoint
	written   uint32 // bytes, gaps at the ring's end included
	read      uint32 // of them, as far as this node has been told
	seq       uint32
	deposited uint32 // page that the next record announces, plus one
	busy      [streams + 1]bool

	// Reading from my ring for it.
	inbox    host.Addr
	room     *vmmc.Import // its credit word
	chunks   []chunk      // of records that have not come whole
	complete []arrival    // records that wait for an earlier one
	next     uint32       // sequence number
	landed   []svm.Page   // that no record has announced yet
	consumed uint32       // bytes
	told     uint32       // of them, what it has been told
	owed     bool         // it is among owing
	partial  [streams + 1][]byte
}

// chunk is a part of a record, of one packet or several.
type chunk struct {
	start, end  int // in the ring
	first, last bool
}

// arrival is a record that lies in the ring.
type arrival struct {
	record
	start int
}

// Connect makes the ports of all nodes. Notify, set by Port.OnRequest, runs
// when a request has arrived.
func Connect(spec Spec, nodes []Node) ([]*Port, error) {
	if spec.RingBytes < host.PageBytes || spec.RingBytes&(spec.RingBytes-1) != 0 {
		return nil, fmt.Errorf("svm/wire: a ring of %d B, want a power of two of at least %d B", spec.RingBytes, host.PageBytes)
	}
	ports := make([]*Port, len(nodes))
	exports := make([][]*endpoints, len(nodes))
	for i, n := range nodes {
		p := &Port{id: i, spec: spec, peers: make([]peer, len(nodes))}
		p.space = host.NewSpace(fmt.Sprintf("svm%d", i), n.Frames)
		p.ep = n.VMMC.Open(p.space, spec.Tag)
		p.window = p.space.Alloc(int64(spec.Pages) * svm.PageSize)
		ports[i] = p
		var err error
		if exports[i], err = p.export(); err != nil {
			return nil, err
		}
	}
	for i, p := range ports {
		for j := range ports {
			if i == j {
				continue
			}
			if err := p.peers[j].connect(p.ep, exports[j][i]); err != nil {
				return nil, err
			}
		}
	}
	return ports, nil
}

// endpoints are what a node exports to one peer.
type endpoints struct{ ring, pages, credit *vmmc.Export }

func (p *Port) export() ([]*endpoints, error) {
	out := make([]*endpoints, len(p.peers))
	for j := range p.peers {
		if j == p.id {
			continue
		}
		q := &p.peers[j]
		q.inbox = p.space.Alloc(int64(p.spec.RingBytes))
		q.staging = p.space.Alloc(int64(p.spec.RingBytes))
		q.credit = p.space.Alloc(4)
		p.space.Watch(&q.watch, q.credit, 4)
		e := &endpoints{}
		var err error
		if e.ring, err = p.ep.Export(q.inbox, p.spec.RingBytes, func(vmmc.Deposit) { p.notify() }); err != nil {
			return nil, err
		}
		e.ring.OnWrite(func(d vmmc.Deposit) { p.arrived(j, d) })
		if e.pages, err = p.ep.ExportFrames(p.window, p.spec.Pages*svm.PageSize, p.place); err != nil {
			return nil, err
		}
		e.pages.OnWrite(func(d vmmc.Deposit) {
			q.landed = append(q.landed, svm.Page(d.Offset/svm.PageSize))
			p.accept(j, q.next-1)
		})
		if e.credit, err = p.ep.Export(q.credit, 4, nil); err != nil {
			return nil, err
		}
		e.credit.OnWrite(func(vmmc.Deposit) { q.hear(p.space.Load32(q.credit)) })
		out[j] = e
	}
	return out, nil
}

// hear takes what the reader says it has consumed. Two contexts of the
// reader may say so at the same time, and the older word come last.
func (q *peer) hear(v uint32) {
	if int32(v-q.read) > 0 {
		q.read = v
	}
}

func (q *peer) connect(ep *vmmc.Endpoint, e *endpoints) error {
	var err error
	if q.ring, err = ep.Import(e.ring); err != nil {
		return err
	}
	if q.pages, err = ep.Import(e.pages); err != nil {
		return err
	}
	q.room, err = ep.Import(e.credit)
	return err
}

// OnRequest sets what runs when a request has arrived and its notification
// has been raised.
func (p *Port) OnRequest(f func()) { p.notify = f }

// Stats returns the counters.
func (p *Port) Stats() Stats { return p.stats }

// Watch implements svm.Transport.
func (p *Port) Watch() *host.Watch { return &p.watch }

// Expect implements svm.Transport.
func (p *Port) Expect(page svm.Page, f *svm.Frame) { p.named = append(p.named, named{page, f}) }

// Landed implements svm.Transport.
func (p *Port) Landed(page svm.Page) {
	for i := range p.named {
		if p.named[i].page == page {
			p.named = append(p.named[:i], p.named[i+1:]...)
			return
		}
	}
}

// place finds the memory of a deposit into the shared pages.
func (p *Port) place(offset, n int) []byte {
	for i := range p.named {
		if x := &p.named[i]; int(x.page) == offset/svm.PageSize {
			from := offset % svm.PageSize
			return x.frame.Bytes()[from : from+n]
		}
	}
	return nil
}
