package firmware

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Base is the part of a comm.Layer on one node that is the same for all layers
// with such a control program, to be embedded. Call Load before anything else.
type Base struct {
	Plain
	Program *Program
	NIC     *ni.NIC
	Nodes   int // number of nodes
	traits  *comm.Traits
	sole    bool // the one process has access
}

// Load loads the control program of a layer into a card; self is the whole layer.
func (b *Base) Load(card *ni.NIC, traits *comm.Traits, nodes int, spec Spec, self Layer) (err error) {
	b.NIC, b.Nodes, b.traits = card, nodes, traits
	b.Program, err = load(card, spec, traits.Name+".firmware", self)
	return err
}

// Traits returns the properties of the layer.
func (b *Base) Traits() *comm.Traits { return b.traits }

// Traffic returns the counts of sent and rejected packets.
func (b *Base) Traffic() comm.Traffic { return b.Program.Traffic(0) }

// Quiet reports whether the node has no outgoing packet or request.
func (b *Base) Quiet() bool { return b.Program.Quiet() }

// Losses returns the counts of packets that errors of the network and forward resets took, in
// a layer that sends nothing again.
func (b *Base) Losses() []comm.Count {
	return []comm.Count{
		{Name: "damaged", N: b.Program.Stats().Damaged, Loss: true}, {Name: "flushed", N: b.NIC.Stats().Flushed, Loss: true}, b.Reset(),
	}
}

// Reset counts the node's packets that were lost on their way in forward resets.
func (b *Base) Reset() comm.Count {
	return comm.Count{Name: "reset on the way", N: b.NIC.Net().ResetLost(b.NIC.ID()), Loss: true}
}

// Silent returns nothing: the layer sends nothing again.
func (b *Base) Silent() []comm.Silence { return nil }

// Process returns a process on the node.
func (b *Base) Process(space *host.Space, tag trace.Tag) library.Process {
	return library.NewProcess(b.traits, space, tag, b.NIC.ID(), b.Nodes)
}

// Sole returns the process on the node of a layer that serves one. It fails for a second one.
func (b *Base) Sole(space *host.Space, tag trace.Tag) (p library.Process, err error) {
	if b.sole {
		return p, fmt.Errorf("%s: node %d: a process has the interface, and the layer serves one", b.traits.Name, b.NIC.ID())
	}
	b.sole = true
	return b.Process(space, tag), nil
}
