package experiment

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/largeheap"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/workloads/patterns"
)

// The memory without which runs do not end, as measured with hardly any garbage; see
// docs/performance.md.
const (
	programMemory  = 56 << 20  // of the program itself
	nodeMemory     = 512 << 10 // of a node
	sharingMemory  = 700 << 10 // of a node with shared memory, beside that
	ringMemory     = 48 << 10  // of two nodes that pass messages
	allRingsMemory = 192 << 20
	describedShare = 16 // bytes that take the memory of one as a description
)

// footprint estimates the memory of a run on a layer, in bytes; docs/performance.md has how near. Records and
// what is under way of a pattern other than alltoall are not in it.
func (s RunSpec) footprint(nodes int, on *comm.Traits) int64 {
	bytes := int64(programMemory)
	if s.Detail != DetailFast {
		bytes += int64(nodes) * nodeMemory
		if s.runsAny(memoryWorkloads) {
			bytes += int64(nodes) * sharingMemory
		}
	}
	for _, name := range s.Programs() {
		if memory := workloads[name].memory; memory != nil {
			bytes += memory(s.alone(name), int64(nodes), on)
		}
	}
	return bytes
}

// each returns the memory of a program that takes so many bytes for each unit of its size.
func each(bytes int64) func(RunSpec, int64, *comm.Traits) int64 {
	return func(s RunSpec, _ int64, _ *comm.Traits) int64 { return bytes * s.Size }
}

// squared is each for a program whose size is the side of a square.
func squared(bytes int64) func(RunSpec, int64, *comm.Traits) int64 {
	return func(s RunSpec, _ int64, _ *comm.Traits) int64 { return bytes * s.Size * s.Size }
}

// rings is the memory for messages of all pairs of nodes.
func rings(nodes int64) int64 { return min(nodes*(nodes-1)*ringMemory, allRingsMemory) }

// allMessages is the memory of a pattern whose messages are all sent before they are read,
// at the sender and under way.
func allMessages(s RunSpec, nodes int64, on *comm.Traits) int64 {
	bytes := 2 * nodes * (nodes - 1) * int64(cmp.Or(s.Pattern.Bytes, patterns.DefaultBytes))
	if s.Pattern.Bytes >= host.DescribedBytes && on.Describes && s.Detail != DetailFast {
		bytes /= describedShare
	}
	return bytes
}

// noRoom is the error of a run that needs more memory than there is.
type noRoom struct {
	need  int64
	limit largeheap.Limit
}

// Error says how much memory the run needs and how much there is.
func (e noRoom) Error() string {
	return fmt.Sprintf("the run needs about %s of memory by estimate, and may take %v: want fewer nodes, a smaller size or more memory", largeheap.Size(e.need), e.limit)
}

// Usage marks the error as a mistake in how the program was called.
func (noRoom) Usage() bool { return true }

// fits returns an error for a run that needs more memory than the context allows.
func fits(ctx context.Context, s RunSpec, nodes int, on *comm.Traits) error {
	limit, ok := largeheap.LimitOf(ctx)
	if need := s.footprint(nodes, on); ok && need > limit.Bytes {
		return noRoom{need, limit}
	}
	return nil
}
