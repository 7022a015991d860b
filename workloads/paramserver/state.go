package paramserver

import (
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// ParamServer is a program on all nodes.
type ParamServer struct {
	team.Team
	spec     Spec
	vectors  *vectors.Vectors // of the workers
	servers  []*server
	workers  []*worker
	compared int64 // parameters
}

// server keeps a shard of the parameters.
type server struct {
	*ParamServer
	*team.Member
	shard  shard
	values []byte
	sum    []byte // of the chunk at hand
	bytes  []byte
	from   []*team.Lane // of each worker
	to     []*team.Lane
}

// shard is a part of the parameters.
type shard struct{ first, end int }

// chunk returns a part of a shard, of at most so many parameters.
func (s shard) chunk(number, longest int) (first, bytes int) {
	first = s.first + number*longest
	return first, vectors.ElementBytes * max(0, min(longest, s.end-first))
}

// worker is the program of a node.
type worker struct {
	*ParamServer
	*team.Member
	number int
	step   int
	known  vectors.Sum // of the parameters after this step
	span   trace.Span
	bytes  []byte
	to     []*team.Lane // to each server
	from   []*team.Lane
	sent   []int // chunks of this step, by server
	come   []int
}

// opPushPull is a worker's part of a step, from its first chunk until it has all parameters.
const opPushPull trace.Operation = "push_pull"

// Steps of it.
const (
	stepPush trace.Step = "push" // until the gradient is sent; parameters come meanwhile
	stepPull trace.Step = "pull" // until all parameters have come
)

// The phases of a worker and of a server.
const (
	computing  = "compute"
	exchanging = "push-pull"
	serving    = "serve"
)
