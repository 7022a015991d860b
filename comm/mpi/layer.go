package mpi

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Build loads the layer below into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) {
	below, err := s.Lower.Build(card, nodes)
	if err != nil {
		return nil, err
	}
	return &Layer{Layer: below, spec: *s, traits: s.Traits(), host: card.Host(), id: card.ID(), nodes: nodes}, nil
}

// Traits returns the properties of the layer.
func (l *Layer) Traits() *comm.Traits { return l.traits }

// Open gives a process access.
func (l *Layer) Open(space *host.Space, tag trace.Tag) (comm.Endpoint, error) {
	below, err := l.Layer.Open(space, tag)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{Process: library.NewProcess(l.traits, space, tag, l.id, l.nodes), layer: l, peers: make([]sink, l.nodes)}
	low, ok := below.(lower)
	if !ok {
		return nil, e.Errorf("over %s, want a layer that can gather a message from pieces and reports arrivals", l.spec.Over)
	}
	e.low = low
	e.apart, _ = below.(comm.Scatterer)
	e.out, e.in = low.Buffer(headBytes), space.Alloc(headBytes)
	e.place = e.locate
	low.OnArrival(e.Ring)
	e.guard()
	return e, nil
}

// Counts returns the counts of the layer below and of messages.
func (l *Layer) Counts() []comm.Count {
	s := &l.stats
	return append(l.Layer.Counts(),
		comm.Count{Name: "eager", N: s.Eager}, comm.Count{Name: "rendezvous", N: s.Rendezvous},
		comm.Count{Name: "expected", N: s.Expected}, comm.Count{Name: "unexpected", N: s.Unexpected},
		comm.Count{Name: "accepted", N: s.Accepted}, comm.Count{Name: "interrupts", N: s.Interrupts},
		comm.Count{Name: "misplaced", N: s.Malformed, Loss: true})
}
