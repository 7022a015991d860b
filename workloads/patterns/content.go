package patterns

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/content"
)

// letter identifies a message and so determines all its bytes.
type letter struct {
	seed     uint64
	from, to int
	number   uint32
}

// everybody stands for the receiver of a broadcast.
const everybody = -1

// words returns the source of the message's bytes.
func (l letter) words() content.Words {
	pair := sim.Mix(l.seed ^ uint64(uint32(l.from))<<32 ^ uint64(uint32(l.to)))
	return content.Words(sim.Mix(pair) + uint64(l.number)*0x9e3779b97f4a7c15)
}
