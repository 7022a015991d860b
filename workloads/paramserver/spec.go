package paramserver

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// Spec describes a program.
type Spec struct {
	Nodes      int     `json:"nodes" range:"2..1024"`
	Parameters int     `json:"size" range:"1..268435456 parameters"`
	Seed       uint64  `json:"seed"`
	Options    Options `json:"job"`
}

// Options say how parameters are kept and learnt. The zero value of a field means the program's own choice.
type Options struct {
	Servers    int     `json:"servers,omitempty" range:"0..1023"`   // the first ones of the nodes; 0: 1
	Steps      int     `json:"steps,omitempty" range:"0..10000"`    // 0: 4
	ChunkBytes int     `json:"chunk_bytes,omitempty" range:"0|4.."` // longest message, a multiple of 4; 0: 16384
	ComputeUs  float64 `json:"compute_us,omitempty" range:"0..1e7"` // of a worker before it sends
}

// Sizes.
const (
	DefaultParameters = 64 << 10 // 256 KB
	DefaultSteps      = 4
	DefaultChunk      = 16 << 10
	MaxChunk          = 1 << 20

	// Slots of a worker at a server, and of a server at a worker.
	Slots = 4

	maxMemory = 2 << 30 // of all lanes
)

// resolve replaces zero values by the program's own and checks the others.
func (s Spec) resolve() (Spec, error) {
	s.Parameters = cmp.Or(s.Parameters, DefaultParameters)
	if err := bounds.Check("", s); err != nil {
		return s, err
	}
	o := &s.Options
	o.Servers, o.Steps, o.ChunkBytes = cmp.Or(o.Servers, 1), cmp.Or(o.Steps, DefaultSteps), cmp.Or(o.ChunkBytes, DefaultChunk)
	switch need := 2 * int64(s.Nodes) * int64(o.Servers) * Slots * int64(o.ChunkBytes); {
	case o.Servers >= s.Nodes:
		return s, bounds.Wrong("job.servers", o.Servers, "fewer than the %d nodes: the others are workers", s.Nodes)
	case o.ChunkBytes%vectors.ElementBytes != 0 || o.ChunkBytes > MaxChunk:
		return s, bounds.Wrong("job.chunk_bytes", o.ChunkBytes, "a multiple of %d up to %d", vectors.ElementBytes, MaxChunk)
	case need > maxMemory:
		return s, bounds.Wrong("job.chunk_bytes", o.ChunkBytes, "less: messages between %d nodes and %d servers would take %d MB of at most %d", s.Nodes, o.Servers, need>>20, maxMemory>>20)
	}
	return s, nil
}

// compute is what a worker does before it sends.
func (o *Options) compute() sim.Duration { return sim.Microseconds(o.ComputeUs) }
