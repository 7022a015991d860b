package blocks

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
	"github.com/sigview/sigview/workloads/internal/team"
)

// Blocks is a program on all nodes.
type Blocks struct {
	team.Team
	spec       Spec
	targets    []*target
	initiators []*initiator
	left       int // initiators that have not ended
	done       int // commands
	reads      int
}

// stride is the distance of blocks in memory.
func (b *Blocks) stride() int { return team.Stride(b.spec.Options.Bytes) }

// initiator is the program of a node.
type initiator struct {
	*Blocks
	*team.Member
	id       int          // among the initiators
	commands []*team.Lane // to each target
	answers  []*team.Lane
	answered ring.Ring[int] // targets whose answers have arrived
	data     host.Addr      // a block for each command under way
	area     deposit.Export
	memory   []deposit.Import // for blocks to be written, at each target
	free     []int            // numbers without a command
	under    []underway       // by number
	over     ring.Ring[int]   // numbers whose commands are done
	writes   []uint32         // of each block, done
	busy     []bool           // blocks with a command under way
	choice   sim.Stream
}

// underway is a command of an initiator.
type underway struct {
	command
	done bool // says the target
	come int  // bytes that have come
}

// target executes commands.
type target struct {
	*Blocks
	*team.Member
	device   device
	remote   comm.Remote // nil: initiators send what is written
	sessions []*session
	asked    ring.Ring[int] // sessions with a command
	filled   ring.Ring[job] // whose blocks have come
}

// session is an initiator at a target.
type session struct {
	initiator *initiator
	commands  *team.Lane
	answers   *team.Lane
	data      host.Addr      // a block for each of its commands
	memory    deposit.Import // of the initiator
	under     []underway
	stored    host.Addr    // its blocks in the device's memory
	written   map[int]bool // blocks that have been; looked up only
}

// job is a command of an initiator at a target.
type job struct{ session, number int }

// device is what keeps a target's blocks.
type device struct {
	target *target
	host   *host.Host
	memory *host.Space
	free   sim.Time          // when it has moved all blocks so far
	under  ring.Ring[moving] // the oldest first
	last   waits.ID          // the latest of them
	done   ring.Ring[job]
}

// moving is a block that a device reads or writes, and its actor in a log.
type moving struct {
	job
	actor waits.ID
}

// working is the phase of all nodes.
const working = "commands"

// Steps of a command beside those of all requests.
const (
	stepReady  trace.Step = "ready"  // until the block to be written is at the target
	stepDevice trace.Step = "device" // until the device has read or written it
	stepData   trace.Step = "data"   // until what has been read is at the initiator
)

// The operations of an initiator, from a command to the end of its completion.
const (
	opRead  trace.Operation = "read_block"
	opWrite trace.Operation = "write_block"
)
