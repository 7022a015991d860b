package allreduce

import (
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// AllReduce is a program on all nodes.
type AllReduce struct {
	team.Team
	spec      Spec
	algorithm Algorithm
	vectors   *vectors.Vectors
	workers   []*worker
	compared  int64 // elements
}

// worker is the program of a node.
type worker struct {
	*AllReduce
	*team.Member
	step  int
	span  trace.Span
	bytes []byte // the chunk at hand
	more  []byte // one to be added to it

	before, after *team.Lane // neighbours in the ring
	trees         []*branch
}

// chunk is a part of the vector.
type chunk struct{ first, elements int }

func (c chunk) bytes() int { return vectors.ElementBytes * c.elements }

// branch is a node's place in a tree, and how far it has got in a step.
type branch struct {
	index     int          // of the tree
	up        *team.Lane   // to the parent; nil at the root
	down      *team.Lane   // from it
	from      []*team.Lane // of the children
	to        []*team.Lane
	risen     int // chunks passed up
	descended int // chunks of the sum that have come
}

// opAllReduce is one sum as a node sees it, from its call until it has all elements.
const opAllReduce trace.Operation = "all_reduce"

// Steps of a sum. In a ring of a long vector they alternate.
const (
	stepReduce trace.Step = "reduce" // numbers are added on their way
	stepGather trace.Step = "gather" // of the sum only comes what others have added
)

// The phases of a node.
const (
	computing = "compute"
	reducing  = "all-reduce"
)
