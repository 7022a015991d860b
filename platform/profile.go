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
	Title   string       `toml:"title"`                 // one line
	Nodes   int          `toml:"nodes" range:"2..1024"` // of the published machine
	Layer   string       `toml:"layer"`                 // native communication layer
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
	CPUs         int     `toml:"cpus" range:"1..64"`
	ClockMHz     float64 `toml:"clock_mhz" range:"1..1e4"`
	CacheLine    int     `toml:"cache_line_bytes" range:"pow2 8..512 bytes"`
	L2KB         int     `toml:"l2_kb" range:"0..1048576"`
	MemoryMB     int     `toml:"memory_mb" range:"1..16777216"`
	FlopNs       float64 `toml:"flop_ns" range:"0..1e4"`
	IntNs        float64 `toml:"int_ns" range:"0..1e4"`
	LoadNs       float64 `toml:"load_ns" range:"0..1e4"`
	StoreNs      float64 `toml:"store_ns" range:"0..1e4"`
	MemBusMBps   float64 `toml:"mem_bus_mbps" range:"1..1e6"`
	MemReadMBps  float64 `toml:"mem_read_mbps" range:"1..1e6"`
	MemWriteMBps float64 `toml:"mem_write_mbps" range:"1..1e6"`
	CopyHitMBps  float64 `toml:"copy_cached_mbps" range:"1..1e6"`
	CopyMissMBps float64 `toml:"copy_uncached_mbps" range:"1..1e6"`
	WriteFill    bool    `toml:"write_allocate"`
	IOBusMBps    float64 `toml:"io_bus_mbps" range:"1..1e6"`
	IOSetupNs    float64 `toml:"io_setup_ns" range:"0..1e5"`
	IOBurstBytes int     `toml:"io_burst_bytes" range:"0..1048576"`
	PIOWriteNs   float64 `toml:"pio_write_ns" range:"0.001..1e5"`
	PIOLineNs    float64 `toml:"pio_line_ns" range:"0.001..1e5"`
	PIOReadNs    float64 `toml:"pio_read_ns" range:"0.001..1e5"`
	PollNs       float64 `toml:"poll_notice_ns" range:"0..1e5"`
	IntrDelivery float64 `toml:"interrupt_delivery_us" range:"0..1e4"`
	IntrEntry    float64 `toml:"interrupt_entry_us" range:"0..1e4"`
	IntrReturn   float64 `toml:"interrupt_return_us" range:"0..1e4"`
	QuantumMs    float64 `toml:"quantum_ms" range:"0..1e4"`
	SwitchUs     float64 `toml:"switch_us" range:"0..1e4"`
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
	SwitchPorts  int     `toml:"switch_ports" range:"4..1024"`
	LinkMBps     float64 `toml:"link_mbps" range:"0.001..1e6"`
	WireNs       float64 `toml:"wire_ns" range:"0.001..1e6"`
	SwitchNs     float64 `toml:"switch_ns" range:"0..1e6"`
	Arbitration  string  `toml:"arbitration"`
	SlackBytes   int     `toml:"slack_bytes" range:"1..1048576"`
	StopBytes    int     `toml:"stop_bytes" range:"1..1048576"`
	GoBytes      int     `toml:"go_bytes" range:"0..1048576"`
	BlockLimitMs float64 `toml:"block_limit_ms" range:"0.001..1e6"`
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
	Hz          uint64  `toml:"hz" range:"1e6..1e9"`
	WidthBits   int     `toml:"width_bits" range:"24..64"`
	JitterUs    float64 `toml:"jitter_us" range:"0..1000"`    // an unloaded interface stamps at most this late
	AsymmetryUs float64 `toml:"asymmetry_us" range:"0..1000"` // the unloaded path is longer one way by at most this
	WarmRounds  int     `toml:"warm_rounds" range:"2..100"`   // rounds before a program starts
}

// SVM holds what shared virtual memory costs the host.
type SVM struct {
	FaultUs     float64 `toml:"fault_us" range:"0..1e4"`           // trap of an access to an invalid or read-only page
	ProtectUs   float64 `toml:"protect_us" range:"0..1e4"`         // change of one page's protection
	HandlerUs   float64 `toml:"handler_us" range:"0..1e4"`         // handling one protocol message
	NoticeUs    float64 `toml:"notice_us" range:"0..1e4"`          // one write notice
	DiffRunUs   float64 `toml:"diff_run_us" range:"0..1e4"`        // one run of a difference, encoded or applied
	DiffWordNs  float64 `toml:"diff_word_ns" range:"0..1e5"`       // one word, compared or applied
	PollUs      float64 `toml:"poll_us" range:"0..1e4"`            // with polling: one look for requests
	PollEveryUs float64 `toml:"poll_every_us" range:"1..1e6"`      // with polling: computing between two looks
	Service     string  `toml:"service" oneof:"interrupt polling"` // interrupt or polling
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
	CallUs   float64 `toml:"call_us" range:"0..1000"`   // one call of the library
	RecordUs float64 `toml:"record_us" range:"0..1000"` // handling what has come: matching, counters
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
	if err := bounds.Check("", p); err != nil {
		return err
	}
	s := p.HostSpec()
	if err := s.Validate("host"); err != nil {
		return err
	}
	if _, err := p.FabricSpec(2); err != nil {
		return err
	}
	return p.validateLayers()
}
