package cluster

import (
	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/loggp"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Cluster is a running cluster.
type Cluster struct {
	Engine *sim.Engine
	Net    *fabric.Net
	Nodes  []*Node
	Layout *histo.Layout // nil without a monitor
	// Packets takes the records of packets that come to the hosts; nil unless they are
	// traced.
	Packets *trace.Joiner
	Marks   *trace.Marks // of processes; nil unless operations are recorded
	Bins    *trace.Bins  // of the same records; nil unless asked for
	spec    Spec
	// Specifications that nodes share.
	computers []*host.Spec
	cards     []*ni.Spec
	firmware  *monitor.Spec
	curves    *clock.Curves
	fast      *loggp.Net // nil: the full model
	log       *waits.Log // nil if waiting is not recorded
	logged    sim.Time   // since when
}

// Node is one computer of the cluster.
type Node struct {
	Host       *host.Host
	Frames     *host.Frames
	NIC        *ni.NIC // nil with Spec.Fast
	Layer      comm.Layer
	VMMC       *vmmc.Node       // nil on other layers
	Monitor    *monitor.Monitor // nil in the build without it
	Oscillator *clock.Oscillator
	fast       *loggp.Layer // beside Layer, if messages are sampled
}
