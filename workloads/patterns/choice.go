package patterns

import (
	"fmt"
	"sort"

	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/sim"
)

// choice draws receivers for Random and HotSpot. Every node has a stream of
// its own that gives the same receivers whenever it is started. So each receiver's
// number of messages is counted before the pattern starts.
type choice struct {
	spec   Spec
	engine *sim.Engine
	upto   []float64 // Random with skew: sum of the weights up to each node
	expect []uint32  // messages for each node
}

func newChoice(s Spec, e *sim.Engine) choice {
	c := choice{spec: s, engine: e}
	if s.Shape != Random && s.Shape != HotSpot {
		return c
	}
	if s.Shape == Random && s.Skew > 0 {
		c.upto = make([]float64, s.Nodes)
		sum := 0.0
		for i := range c.upto {
			sum += portable.Pow(float64(i+1), -s.Skew)
			c.upto[i] = sum
		}
	}
	c.expect = make([]uint32, s.Nodes)
	for i := range s.Nodes {
		stream := c.stream(i)
		for range s.Count {
			c.expect[c.draw(&stream, i)]++
		}
	}
	return c
}

func (c *choice) stream(node int) sim.Stream {
	return c.engine.Stream(fmt.Sprintf("node%d/%v", node, c.spec.Shape))
}

// draw returns the next receiver of a node's message, another node.
func (c *choice) draw(stream *sim.Stream, from int) int {
	switch {
	case c.upto != nil:
		for {
			u := stream.Float64() * c.upto[len(c.upto)-1]
			if to := sort.SearchFloat64s(c.upto, u); to != from && to < c.spec.Nodes {
				return to
			}
		}
	case c.spec.Shape == HotSpot && from != 0 && stream.Float64() < c.spec.Skew:
		return 0
	}
	to := stream.Below(c.spec.Nodes - 1)
	if to >= from {
		to++
	}
	return to
}
