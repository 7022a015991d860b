package deposit

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Refusal is the error of a layer that does not support programs, with the
// reason.
type Refusal struct{ Layer, Why string }

// Error returns the reason.
func (r *Refusal) Error() string {
	return fmt.Sprintf("layer %s does not carry programs: %s", r.Layer, r.Why)
}

// Carries returns a *Refusal if that number of programs cannot run at the same
// time on a layer with these traits.
func Carries(t *comm.Traits, programs int) error {
	switch p := &t.Promises; {
	case !p.Reliable || !p.Ordered:
		return &Refusal{t.Name, p.Why}
	case programs > 1 && !t.Multiprogramming:
		return &Refusal{t.Name, fmt.Sprintf("it serves one process of a node, and there are %d programs", programs)}
	}
	return nil
}

// Open opens ports on the nodes' layer for the processes of a program, one on each
// node. Their memory is named after name and node. It takes no simulated time. It
// returns a *Refusal if the layer does not support programs.
func Open(nodes []Node, name string, tag trace.Tag) ([]Port, error) {
	ports := make([]Port, len(nodes))
	var endpoints []comm.Endpoint
	for i, n := range nodes {
		space := host.NewSpace(fmt.Sprintf("%s%d", name, i), n.Frames)
		if native, ok := n.Layer.(Native); ok {
			ports[i] = native.OpenPort(space, tag)
			continue
		}
		if err := Carries(n.Layer.Traits(), 1); err != nil {
			return nil, err
		}
		ep, err := n.Layer.Open(space, tag)
		if err != nil {
			return nil, err
		}
		if ports[i], err = over(i, n, ep, len(nodes)); err != nil {
			return nil, err
		}
		endpoints = append(endpoints, ep)
	}
	for i, n := range nodes {
		if n.Around != nil {
			ports[i] = n.Around(ports[i], tag)
		}
	}
	return ports, comm.Connect(endpoints, host.PageBytes+envelopeBytes)
}

// Attendant starts a context that polls a port for arrivals while no other
// context does. It returns nil for a port that is not polled.
func Attendant(h *host.Host, name string, p Port) *host.Context {
	if !p.Polled() {
		return nil
	}
	c := h.Go(name, host.Handler, func(c *host.Context) {
		for {
			p.Poll(c)
			c.WaitInterrupt("arrivals")
		}
	})
	p.Attend(c.Interrupt)
	return c
}

// over returns a port on an endpoint.
func over(id int, n Node, ep comm.Endpoint, nodes int) (Port, error) {
	layer, ok := ep.(attended)
	if !ok {
		return nil, &Refusal{ep.Traits().Name, "its library does not report arrivals"}
	}
	p := &polled{id: id, engine: n.Host.Engine(), space: ep.Space(), frames: n.Frames, layer: layer}
	switch x := ep.(type) {
	case comm.Requester:
		p.carrier = newStores(p, x)
	case comm.Gatherer:
		p.carrier = newMessages(p, x)
	default:
		return nil, &Refusal{ep.Traits().Name, "it cannot gather a message from pieces"}
	}
	layer.OnArrival(p.arrived)
	if w, ok := ep.(comm.Watched); ok {
		p.look = w.Guard(p.unattended, p.waiting.Alarm)
	}
	if s, ok := ep.(comm.Sleeper); ok {
		p.waiting.woken = s.Woken
	}
	if x, ok := ep.(comm.Multicaster); ok {
		return newMulticasting(p, x, nodes), nil
	}
	return p, nil
}
