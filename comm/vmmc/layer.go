package vmmc

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// traits of VMMC-2 (userspace, Tables 1 and 2).
var traits = comm.Traits{
	Name: "vmmc", Title: "VMMC-2: protected deposit into remote memory, reliable in firmware",
	Model: comm.DirectDeposit, Control: "Separate",
	IntranodeProtection: true, InternodeProtection: true, Multiprogramming: true,
	Overflow: "Impossible", Errors: "Tolerated", Management: "Dynamic/Demand",
	SendPath: "DMA+v2p trans", ReceivePath: "DMA+v2p trans", Protection: "v2p trans", Reliability: "Firmware", Notice: "N/A",
	Promises: comm.Kept, InPlace: true, Multicasts: true, Describes: true, Overtaking: true, MinBytes: 1,
}

// Traits returns the properties of VMMC-2.
func (s *Spec) Traits() *comm.Traits { return &traits }

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.PacketBytes }

// Shape returns the card as it is: the profile divides it for VMMC-2.
func (s *Spec) Shape(card ni.Spec, _ int) ni.Spec { return card }

// Traits returns the properties of VMMC-2.
func (n *Node) Traits() *comm.Traits { return &traits }

// Open gives a process access; it also needs Connect.
func (n *Node) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	return &Messages{Process: library.NewProcess(&traits, space, tag, n.nic.ID(), n.nodes), ep: n.Process(space, tag)}, nil
}

// Quiet reports whether the node has nothing in flight.
func (n *Node) Quiet() bool {
	n.nic.Settle()
	return n.nic.Requests() == 0 && n.active == 0 && n.Unacknowledged() == 0
}

// Traffic returns the counts of sent and rejected packets.
func (n *Node) Traffic() comm.Traffic {
	s := n.Stats()
	return comm.Traffic{Packets: s.Packets, Acks: s.Acks, Nacks: s.Nacks, Repeated: s.Retransmitted, Damaged: s.Corrupt}
}

// Counts returns the counts of lost or refused packets, which the link sends
// again, and of links that were given up.
func (n *Node) Counts() []comm.Count {
	s := n.Stats()
	return []comm.Count{
		{Name: "damaged", N: s.Corrupt}, {Name: "malformed", N: s.Malformed}, {Name: "refused", N: s.Protection},
		{Name: "repeated", N: s.Retransmitted}, {Name: "rerouted", N: s.Rerouted}, {Name: "given up", N: s.GivenUp, Loss: true},
	}
}

// Silent returns the peers that have not answered since packets to them were sent again.
func (n *Node) Silent() (all []comm.Silence) {
	for i, block := range n.links {
		for j := 0; block != nil && j < len(block); j++ {
			if l := &block[j]; l.silent > 0 {
				all = append(all, comm.Silence{Peer: i*linkBlock + j, Again: int(l.silent), GivenUp: l.dead})
			}
		}
	}
	return all
}

// Messages is an endpoint for messages as in the programs of the user-space
// study (userspace §4.1). Every process has a region for each peer, with the
// message at its beginning, and a receiver spins on the message's last word. A
// second message overwrites one that has not been read.
type Messages struct {
	library.Process
	ep        *Endpoint
	peers     []mailbox // by node, once there are regions
	connected bool
}

// mailbox is what a process has for one peer.
type mailbox struct {
	at     host.Addr
	export deposit.Export
	to     deposit.Import
	come   uint64 // messages that have arrived
	taken  uint64
	bytes  int // of the last one
	watch  host.Watch
}

// Connect makes a region for every peer and imports the peers' regions.
func (m *Messages) Connect(peers []comm.Endpoint, most int) error {
	switch {
	case m.connected:
		return m.Errorf("connected already")
	case most < traits.MinBytes:
		return m.Errorf("regions of %d B, want at least %d", most, traits.MinBytes)
	}
	if err := m.export(most); err != nil {
		return err
	}
	m.connected = true
	return library.Peers(&m.Process, peers, func(peer *Messages) error {
		if peer == m {
			return nil
		}
		if err := peer.export(most); err != nil {
			return err
		}
		var err error
		m.peers[peer.Node()].to, err = m.ep.Import(peer.peers[m.Node()].export)
		return err
	})
}

// export makes the regions, once.
func (m *Messages) export(most int) error {
	if m.peers != nil {
		return nil
	}
	m.peers = make([]mailbox, m.Nodes())
	for i := range m.peers {
		if i == m.Node() {
			continue
		}
		b := &m.peers[i]
		b.at = m.Buffer(most)
		var err error
		if b.export, err = m.ep.Export(b.at, most, nil); err != nil {
			return err
		}
		b.export.OnWrite(func(d Deposit) {
			if d.Last {
				b.come++
				b.bytes = d.Offset + d.Bytes
				b.watch.Fire()
			}
		})
	}
	return nil
}

// peer returns the region for a peer, with the import of the peer's region.
func (m *Messages) peer(i int) (*mailbox, error) {
	if err := m.CheckPeer(i); err != nil {
		return nil, err
	}
	if m.peers == nil || m.peers[i].to == nil {
		return nil, m.Errorf("no connection to node %d", i)
	}
	return &m.peers[i], nil
}

// Send deposits a message in the peer's region. It is asynchronous.
func (m *Messages) Send(c *host.Context, to int, from host.Addr, n int, meta trace.Meta) error {
	b, err := m.peer(to)
	if err != nil {
		return err
	}
	if err := m.CheckSend(to, from, n, meta); err != nil {
		return err
	}
	return m.ep.Send(c, from, b.to, 0, n, meta, false)
}

// Receive spins until another message of a peer is in memory. It cannot wait
// for Anyone, because each sender has its own location.
func (m *Messages) Receive(c *host.Context, from int, into host.Addr, n int) (comm.Message, error) {
	if from == comm.Anyone {
		return comm.Message{}, m.Errorf("receive from anyone, want a node: every sender has a region of its own")
	}
	b, err := m.peer(from)
	if err != nil {
		return comm.Message{}, err
	}
	if err := m.CheckReceive(from, into, n, true); err != nil {
		return comm.Message{}, err
	}
	for b.come == b.taken {
		c.Spin(&b.watch, "a message")
	}
	b.taken++
	got := comm.Message{From: from, Bytes: b.bytes, At: b.at}
	if into == 0 {
		return got, nil
	}
	if got.Bytes > n {
		return got, m.TooLong(got, n)
	}
	c.Copy(got.Bytes, false)
	m.Space().CopyFrom(m.Space(), b.at, into, got.Bytes)
	got.At = into
	return got, nil
}

// Poll handles nothing: deposits need no process.
func (m *Messages) Poll(*host.Context) int { return 0 }
