package testbed

import (
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Monitored is a Change: all of the monitor, with histograms of messages and a trace.
func Monitored(s *cluster.Spec) {
	s.Build, s.Trace, s.Kinds = monitor.Full, monitor.TracePackets, []trace.Kind{trace.Message}
	s.Profile.Clock.WarmRounds, s.Round = 2, 20*sim.Millisecond
}

// Stages has a number of packets for each stage.
type Stages [trace.NumStages]uint64

// EachStage returns the same number for all stages.
func EachStage(n int) (all Stages) {
	for i := range all {
		all[i] = uint64(n)
	}
	return all
}

// Measured returns how many packets of a program the histograms have. The testbed must be Monitored.
func (r *Test) Measured(program func()) (packets Stages) {
	r.T.Helper()
	r.Keep(r.Warm())
	r.Record()
	program()
	for stage := range packets {
		packets[stage] = r.Moments(histo.Query{Stage: trace.Stage(stage)}).Count
	}
	r.check()
	return packets
}
