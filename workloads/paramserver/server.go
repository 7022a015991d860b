package paramserver

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// run is the program of a server: the chunks of its shard, step by step.
func (s *server) run() {
	s.Tell.Phase(serving)
	for range s.spec.Options.Steps {
		for number := 0; ; number++ {
			first, n := s.shard.chunk(number, s.longest())
			if n == 0 {
				break
			}
			s.update(s.values[vectors.ElementBytes*(first-s.shard.first):][:n])
		}
	}
	s.Tell.Phase("")
}

// update adds the gradients of a chunk, in the order of the workers, changes the parameters, and sends them to all workers.
func (s *server) update(parameters []byte) {
	n := len(parameters)
	sum := s.sum[:n]
	clear(sum)
	for _, l := range s.from {
		for !l.Ready() {
			s.Wait("a gradient")
		}
		vectors.Plus(sum, s.take(l, n))
		s.added(n)
	}
	vectors.Plus(parameters, sum)
	s.added(n)
	for _, l := range s.to {
		for !l.Room() {
			s.Wait("room at a worker")
		}
		at := s.Buffer() // stands for the parameters in memory
		s.Space.WriteAt(at, parameters)
		l.Send(at, n, trace.Meta{Kind: trace.Reply})
	}
}

// take returns the oldest chunk of a lane, of n bytes.
func (s *server) take(l *team.Lane, n int) []byte {
	at, got := l.Front()
	if got != n {
		s.Wrong("server %d: %d B of a gradient, want %d", s.ID, got, n)
	}
	s.Space.ReadAt(at, s.bytes[:n])
	l.Free()
	return s.bytes[:n]
}

// added charges the addition of n bytes of numbers that are in memory to others in the cache: an addition of float32
// and the loop for each.
func (s *server) added(n int) {
	numbers := int64(n / vectors.ElementBytes)
	s.X.Compute(host.Work{Flops: numbers, Ints: numbers, Loads: numbers, Stores: numbers, Read: int64(n)})
}
