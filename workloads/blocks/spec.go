package blocks

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Spec describes devices and the work on them.
type Spec struct {
	Nodes    int     `json:"nodes" range:"2..1024"`
	Commands int     `json:"size" range:"1..10000000 commands"` // of all initiators together
	Seed     uint64  `json:"seed"`
	Options  Options `json:"job"`
}

// Options say how devices are used. The zero value of a field means the program's own choice.
type Options struct {
	Servers    int     `json:"servers,omitempty" range:"0..1023"`           // targets, the first ones of the nodes; 0: 1
	Blocks     int     `json:"items,omitempty" range:"0..1000000"`          // of each initiator; 0: 256
	Bytes      int     `json:"item_bytes,omitempty" range:"0|512..1048576"` // of a block, a multiple of 512; 0: 4096
	Depth      int     `json:"depth,omitempty" range:"0..256"`              // commands of an initiator under way; 0: 8
	Reads      int     `json:"reads,omitempty" range:"0..100"`              // of the commands, relative to the others; both 0: 70 and 30
	Writes     int     `json:"writes,omitempty" range:"0..100"`
	ComputeUs  float64 `json:"compute_us,omitempty" range:"0..1e7"`           // of an initiator before each command
	DeviceUs   float64 `json:"device_us,omitempty" range:"0|0.001..1e6"`      // latency of a device; 0: 80
	DeviceMBps float64 `json:"device_mbps,omitempty" range:"0|0.001..100000"` // its rate; 0: 3000
}

// Sizes and figures.
const (
	DefaultCommands = 4000
	DefaultBlocks   = 256
	DefaultBytes    = 4096
	DefaultDepth    = 8

	// Of a device of flash memory on four lanes of PCIe, assumed for reads and writes alike.
	DefaultDeviceUs   = 80
	DefaultDeviceMBps = 3000

	maxMemory = 2 << 30 // that targets may take for blocks under way
)

// resolve replaces zero values by the program's own and checks the others.
func (s Spec) resolve() (Spec, error) {
	s.Commands = cmp.Or(s.Commands, DefaultCommands)
	if err := bounds.Check("", s); err != nil {
		return s, err
	}
	o := &s.Options
	o.Servers, o.Bytes, o.Depth = cmp.Or(o.Servers, 1), cmp.Or(o.Bytes, DefaultBytes), cmp.Or(o.Depth, DefaultDepth)
	o.Blocks = cmp.Or(o.Blocks, max(DefaultBlocks, o.Depth))
	o.DeviceUs, o.DeviceMBps = cmp.Or(o.DeviceUs, DefaultDeviceUs), cmp.Or(o.DeviceMBps, DefaultDeviceMBps)
	if o.Reads+o.Writes == 0 {
		o.Reads, o.Writes = 70, 30
	}
	switch need := int64(s.Nodes) * int64(o.Servers) * int64(o.Depth) * int64(o.Bytes); {
	case o.Servers >= s.Nodes:
		return s, bounds.Wrong("job.servers", o.Servers, "fewer than the %d nodes: the others are initiators", s.Nodes)
	case o.Bytes%512 != 0:
		return s, bounds.Wrong("job.item_bytes", o.Bytes, "a multiple of 512")
	case o.Blocks < o.Depth:
		return s, bounds.Wrong("job.items", o.Blocks, "at least %d, the commands under way: no two of them are for the same block", o.Depth)
	case need > maxMemory:
		return s, bounds.Wrong("job.depth", o.Depth, "less: blocks under way of %d nodes would take %d MB of at most %d", s.Nodes, need>>20, maxMemory>>20)
	}
	return s, nil
}

func (o *Options) compute() sim.Duration { return sim.Microseconds(o.ComputeUs) }

// Assumed work of the host in instructions, that of drivers which poll: to compose a command or to
// handle its completion, and to parse a command, to start the device or to compose an answer.
var (
	issue  = host.Work{Ints: 400}
	settle = host.Work{Ints: 200}
	handle = host.Work{Ints: 500}
	answer = host.Work{Ints: 200}
)
