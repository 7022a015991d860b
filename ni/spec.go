package ni

import (
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec describes an interface card, as in a platform profile. New validates it.
type Spec struct {
	ClockHz uint64 `toml:"clock_hz" range:"1e6..1e10"` // processor clock; the real-time clock counts its own oscillator

	SRAMBytes     int `toml:"sram_bytes" range:"4096..4294967296"`
	FirmwareBytes int `toml:"firmware_bytes" range:"0..sram_bytes"` // code, stack and tables of the control program

	SRAMBusMBps float64 `toml:"sram_bus_mbps" range:"1..1e7"` // internal bus, shared by the engines
	NetDMAMBps  float64 `toml:"net_dma_mbps" range:"1..1e7"`  // S and R engine, each

	HostDMASetupUs    float64 `toml:"host_dma_setup_us" range:"0..1000"`               // from the start command to the first byte, on average
	HostDMAJitterUs   float64 `toml:"host_dma_jitter_us" range:"0..host_dma_setup_us"` // between the shortest and the longest set-up: who else has the bus, refresh of memory
	HostDMAToNIMBps   float64 `toml:"host_dma_to_ni_mbps" range:"1..1e7"`              // host memory to SRAM, maximum
	HostDMAToHostMBps float64 `toml:"host_dma_to_host_mbps" range:"1..1e7"`            // SRAM to host memory, maximum
	HostEngines       int     `toml:"host_engines,omitempty" range:"0..2"`             // H engines: one for both directions, or one for each; 0: one

	// HostTransfers is how many host DMAs an H engine has under way at a time; 0: one.
	HostTransfers int `toml:"host_transfers,omitempty" range:"0..4096"`
	// Pipelined is a card whose hardware does what others have a processor for: each event is handled
	// at once, and the time of steps is that of Units. The processor, with its clock and cycles, does
	// the probe's deferred work only.
	Pipelined bool `toml:"pipelined,omitempty"`

	RequestSlots   int `toml:"request_slots" range:"1..65536"`   // entries of the request queue
	RequestBytes   int `toml:"request_bytes" range:"16..65536"`  // bytes of SRAM per entry
	ReceiveBuffers int `toml:"receive_buffers" range:"1..65536"` // packets that the receive ring holds
	BufferBytes    int `toml:"buffer_bytes" range:"64..1048576"` // largest packet with its header

	Queues Queues `toml:"queues"`
	Loop   Loop   `toml:"loop"`
}

// Queues gives the location of requests, and of messages that the host itself
// reads. For a card they are in its SRAM: the host accesses them across its I/O
// bus, the interface processor at no additional cost. For an interface on the
// memory bus they may be in host memory, mostly in the CPU's cache: the interface
// processor then accesses them across the bus, by uncached words (Meiko CS-2) or
// cache lines (Paragon).
type Queues struct {
	Place     string  `toml:"place" oneof:"sram host"`    // sram or host
	UnitBytes int     `toml:"unit_bytes" range:"1..4096"` // bytes of one access of the interface processor to host memory
	ReadNs    float64 `toml:"read_ns" range:"0..1e5"`     // time of one load; the processor waits
	WriteNs   float64 `toml:"write_ns" range:"0..1e5"`    // time of one store
}

// Places of queues.
const (
	inSRAM = "sram"
	inHost = "host"
)

// InSRAM reports whether queues are in the card's SRAM.
func (q *Queues) InSRAM() bool { return q.Place == inSRAM }

// Loop describes the polled main loop of the control program.
type Loop struct {
	TestCycles       int  `toml:"test_cycles" range:"1..1000"`          // testing one event source
	HostStartCycles  int  `toml:"host_start_cycles" range:"0..10000"`   // programming the host DMA engine
	NetStartCycles   int  `toml:"net_start_cycles" range:"0..10000"`    // starting the S engine
	InlineChecks     bool `toml:"inline_checks"`                        // long operations stamp pending events
	CheckEveryCycles int  `toml:"check_every_cycles" range:"1..100000"` // interval of inline checks
	BriefBytes       int  `toml:"brief_bytes" range:"0..1048576"`       // no deferred work while the S engine has at most this much left to insert
	ClockFirst       bool `toml:"clock_first"`                          // reserved packets are served before everything else
	TakeTurns        bool `toml:"take_turns"`                           // a request is served between two arrived packets; otherwise packets come first
}

// Uncontended gives resources of the interface infinite capacity, so nothing
// waits for them. It shows which resource causes a latency.
type Uncontended struct {
	Processor bool // every event finds the processor idle
	HostDMA   bool // any number of host DMAs at once
	NetDMA    bool // the S engine never keeps a packet waiting
	SRAM      bool // the internal bus never slows an engine
	Slots     bool // requests are taken up while others are in progress
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error { return bounds.Check("ni", s) }

func (s *Spec) clock() sim.Freq { return sim.Hz(s.ClockHz) }
