package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/loggp"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// New builds a cluster at time zero. An error names the field that is wrong.
func New(spec Spec) (*Cluster, error) {
	net := spec.Profile.FabricSpec(spec.Nodes)
	if spec.Cards.NetDMA && !spec.Ports {
		return nil, fmt.Errorf("cluster: Cards.NetDMA is uncontended but Ports is not, want both: the S engine feeds one link")
	}
	net.Uncontended = spec.Ports
	net.FreeSenders = spec.Ports && spec.Cards.NetDMA
	net.Free = spec.FreePorts
	net.Faults = spec.Faults
	c := &Cluster{Engine: sim.New(spec.Seed), spec: spec}
	if spec.TracesPackets() {
		c.Packets = trace.NewJoiner()
	}
	if spec.TracesSpans() {
		c.Marks = trace.NewMarks()
	}
	if spec.Bins > 0 {
		c.Bins = trace.NewBins(int64(spec.Bins / sim.Nanosecond))
	}
	var err error
	if c.Net, err = fabric.New(c.Engine, net); err != nil {
		return nil, err
	}
	if err := spec.checkRound(); err != nil {
		return nil, err
	}
	c.curves = clock.NewCurves(spec.Nodes)
	if spec.Fast != nil {
		layer, err := spec.Profile.LayerSpec(spec.layer())
		if err != nil {
			return nil, err
		}
		if c.fast, err = loggp.New(c.Engine, spec.Fast, layer.Traits()); err != nil {
			return nil, err
		}
	}
	for i := range spec.Nodes {
		n, err := c.node(i)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		c.Nodes = append(c.Nodes, n)
	}
	return c, nil
}

// Warmed builds a cluster and warms its clocks; see Warm.
func Warmed(spec Spec) (*Cluster, error) {
	c, err := New(spec)
	if err != nil {
		return nil, err
	}
	if err := c.Warm(); err != nil {
		c.Engine.Close()
		return nil, err
	}
	return c, nil
}

// Payload returns the largest payload of a packet of the cluster's layer, in bytes.
func (c *Cluster) Payload() int {
	layer, err := c.spec.Profile.LayerSpec(c.spec.layer())
	if err != nil {
		panic("cluster: " + err.Error()) // New has checked it
	}
	return layer.Payload()
}

// Deposits returns the nodes as comm/deposit uses them.
func (c *Cluster) Deposits() []deposit.Node {
	out := make([]deposit.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		out[i] = deposit.Node{Host: n.Host, Frames: n.Frames, Layer: n.Layer}
		if n.fast != nil {
			out[i].Around = func(p deposit.Port, tag trace.Tag) deposit.Port { return c.spec.Sampled.Around(i, p, n.fast, tag) }
		}
	}
	return out
}

// Protocol returns the clock protocol that the monitors run.
func (c *Cluster) Protocol() clock.Protocol {
	o, err := c.spec.oscillator(0)
	if err != nil {
		panic("cluster: " + err.Error()) // New has checked it
	}
	return c.spec.protocol(o)
}

// layout plans the histograms within the profile's share of SRAM, or within
// what is left if other users of SRAM need more.
func layout(spec *Spec, payload, left int) (*histo.Layout, error) {
	h := histo.Published()
	h.BudgetBytes = spec.Profile.Monitor.HistogramBytes
	if left > 0 { // otherwise the monitor's error lists the users of SRAM
		h.BudgetBytes = min(h.BudgetBytes, left)
	}
	h.TickHz = int64(spec.Profile.Clock.Hz)
	h.MaxBytes = payload
	h.Tags, h.Nodes, h.Kinds, h.Variance = spec.Tags, spec.Nodes, spec.Kinds, spec.Variance
	h.Sequences = spec.Sequences
	if m := spec.Profile.Monitor; m.BinNs > 0 {
		for stage := range h.LatencyNs {
			h.LatencyNs[stage] = m.BinNs
		}
	}
	h.LatencyTop = cmp.Or(spec.Profile.Monitor.Bins, h.LatencyTop)
	if spec.Histograms != nil {
		spec.Histograms(&h)
	}
	return histo.Plan(h)
}

func (c *Cluster) node(id int) (*Node, error) {
	spec := &c.spec
	p := spec.Profile
	n := &Node{Frames: &host.Frames{}}
	o, err := spec.oscillator(id)
	if err != nil {
		return nil, err
	}
	if n.Oscillator, err = clock.NewOscillator(o); err != nil {
		return nil, err
	}
	own := p
	if other := spec.Others[id]; other != nil {
		own = other
	}
	computer := own.Host
	computer.Gang = spec.Gang
	machine, err := share(&c.computers, computer)
	if err != nil {
		return nil, err
	}
	hosts, cards := spec.Hosts, spec.Cards
	if len(spec.FreeAt) > 0 && !slices.Contains(spec.FreeAt, id) {
		hosts, cards = host.Uncontended{}, ni.Uncontended{}
	}
	n.Host = host.New(c.Engine, fmt.Sprintf("node%d", id), machine, hosts)
	if c.fast != nil {
		n.fast = c.fast.Layer(n.Frames)
		if spec.Sampled == nil {
			n.Layer, n.fast = n.fast, nil
			return n, nil
		}
	}
	layer, err := own.LayerSpec(spec.layer())
	if err != nil {
		return nil, err
	}
	card := layer.Shape(own.NI, p.Monitor.HeaderWords)
	card.Loop.ClockFirst = card.Loop.ClockFirst && !spec.NoPriority
	card.Loop.InlineChecks = card.Loop.InlineChecks && !spec.NoInlineChecks
	model, err := share(&c.cards, card)
	if err != nil {
		return nil, err
	}
	if n.NIC, err = ni.New(c.Engine, id, model, n.Host, c.Net, n.Oscillator, cards); err != nil {
		return nil, err
	}
	if n.Layer, err = layer.Build(n.NIC, spec.Nodes); err != nil {
		return nil, err
	}
	n.VMMC, _ = n.Layer.(*vmmc.Node)
	if spec.Throttle {
		if n.VMMC == nil {
			return nil, fmt.Errorf("cluster: Throttle with layer %s, want vmmc", spec.layer())
		}
		if err := n.VMMC.Throttle(); err != nil {
			return nil, err
		}
	}
	if spec.Build == monitor.Off {
		return n, nil
	}
	config := monitor.Config{Options: spec.Options, Protocol: spec.protocol(o), Host: c.drained, Marks: c.Marks, Curves: c.curves}
	if c.Layout == nil { // all nodes have the same
		firmware := p.Monitor
		spec.Ring.Apply(&firmware)
		c.firmware = &firmware
		if c.Layout, err = layout(spec, layer.Payload(), n.NIC.SRAM().Free()-config.Memory(c.firmware)); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, n.NIC.SRAM())
		}
	}
	config.Layout = c.Layout
	n.Monitor, err = monitor.New(n.NIC, c.firmware, config)
	return n, err
}

// share returns the one of equal specifications that has been seen first, which it has checked.
// What nodes only read is in the processor's caches once, not once for each node.
func share[T comparable, P interface {
	*T
	Validate() error
}](seen *[]*T, v T) (*T, error) {
	for _, s := range *seen {
		if *s == v {
			return s, nil
		}
	}
	*seen = append(*seen, &v)
	return &v, P(&v).Validate()
}

// Warm runs the profile's number of clock rounds, so that programs start with a
// global clock. Without a clock protocol it does nothing.
func (c *Cluster) Warm() error {
	coordinator := c.Nodes[0].Monitor
	if coordinator == nil || coordinator.Clock() == nil {
		return nil
	}
	for coordinator.Clock().Rounds() < c.spec.Profile.Clock.WarmRounds {
		if !c.Engine.Step() {
			return fmt.Errorf("the clock protocol ended after %d rounds", coordinator.Clock().Rounds())
		}
	}
	return c.Engine.Run(c.Engine.Now().Add(settle))
}

// settle is the time that the last table takes to reach all nodes.
const settle = 10 * sim.Millisecond

// Record starts all monitors.
func (c *Cluster) Record() {
	if c.spec.TracesWaits() {
		c.logWaits()
	}
	var origin int64
	if m := c.Nodes[0].Monitor; m != nil && m.Clock() != nil {
		origin = m.Clock().Global()
	}
	for _, n := range c.Nodes {
		if n.Monitor != nil {
			n.Monitor.SetOrigin(origin)
			n.Monitor.Start()
		}
	}
}

// Retrying reports whether a layer still sends to a peer that does not answer.
func (c *Cluster) Retrying() bool {
	for _, n := range c.Nodes {
		for _, peer := range n.Layer.Silent() {
			if !peer.GivenUp {
				return true
			}
		}
	}
	return false
}

// Peek returns the merged histograms of all nodes while recording continues,
// without records that wait to be binned. Without monitors it returns nil.
func (c *Cluster) Peek() (*histo.Snapshot, error) { return c.merged(false) }

// Histograms ends recording and returns the merged histograms of all nodes.
// Without monitors it returns nil.
func (c *Cluster) Histograms() (*histo.Snapshot, error) { return c.merged(true) }

func (c *Cluster) merged(stop bool) (*histo.Snapshot, error) {
	if c.Layout == nil {
		return nil, nil
	}
	all := c.Layout.Empty()
	for _, n := range c.Nodes {
		if stop {
			n.Monitor.Stop()
		}
		if err := n.Monitor.ReadInto(all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Snapshots ends recording and returns the histograms of all nodes.
func (c *Cluster) Snapshots() []*histo.Snapshot {
	var out []*histo.Snapshot
	for _, n := range c.Nodes {
		if n.Monitor != nil {
			n.Monitor.Stop()
			out = append(out, n.Monitor.ReadOut())
		}
	}
	return out
}
