package host

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec describes one host, as the host section of a profile does. The costs of
// a communication library belong to its layer.
type Spec struct {
	CPUs      int      `toml:"cpus" range:"1..64"`                   // processors of the node
	Clock     sim.Freq `toml:"clock_mhz" range:"1..1e4"`             // of the CPU
	CacheLine int      `toml:"cache_line_bytes" range:"pow2 8..512"` // bytes
	L2KB      int      `toml:"l2_kb" range:"0..1048576"`             // the outermost cache
	MemoryMB  int      `toml:"memory_mb" range:"0..16777216"`        // of the published machine; memory is not limited
	Ops
	MemBus     sim.Rate     `toml:"mem_bus_mbps" range:"1..1e7"`         // capacity of the memory bus
	MemRead    sim.Rate     `toml:"mem_read_mbps" range:"1..1e7"`        // rate of a CPU that only reads and always misses
	MemWrite   sim.Rate     `toml:"mem_write_mbps" range:"1..1e7"`       // rate of a CPU that only writes and always misses
	CopyHit    sim.Rate     `toml:"copy_cached_mbps" range:"1..1e7"`     // copy rate when source and destination are cached
	CopyMiss   sim.Rate     `toml:"copy_uncached_mbps" range:"1..1e7"`   // copy rate when neither is
	WriteFill  bool         `toml:"write_allocate"`                      // a write miss reads the line first: twice the bus traffic
	IOBus      sim.Rate     `toml:"io_bus_mbps" range:"0|1..1e7"`        // peak rate of the I/O bus; 0: PCIe says it
	IOSetup    sim.Duration `toml:"io_setup_ns" range:"0..1e5"`          // time that the bus is held before the data of each transaction
	IOBurst    int          `toml:"io_burst_bytes" range:"0|4..1048576"` // longest bus transaction of a DMA; 0: any length
	IORead     *Bursts      `toml:"io_read"`                             // transactions of devices that read memory, if they differ
	PCIe       *PCIe        `toml:"pcie"`                                // absent: one bus for both directions
	PIOWrite   sim.Duration `toml:"pio_write_ns" range:"0.001..1e5"`     // one word stored to the device, the bus held
	PIOLine    sim.Duration `toml:"pio_line_ns" range:"0.001..1e5"`      // one cache line of combined stores, the bus held
	PIORead    sim.Duration `toml:"pio_read_ns" range:"0.001..1e5"`      // one word loaded from the device, the bus held
	MMX        *Blocks      `toml:"mmx"`                                 // absent: the host has none
	SSE        *Prefetched  `toml:"sse"`                                 // absent: the host has none
	PollNotice sim.Duration `toml:"poll_notice_ns" range:"0..1e5"`       // from the write of a word until a CPU that spins on it notices it: a miss
	Interrupt
	Quantum    sim.Duration `toml:"quantum_ms" range:"0..1e4"` // time slice of programs that share a CPU; 0: run until they block
	SwitchTime sim.Duration `toml:"switch_us" range:"0..1e4"`  // CPU time of a change from one program to another
	Gang       bool         // gang scheduling: time slices begin at the same instants on all hosts
}

// Ops is the CPU time of operations whose operands are in the cache.
type Ops struct {
	Flop  sim.Duration `toml:"flop_ns" range:"0..1e4"`  // one floating-point operation
	Int   sim.Duration `toml:"int_ns" range:"0..1e4"`   // one integer operation
	Load  sim.Duration `toml:"load_ns" range:"0..1e4"`  // one load
	Store sim.Duration `toml:"store_ns" range:"0..1e4"` // one store
}

// Interrupt is the cost of an interrupt besides its service.
type Interrupt struct {
	Delivery sim.Duration `toml:"interrupt_delivery_us" range:"0..1e4"` // from the device's signal until the CPU stops; the program still runs
	Entry    sim.Duration `toml:"interrupt_entry_us" range:"0..1e4"`    // CPU time until the service process runs
	Return   sim.Duration `toml:"interrupt_return_us" range:"0..1e4"`   // CPU time from the end of service until the program continues
}

// Bursts are the bus transactions of a DMA.
type Bursts struct {
	Setup sim.Duration `toml:"setup_ns" range:"0..1e5"`          // time that the bus is held before the data of each
	Bytes int          `toml:"burst_bytes" range:"0|4..1048576"` // the longest; 0: any length
}

// bursts returns the transactions of a device that reads or writes memory.
func (s *Spec) bursts(reads bool) Bursts {
	if reads && s.IORead != nil {
		return *s.IORead
	}
	return Bursts{s.IOSetup, s.IOBurst}
}

// WordBytes is the size of one programmed-I/O access.
const WordBytes = 4

// Uncontended gives resources infinite capacity, to show their effect. Every
// client still runs at its own limit.
type Uncontended struct {
	MemBus bool
	IOBus  bool // PCI or SBus
	CPU    bool // each context has its own CPU: service takes no time from programs
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return cmp.Or(bounds.Check("host", s), s.checkBus()) }

// L2Bytes returns the size of the outermost cache.
func (s *Spec) L2Bytes() int { return s.L2KB << 10 }
