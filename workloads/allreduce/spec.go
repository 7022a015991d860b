package allreduce

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// Algorithm is the way that the numbers take.
type Algorithm uint8

// The algorithms.
const (
	Ring  Algorithm = iota // each node sends to the next
	Tree                   // a binary tree with node 0 at the root
	Trees                  // that and its mirror image, each with half of the vector
)

var algorithms = names.NewEnum[Algorithm]("algorithm", "ring", "tree", "trees")

// String returns the name.
func (a Algorithm) String() string { return algorithms.Name(a) }

// Words implements names.Enumeration.
func (Algorithm) Words() names.Words { return algorithms.Words() }

// UnmarshalText reads an algorithm by its name.
func (a *Algorithm) UnmarshalText(name []byte) error { return algorithms.Set(a, name) }

// Spec describes a program.
type Spec struct {
	Nodes    int     `json:"nodes" range:"2..1024"`
	Elements int     `json:"size" range:"1..268435456 elements"` // of the vector
	Seed     uint64  `json:"seed"`
	Options  Options `json:"job"`
}

// Options say how often and how vectors are added. The zero value of a field means the program's
// own choice.
type Options struct {
	Algorithm  names.Word[Algorithm] `json:"algorithm,omitempty" optional:"yes"`  // "": ring
	Steps      int                   `json:"steps,omitempty" range:"0..10000"`    // sums, one after another; 0: 4
	ChunkBytes int                   `json:"chunk_bytes,omitempty" range:"0|4.."` // longest message, a multiple of 4; 0: 16384
	ComputeUs  float64               `json:"compute_us,omitempty" range:"0..1e7"` // of a node before each sum
}

// Sizes.
const (
	DefaultElements = 256 << 10 // 1 MB
	DefaultSteps    = 4
	DefaultChunk    = 16 << 10
	MaxChunk        = 1 << 20

	// slices is how many messages of a segment follow one another, so that one is added while
	// the next is on its way.
	slices = 4
	// slots of a lane are twice as many: credit comes when half of them are free, and nodes of a ring
	// whose lanes are all full would wait for each other.
	slots = 2 * slices
)

// resolve replaces zero values by the program's own and checks the others.
func (s Spec) resolve() (Spec, error) {
	s.Elements = cmp.Or(s.Elements, DefaultElements)
	if err := bounds.Check("", s); err != nil {
		return s, err
	}
	s.Options.Algorithm = cmp.Or(s.Options.Algorithm, names.Word[Algorithm](Ring.String()))
	s.Options.Steps = cmp.Or(s.Options.Steps, DefaultSteps)
	s.Options.ChunkBytes = cmp.Or(s.Options.ChunkBytes, DefaultChunk)
	if s.Options.ChunkBytes%vectors.ElementBytes != 0 || s.Options.ChunkBytes > MaxChunk {
		return s, bounds.Wrong("job.chunk_bytes", s.Options.ChunkBytes, "a multiple of %d up to %d", vectors.ElementBytes, MaxChunk)
	}
	return s, nil
}

// compute is what a node does before each sum.
func (o *Options) compute() sim.Duration { return sim.Microseconds(o.ComputeUs) }
