package platform

import (
	"fmt"

	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/comm/bip"
	"github.com/sigview/sigview/comm/fm"
	"github.com/sigview/sigview/comm/gam"
	"github.com/sigview/sigview/comm/pm"
	"github.com/sigview/sigview/comm/rpc"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
)

// Profile is one platform. Every field has to be given.
type Profile struct {
	Name    string       `toml:"name"`
	Title   string       `toml:"title"` // one line
	Nodes   int          `toml:"nodes"` // of the published machine
	Layer   string       `toml:"layer"` // native communication layer
	Host    Host         `toml:"host"`
	Network Network      `toml:"network"`
	NI      ni.Spec      `toml:"ni"`
	Clock   Clock        `toml:"clock"`
	Monitor monitor.Spec `toml:"monitor"`

	// Layers that the platform has figures for; at least its native one. What
	// runs on top of VMMC needs that section and its own.
	VMMC *vmmc.Spec `toml:"vmmc"`
	GAM  *gam.Spec  `toml:"gam"`
	AMII *amii.Spec `toml:"amii"`
	BIP  *bip.Spec  `toml:"bip"`
	FM   *fm.Spec   `toml:"fm"`
	FM21 *fm.Spec   `toml:"fm21"`
	PM   *pm.Spec   `toml:"pm"`
	RPC  *rpc.Spec  `toml:"rpc"`
	SVM  *SVM       `toml:"svm"`
	NX   *NX        `toml:"nx"`

	text   string
	source string
}

// Host describes the node's computer.
type Host struct {
	CPUs         int     `toml:"cpus"`
	ClockMHz     float64 `toml:"clock_mhz"`
	CacheLine    int     `toml:"cache_line_bytes"`
	L2KB         int     `toml:"l2_kb"`
	MemoryMB     int     `toml:"memory_mb"`
	FlopNs       float64 `toml:"flop_ns"`
	IntNs        float64 `toml:"int_ns"`
	LoadNs       float64 `toml:"load_ns"`
	StoreNs      float64 `toml:"store_ns"`
	MemBusMBps   float64 `toml:"mem_bus_mbps"`
	MemReadMBps  float64 `toml:"mem_read_mbps"`
	MemWriteMBps float64 `toml:"mem_write_mbps"`
	CopyHitMBps  float64 `toml:"copy_cached_mbps"`
	CopyMissMBps float64 `toml:"copy_uncached_mbps"`
	WriteFill    bool    `toml:"write_allocate"`
	IOBusMBps    float64 `toml:"io_bus_mbps"`
	IOSetupNs    float64 `toml:"io_setup_ns"`
	IOBurstBytes int     `toml:"io_burst_bytes"`
	PIOWriteNs   float64 `toml:"pio_write_ns"`
	PIOLineNs    float64 `toml:"pio_line_ns"`
	PIOReadNs    float64 `toml:"pio_read_ns"`
	PollNs       float64 `toml:"poll_notice_ns"`
	IntrDelivery float64 `toml:"interrupt_delivery_us"`
	IntrEntry    float64 `toml:"interrupt_entry_us"`
	IntrReturn   float64 `toml:"interrupt_return_us"`
	QuantumMs    float64 `toml:"quantum_ms"`
	SwitchUs     float64 `toml:"switch_us"`
}

func (h *Host) spec() host.Spec {
	return host.Spec{
		CPUs: h.CPUs, Clock: sim.Hz(uint64(h.ClockMHz * 1e6)), CacheLine: h.CacheLine, L2: h.L2KB * 1024, WordBytes: 4,
		Ops:    host.Ops{Flop: ns(h.FlopNs), Int: ns(h.IntNs), Load: ns(h.LoadNs), Store: ns(h.StoreNs)},
		MemBus: sim.MBps(h.MemBusMBps), MemRead: sim.MBps(h.MemReadMBps), MemWrite: sim.MBps(h.MemWriteMBps),
		CopyHit: sim.MBps(h.CopyHitMBps), CopyMiss: sim.MBps(h.CopyMissMBps), WriteFill: h.WriteFill,
		IOBus: sim.MBps(h.IOBusMBps), IOSetup: ns(h.IOSetupNs), IOBurst: h.IOBurstBytes,
		PIOWrite: ns(h.PIOWriteNs), PIOLine: ns(h.PIOLineNs), PIORead: ns(h.PIOReadNs), PollNotice: ns(h.PollNs),
		Interrupt: host.Interrupt{
			Delivery: sim.Microseconds(h.IntrDelivery), Entry: sim.Microseconds(h.IntrEntry), Return: sim.Microseconds(h.IntrReturn),
		},
		Quantum: sim.Microseconds(1000 * h.QuantumMs), SwitchTime: sim.Microseconds(h.SwitchUs),
	}
}

func ns(v float64) sim.Duration { return sim.Microseconds(v / 1000) }

// Network describes links and switches.
type Network struct {
	Topology     string  `toml:"topology"`
	SwitchPorts  int     `toml:"switch_ports"`
	LinkMBps     float64 `toml:"link_mbps"`
	WireNs       float64 `toml:"wire_ns"`
	SwitchNs     float64 `toml:"switch_ns"`
	Arbitration  string  `toml:"arbitration"`
	SlackBytes   int     `toml:"slack_bytes"`
	StopBytes    int     `toml:"stop_bytes"`
	GoBytes      int     `toml:"go_bytes"`
	BlockLimitMs float64 `toml:"block_limit_ms"`
}

func (w *Network) spec(nodes int) (fabric.Spec, error) {
	s := fabric.Spec{
		Topology: fabric.Topology{Nodes: nodes, Radix: w.SwitchPorts},
		LinkRate: sim.MBps(w.LinkMBps), WireDelay: ns(w.WireNs), SwitchDelay: ns(w.SwitchNs),
		SlackBytes: w.SlackBytes, StopBytes: w.StopBytes, GoBytes: w.GoBytes,
		BlockLimit: sim.Microseconds(1000 * w.BlockLimitMs),
	}
	var err error
	if s.Topology.Shape, err = fabric.ParseShape(w.Topology); err != nil {
		return s, fmt.Errorf("network.topology: %w", err)
	}
	if s.Arbitration, err = fabric.ParseArbitration(w.Arbitration); err != nil {
		return s, fmt.Errorf("network.arbitration: %w", err)
	}
	return s, s.Validate()
}

// Clock describes the interface's real-time clock.
type Clock struct {
	Hz          uint64  `toml:"hz"`
	WidthBits   int     `toml:"width_bits"`
	JitterUs    float64 `toml:"jitter_us"`    // an unloaded interface stamps at most this late
	AsymmetryUs float64 `toml:"asymmetry_us"` // the unloaded path is longer one way by at most this
	WarmRounds  int     `toml:"warm_rounds"`  // rounds before a program starts
}

// SVM holds what shared virtual memory costs the host.
type SVM struct {
	FaultUs     float64 `toml:"fault_us"`      // trap of an access to an invalid or read-only page
	ProtectUs   float64 `toml:"protect_us"`    // change of one page's protection
	HandlerUs   float64 `toml:"handler_us"`    // handling one protocol message
	NoticeUs    float64 `toml:"notice_us"`     // one write notice
	DiffRunUs   float64 `toml:"diff_run_us"`   // one run of a difference, encoded or applied
	DiffWordNs  float64 `toml:"diff_word_ns"`  // one word, compared or applied
	PollUs      float64 `toml:"poll_us"`       // with polling: one look for requests
	PollEveryUs float64 `toml:"poll_every_us"` // with polling: computing between two looks
	Service     string  `toml:"service"`       // interrupt or polling
}

// MemoryCosts returns what shared virtual memory costs the host.
func (p *Profile) MemoryCosts() svm.Costs {
	s := p.SVM
	return svm.Costs{
		Fault: sim.Microseconds(s.FaultUs), Protect: sim.Microseconds(s.ProtectUs), Handler: sim.Microseconds(s.HandlerUs),
		Notice: sim.Microseconds(s.NoticeUs), DiffRun: sim.Microseconds(s.DiffRunUs), DiffWord: ns(s.DiffWordNs),
		Poll: sim.Microseconds(s.PollUs), PollEvery: sim.Microseconds(s.PollEveryUs),
	}
}

// NX holds what message passing costs the host.
type NX struct {
	CallUs   float64 `toml:"call_us"`   // one call of the library
	RecordUs float64 `toml:"record_us"` // handling what has come: matching, counters
}

// MessageCosts returns what message passing costs the host.
func (p *Profile) MessageCosts() nx.Costs {
	return nx.Costs{Call: sim.Microseconds(p.NX.CallUs), Record: sim.Microseconds(p.NX.RecordUs)}
}

// HostSpec returns the host's specification.
func (p *Profile) HostSpec() host.Spec { return p.Host.spec() }

// FabricSpec returns the network's specification for a number of nodes.
func (p *Profile) FabricSpec(nodes int) (fabric.Spec, error) { return p.Network.spec(nodes) }

// Text returns the profile's file.
func (p *Profile) Text() string { return p.text }

// validate checks every part; errors name the field as the file does.
func (p *Profile) validate() error {
	if p.Name == "" || p.Layer == "" {
		return fmt.Errorf("name and layer must not be empty")
	}
	if p.Nodes < 2 || p.Nodes > 1024 {
		return fmt.Errorf("nodes is %d, want 2 to 1024", p.Nodes)
	}
	if err := p.Host.validate(); err != nil {
		return err
	}
	s := p.HostSpec()
	if err := s.Validate("host"); err != nil {
		return err
	}
	if err := p.Network.validate(); err != nil {
		return err
	}
	if _, err := p.FabricSpec(2); err != nil {
		return err
	}
	if err := p.NI.Validate(); err != nil {
		return err
	}
	if err := p.Clock.validate(); err != nil {
		return err
	}
	if err := p.Monitor.Validate(); err != nil {
		return err
	}
	if err := p.validateLayers(); err != nil {
		return err
	}
	if p.NX != nil {
		if err := p.NX.validate(); err != nil {
			return err
		}
	}
	if p.SVM != nil {
		return p.SVM.validate()
	}
	return nil
}

func (h *Host) validate() error {
	return bounds.Check("host",
		bounds.Number("cpus", h.CPUs, 1, 64), bounds.Number("clock_mhz", h.ClockMHz, 1, 1e4),
		bounds.Number("cache_line_bytes", h.CacheLine, 8, 512), bounds.Number("l2_kb", h.L2KB, 0, 1<<20),
		bounds.Number("memory_mb", h.MemoryMB, 1, 1<<24),
		bounds.Number("flop_ns", h.FlopNs, 0, 1e4), bounds.Number("int_ns", h.IntNs, 0, 1e4), bounds.Number("load_ns", h.LoadNs, 0, 1e4), bounds.Number("store_ns", h.StoreNs, 0, 1e4),
		bounds.Number("mem_bus_mbps", h.MemBusMBps, 1, 1e6), bounds.Number("mem_read_mbps", h.MemReadMBps, 1, 1e6), bounds.Number("mem_write_mbps", h.MemWriteMBps, 1, 1e6),
		bounds.Number("copy_cached_mbps", h.CopyHitMBps, 1, 1e6), bounds.Number("copy_uncached_mbps", h.CopyMissMBps, 1, 1e6),
		bounds.Number("io_bus_mbps", h.IOBusMBps, 1, 1e6), bounds.Number("io_setup_ns", h.IOSetupNs, 0, 1e5), bounds.Number("io_burst_bytes", h.IOBurstBytes, 0, 1<<20),
		bounds.Number("pio_write_ns", h.PIOWriteNs, 0.001, 1e5), bounds.Number("pio_line_ns", h.PIOLineNs, 0.001, 1e5), bounds.Number("pio_read_ns", h.PIOReadNs, 0.001, 1e5),
		bounds.Number("poll_notice_ns", h.PollNs, 0, 1e5),
		bounds.Number("interrupt_delivery_us", h.IntrDelivery, 0, 1e4), bounds.Number("interrupt_entry_us", h.IntrEntry, 0, 1e4), bounds.Number("interrupt_return_us", h.IntrReturn, 0, 1e4),
		bounds.Number("quantum_ms", h.QuantumMs, 0, 1e4), bounds.Number("switch_us", h.SwitchUs, 0, 1e4),
	)
}

func (w *Network) validate() error {
	return bounds.Check("network",
		bounds.Number("switch_ports", w.SwitchPorts, 4, 1024), bounds.Number("link_mbps", w.LinkMBps, 0.001, 1e6),
		bounds.Number("wire_ns", w.WireNs, 0.001, 1e6), bounds.Number("switch_ns", w.SwitchNs, 0, 1e6),
		bounds.Number("slack_bytes", w.SlackBytes, 1, 1<<20), bounds.Number("stop_bytes", w.StopBytes, 1, 1<<20),
		bounds.Number("go_bytes", w.GoBytes, 0, 1<<20), bounds.Number("block_limit_ms", w.BlockLimitMs, 0.001, 1e6),
	)
}

func (c *Clock) validate() error {
	return bounds.Check("clock",
		bounds.Number("hz", c.Hz, 1e6, 1e9), bounds.Number("width_bits", c.WidthBits, 24, 64),
		bounds.Number("jitter_us", c.JitterUs, 0, 1000), bounds.Number("asymmetry_us", c.AsymmetryUs, 0, 1000), bounds.Number("warm_rounds", c.WarmRounds, 2, 100),
	)
}

func (n *NX) validate() error {
	return bounds.Check("nx", bounds.Number("call_us", n.CallUs, 0, 1000), bounds.Number("record_us", n.RecordUs, 0, 1000))
}

func (s *SVM) validate() error {
	if s.Service != "interrupt" && s.Service != "polling" {
		return fmt.Errorf("svm.service is %q, want interrupt or polling", s.Service)
	}
	return bounds.Check("svm",
		bounds.Number("fault_us", s.FaultUs, 0, 1e4), bounds.Number("protect_us", s.ProtectUs, 0, 1e4), bounds.Number("handler_us", s.HandlerUs, 0, 1e4),
		bounds.Number("notice_us", s.NoticeUs, 0, 1e4), bounds.Number("diff_run_us", s.DiffRunUs, 0, 1e4), bounds.Number("diff_word_ns", s.DiffWordNs, 0, 1e5),
		bounds.Number("poll_us", s.PollUs, 0, 1e4), bounds.Number("poll_every_us", s.PollEveryUs, 1, 1e6),
	)
}
