package ni

import (
	"fmt"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/sim"
)

// Spec describes an interface card. It is plain data as a platform profile
// holds it; New validates it.
type Spec struct {
	ClockHz uint64 `toml:"clock_hz"` // processor clock; the real-time clock counts its own oscillator

	SRAMBytes     int `toml:"sram_bytes"`
	FirmwareBytes int `toml:"firmware_bytes"` // code, stack and tables of the control program

	SRAMBusMBps float64 `toml:"sram_bus_mbps"` // internal bus, shared by the engines
	NetDMAMBps  float64 `toml:"net_dma_mbps"`  // S and R engine, each

	HostDMASetupUs    float64 `toml:"host_dma_setup_us"`     // from the start command to the first byte
	HostDMAToNIMBps   float64 `toml:"host_dma_to_ni_mbps"`   // host memory to SRAM, at most
	HostDMAToHostMBps float64 `toml:"host_dma_to_host_mbps"` // SRAM to host memory, at most

	RequestSlots   int `toml:"request_slots"`   // entries of the request queue
	RequestBytes   int `toml:"request_bytes"`   // bytes of SRAM per entry
	ReceiveBuffers int `toml:"receive_buffers"` // packets that the receive ring holds
	BufferBytes    int `toml:"buffer_bytes"`    // largest packet with its header

	Queues Queues `toml:"queues"`
	Loop   Loop   `toml:"loop"`
}

// Queues says where requests and messages that the host reads by itself lie.
// On a card they lie in its SRAM: the host reaches across its I/O bus, the
// interface processor pays nothing more. On a memory bus they may lie in host
// memory, mostly in the CPU's cache: then the interface processor reaches
// across the bus, by uncached words (Meiko CS-2) or by cache lines (Paragon).
type Queues struct {
	Place     string  `toml:"place"`      // sram or host
	UnitBytes int     `toml:"unit_bytes"` // bytes of one access of the interface processor to host memory
	ReadNs    float64 `toml:"read_ns"`    // of one load; the processor waits
	WriteNs   float64 `toml:"write_ns"`   // of one store
}

// Places of queues.
const (
	inSRAM = "sram"
	inHost = "host"
)

// InSRAM reports whether queues lie on the card.
func (q *Queues) InSRAM() bool { return q.Place == inSRAM }

// Loop describes the polled main loop of the control program.
type Loop struct {
	TestCycles       int  `toml:"test_cycles"`        // testing one event source
	HostStartCycles  int  `toml:"host_start_cycles"`  // programming the host DMA engine
	NetStartCycles   int  `toml:"net_start_cycles"`   // starting the S engine
	InlineChecks     bool `toml:"inline_checks"`      // long operations sample the clock for pending events
	CheckEveryCycles int  `toml:"check_every_cycles"` // distance of inline checks
	BriefBytes       int  `toml:"brief_bytes"`        // deferred work does not begin while the S engine inserts a packet this short
	ClockFirst       bool `toml:"clock_first"`        // reserved packets are served before everything else
	TakeTurns        bool `toml:"take_turns"`         // a request is taken up between two packets that have arrived, which else come first
}

// Uncontended switches give a resource of the interface infinite capacity, so
// that nothing waits for it: an experiment that shows which resource a
// latency is due to.
type Uncontended struct {
	Processor bool // every event finds the processor idle
	HostDMA   bool // any number of host DMAs at once
	NetDMA    bool // the S engine never keeps a packet waiting
	SRAM      bool // the internal bus never slows an engine
	Slots     bool // requests are taken up while others are in progress
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	if p := s.Queues.Place; p != inSRAM && p != inHost {
		return fmt.Errorf("ni.queues.place is %q, want %s or %s", p, inSRAM, inHost)
	}
	return bounds.Check("ni",
		bounds.Number("clock_hz", s.ClockHz, 1e6, 10e9),
		bounds.Number("sram_bytes", s.SRAMBytes, 1<<12, 1<<32),
		bounds.Number("firmware_bytes", s.FirmwareBytes, 0, float64(s.SRAMBytes)),
		bounds.Number("sram_bus_mbps", s.SRAMBusMBps, 1, 1e6),
		bounds.Number("net_dma_mbps", s.NetDMAMBps, 1, 1e6),
		bounds.Number("host_dma_setup_us", s.HostDMASetupUs, 0, 1000),
		bounds.Number("host_dma_to_ni_mbps", s.HostDMAToNIMBps, 1, 1e6),
		bounds.Number("host_dma_to_host_mbps", s.HostDMAToHostMBps, 1, 1e6),
		bounds.Number("request_slots", s.RequestSlots, 1, 1<<16),
		bounds.Number("request_bytes", s.RequestBytes, 16, 1<<16),
		bounds.Number("receive_buffers", s.ReceiveBuffers, 1, 1<<16),
		bounds.Number("buffer_bytes", s.BufferBytes, 64, 1<<20),
		bounds.Number("queues.unit_bytes", s.Queues.UnitBytes, 1, 4096),
		bounds.Number("queues.read_ns", s.Queues.ReadNs, 0, 1e5),
		bounds.Number("queues.write_ns", s.Queues.WriteNs, 0, 1e5),
		bounds.Number("loop.test_cycles", s.Loop.TestCycles, 1, 1000),
		bounds.Number("loop.host_start_cycles", s.Loop.HostStartCycles, 0, 10000),
		bounds.Number("loop.net_start_cycles", s.Loop.NetStartCycles, 0, 10000),
		bounds.Number("loop.brief_bytes", s.Loop.BriefBytes, 0, 1<<20),
		bounds.Number("loop.check_every_cycles", s.Loop.CheckEveryCycles, 1, 100000),
	)
}

func (s *Spec) clock() sim.Freq { return sim.Hz(s.ClockHz) }
