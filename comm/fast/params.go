package fast

import (
	"fmt"
	"sort"

	"github.com/sigview/sigview/sim"
)

// Params are the parameters of a place: a layer on a platform.
type Params struct {
	Points []Point `json:"points"` // by rising size, at least one
	Slots  int     `json:"slots"`  // messages that the library queues before a sender waits
	// Polled says that the receiving processor stores messages, not its interface.
	Polled bool `json:"polled"`
}

// Point is the cost of messages of one size.
type Point struct {
	Bytes int `json:"size_bytes"`
	Cost
}

// Cost is what a message costs.
type Cost struct {
	Send    sim.Duration `json:"o_s_ps"` // o_s: processor time of the sender
	Receive sim.Duration `json:"o_r_ps"` // o_r: processor time of the receiver
	Gap     sim.Duration `json:"g_ps"`   // g: least time between two messages out of an interface
	In      sim.Duration `json:"g_r_ps"` // the same into an interface; 0: receivers have no congestion
	Latency sim.Duration `json:"L_ps"`   // L: from the end of the send until the last byte is there
	// Turn is how long an interface that has stored a message is busy with it before it can
	// take one to send.
	Turn sim.Duration `json:"turn_ps"`
	// Spread is Gap for messages that go to different nodes. It is less if the interface serves each node
	// on its own; 0: the same. An Engine does not know it.
	Spread sim.Duration `json:"g_spread_ps"`
	// Both is what an interface needs to send a message and to store another, if it does so all
	// the time. An Engine does not know it, because its ranks send ahead of time.
	Both sim.Duration `json:"both_ps"`
}

// Validate returns an error that names what is wrong.
func (p *Params) Validate() error {
	if len(p.Points) == 0 || p.Slots < 1 {
		return fmt.Errorf("fast: %d sizes and %d slots, want at least one of each", len(p.Points), p.Slots)
	}
	for i, x := range p.Points {
		if x.Bytes < 0 || i > 0 && x.Bytes <= p.Points[i-1].Bytes {
			return fmt.Errorf("fast: size %d B at place %d, want rising sizes", x.Bytes, i)
		}
		if min(x.Send, x.Receive, x.Gap, x.In, x.Latency, x.Turn, x.Spread, x.Both) < 0 {
			return fmt.Errorf("fast: costs of %d B are %+v, want none below 0", x.Bytes, x.Cost)
		}
	}
	return nil
}

// At returns the cost of a message. Between two measured sizes it is on the line
// through both; beyond the last, the line through the last two goes on, whose slope is G.
func (p *Params) At(bytes int) Cost {
	all := p.Points
	if bytes <= all[0].Bytes || len(all) == 1 {
		return all[0].Cost
	}
	i := min(sort.Search(len(all), func(i int) bool { return all[i].Bytes >= bytes }), len(all)-1)
	a, b := &all[i-1], &all[i]
	part := float64(bytes-a.Bytes) / float64(b.Bytes-a.Bytes)
	between := func(x, y sim.Duration) sim.Duration {
		return max(0, x+sim.Duration(float64(part*float64(y-x))))
	}
	return Cost{
		Send: between(a.Send, b.Send), Receive: between(a.Receive, b.Receive),
		Gap: between(a.Gap, b.Gap), In: between(a.In, b.In), Latency: between(a.Latency, b.Latency),
		Turn: between(a.Turn, b.Turn), Spread: between(a.Spread, b.Spread), Both: between(a.Both, b.Both),
	}
}

// Costs caches the costs of the latest sizes.
type Costs struct {
	params *Params
	bytes  [64]int
	known  [64]Cost
}

// NewCosts returns the costs of parameters.
func NewCosts(p *Params) *Costs {
	c := &Costs{params: p}
	for i := range c.bytes {
		c.bytes[i] = -1
	}
	return c
}

// At returns the cost of a message. Callers must not change it, or keep it beyond the next call.
func (c *Costs) At(bytes int) *Cost {
	i := uint(bytes>>2^bytes>>9) % uint(len(c.bytes))
	if c.bytes[i] != bytes {
		c.bytes[i], c.known[i] = bytes, c.params.At(bytes)
	}
	return &c.known[i]
}
