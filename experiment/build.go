package experiment

import (
	"cmp"
	"errors"
	"slices"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/patterns"
)

// loaded checks a specification and loads the platform that it names.
func loaded(spec interface{ Validate(Catalogue) error }, name string) (*platform.Profile, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	return platform.Load(name)
}

// resolve loads the platform of a specification and returns the number of nodes: the
// specification's, or the platform's if that is 0.
func resolve(spec interface{ Validate(Catalogue) error }, name string, nodes int) (*platform.Profile, int, error) {
	p, err := loaded(spec, name)
	if err != nil {
		return nil, 0, err
	}
	if nodes == 0 {
		nodes = p.Nodes
	}
	return p, nodes, nil
}

// prepared is a checked run that can begin: its place, and its programs with what they declare.
type prepared struct {
	platform.Place
	nodes    int
	programs []program
	declared traffic // by the programs
}

// prepare checks a specification and makes its programs.
func prepare(spec RunSpec, change platform.Overlay) (r prepared, err error) {
	p, nodes, err := resolve(spec, spec.Platform, spec.Nodes)
	if err != nil {
		return r, err
	}
	if p, err = p.With(change); err != nil {
		return r, err
	}
	if r.nodes = nodes; spec.Nodes == 0 && spec.Workload == GOAL {
		if r.nodes, err = spec.Schedule.ranks(); err != nil {
			return r, err
		}
	}
	if r.Place, err = p.At(spec.Layer); err != nil {
		return r, err
	}
	if err := carries(spec, r.Place); err != nil {
		return r, err
	}
	if network := r.Profile.FabricSpec(r.nodes); spec.FreePort != "" {
		if err := names.Check("port", spec.FreePort, network.Ports()); err != nil {
			return r, err
		}
	}
	if r.programs, r.declared, err = newPrograms(spec, p, nodes); err != nil {
		return r, err
	}
	r.declared.kinds = withKinds(r.declared.kinds, r.Traits.Kinds)
	return r, nil
}

// Resolved returns the specification with the platform's and the program's own choices of
// layer, nodes and size filled in, and where the run takes place. Its error is that with which
// the run would begin, unless the cluster cannot be built: see Builds.
func (s RunSpec) Resolved() (RunSpec, platform.Place, error) {
	r, err := prepare(s, platform.Overlay{})
	if err != nil {
		return s, r.Place, err
	}
	s.Layer, s.Nodes = r.Layer, r.nodes
	if len(r.programs) == 1 {
		s.Size = cmp.Or(s.Size, workloads[s.Workload].size)
	}
	if s.IsPattern() {
		s.Pattern.Bytes = cmp.Or(s.Pattern.Bytes, patterns.DefaultBytes)
	}
	return s, r.Place, nil
}

// Builds returns the error if the cluster of the run cannot be built, as a layer may have too
// little memory for so many nodes.
func (s RunSpec) Builds() error {
	r, err := prepare(s, platform.Overlay{})
	if err != nil {
		return err
	}
	built, err := clusterSpec(s, r.Profile, r.nodes, r.declared)
	if err != nil {
		return err
	}
	c, err := cluster.New(built)
	if err == nil {
		c.Engine.Close()
	}
	return err
}

// IsPattern reports whether a program of the run is a synthetic pattern.
func (s RunSpec) IsPattern() bool { return s.runsAny(patternWorkloads) }

// carries refuses programs that the layer of a run cannot carry, with the reason.
func carries(s RunSpec, at platform.Place) error {
	t := at.Traits
	var refusal *deposit.Refusal
	if err := deposit.Carries(t, len(s.Programs())); errors.As(err, &refusal) {
		return wrong("layer", t.Name, "one that carries programs: %s", refusal.Why)
	}
	if t.Turns && len(s.Programs()) > 1 {
		switch alone := "this layer gives the program that has the CPU the interface alone"; {
		case s.runsAny(socketWorkloads):
			return wrong("layer", t.Name, "one whose processes share the interface: a file server works while another program has the CPU, and %s", alone)
		case slices.Contains(s.Uncontended, CPU), at.Profile.Host.CPUs > 1:
			return wrong("layer", t.Name, "one whose processes share the interface, or one CPU a node, which is not free: %s", alone)
		}
	}
	if slices.Contains(s.Policies, Throttle) && t.Name != "vmmc" {
		return wrong("policies", Throttle, "layer vmmc, whose control program knows it")
	}
	if slices.Contains(s.Uncontended, SDMA) && !t.Overtaking {
		return wrong("uncontended", SDMA, "other resources: packets overtake one another, and layer %s takes that for losses", t.Name)
	}
	if s.Broadcast == BroadcastName(nx.Firmware.String()) && s.Detail.costs() {
		return wrong("broadcast", s.Broadcast, "%v or %v: --detail %v has no firmware", nx.Separate, nx.Tree, s.Detail)
	}
	if reaches := s.Workload == "blocks" || s.Workload == "kv" && s.Job.Access != "requests"; reaches && t.Remote && s.Detail.sampled() {
		return wrong("detail", s.Detail, "%s: the interfaces of layer %s reach into the memory of other nodes for %s, and messages of a sample cannot (kv can do without: --access requests)", DetailFull, t.Name, s.Workload)
	}
	if s.Broadcast == BroadcastName(nx.Firmware.String()) && !t.Multicasts {
		return wrong("broadcast", s.Broadcast, "%v or %v: the firmware of layer %s has no broadcast", nx.Separate, nx.Tree, t.Name)
	}
	return nil
}

// clusterSpec returns the specification of a run's cluster, with nodes as resolved.
func clusterSpec(s RunSpec, p *platform.Profile, nodes int, declared traffic) (cluster.Spec, error) {
	c := cluster.Spec{
		Profile: p, Layer: s.Layer, Nodes: nodes, Seed: s.Seed,
		Options: s.Options, Tags: len(s.Programs()), Kinds: declared.kinds, Sequences: declared.sequences,
		Throttle: slices.Contains(s.Policies, Throttle), Gang: s.Gang, Clock: s.Clock, Faults: s.Faults,
	}
	c.Faults.Later = true
	if declared.means {
		c.Histograms = func(h *histo.Spec) { h.Dims = histo.SumsByKind | histo.SumsBySequence }
	}
	for _, r := range s.Uncontended {
		*free[r](&c) = true
	}
	c.FreeAt = s.FreeAt
	if s.FreePort != "" {
		c.FreePorts = []string{s.FreePort}
	}
	for node, change := range s.Others {
		other, err := p.With(change)
		if err != nil {
			return c, err
		}
		if c.Others == nil {
			c.Others = map[int]*platform.Profile{}
		}
		c.Others[node] = other
	}
	return c, cmp.Or(c.Faults.Validate("faults", nodes), s.Only.Check(nodes, len(s.Programs())))
}

// free returns, by resource, the field of a cluster that makes it uncontended.
var free = map[Resource]func(*cluster.Spec) *bool{
	CPU:    func(c *cluster.Spec) *bool { return &c.Hosts.CPU },
	MemBus: func(c *cluster.Spec) *bool { return &c.Hosts.MemBus },
	PCI:    func(c *cluster.Spec) *bool { return &c.Hosts.IOBus },
	HDMA:   func(c *cluster.Spec) *bool { return &c.Cards.HostDMA },
	SDMA:   func(c *cluster.Spec) *bool { return &c.Cards.NetDMA },
	SRAM:   func(c *cluster.Spec) *bool { return &c.Cards.SRAM },
	LANai:  func(c *cluster.Spec) *bool { return &c.Cards.Processor },
	Slots:  func(c *cluster.Spec) *bool { return &c.Cards.Slots },
	Ports:  func(c *cluster.Spec) *bool { return &c.Ports },
}

// steps is how many events run between two checks of the context.
const steps = 50_000

// settle is how long the cluster runs on after a program has ended, so that packets
// on their way arrive.
const settle = sim.Millisecond
