package monitor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// busy returns what both processors did while messages went from node 0 to
// node 1, and how long that took.
func busy(t *testing.T, build monitor.Build, record bool, change func(*cluster.Spec), sizes ...int) (out [2]sim.Duration, took sim.Duration) {
	r := newRig(t, build, 2, change)
	if record {
		r.Record()
	}
	var before [2]sim.Duration
	for i, n := range r.Nodes {
		before[i] = n.NIC.Stats().Busy
	}
	began := r.Engine.Now()
	r.messages(0, 1, sizes...)
	for i, n := range r.Nodes {
		out[i] = n.NIC.Stats().Busy - before[i]
	}
	return out, r.Engine.Now().Sub(began)
}

// TestCyclesArePaid: recording costs each processor exactly the cycles of the
// acts of its build, and nothing else.
func TestCyclesArePaid(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	c := &p.Monitor.Cycles
	sender := c.NoteRequest + c.NoteFetched + c.WriteHeader + c.NoteSent + c.Defer + 2*c.Bin
	receiver := c.StripHeader + c.NoteArrived + c.NoteDone + c.Defer + 2*c.Bin
	conversion := c.Convert + c.Observe
	for _, x := range []struct {
		name             string
		build            monitor.Build
		change           func(*cluster.Spec)
		sender, receiver int
	}{
		{"full", monitor.Full, nil, sender, receiver + conversion},
		{"send", monitor.Send, nil, sender, 0},
		{"recv", monitor.Recv, nil, 0, receiver},
		{"clock", monitor.Clock, nil, 0, c.Convert},
		{"full with variance", monitor.Full, func(s *cluster.Spec) { s.Variance = true }, sender + 2*c.Square, receiver + conversion + 2*c.Square},
		{"traced", monitor.Full, func(s *cluster.Spec) { s.Trace = monitor.TracePackets }, sender + c.TraceTaken + c.TraceNumber + c.TraceRecord, receiver + conversion + c.TraceRecord},
		{"traced, not selected", monitor.Full, func(s *cluster.Spec) {
			s.Trace, s.Only = monitor.TracePackets, monitor.Selection{Sizes: []monitor.Range{{Lo: 5000, Hi: 6000}}}
		}, sender + c.TraceTaken + c.TraceTest, receiver + conversion + c.TraceTest},
		{"full without slots", monitor.Full, func(s *cluster.Spec) { s.Profile.Monitor.DeferredSlots = 0 }, sender - c.Defer, receiver + conversion - c.Defer},
	} {
		t.Run(x.name, func(t *testing.T) {
			sizes := []int{8, 64, 200, 4096, 9000}
			n := 0
			for _, s := range sizes {
				n += packets(s)
			}
			on, _ := busy(t, x.build, true, x.change, sizes...)
			off, _ := busy(t, x.build, false, x.change, sizes...)
			hz := float64(p.NI.ClockHz)
			for i, cycles := range []int{x.sender, x.receiver} {
				paid := (on[i] - off[i]).Seconds() * hz / float64(n)
				require.InDelta(t, cycles, paid, 0.001, "cycles per packet of node %d", i)
			}
		})
	}
}

// TestStoppedMonitor: one that does not record costs no cycles, and no time
// beyond the words in request and header.
func TestStoppedMonitor(t *testing.T) {
	sizes := []int{8, 64, 200, 4096, 9000}
	off, _ := busy(t, monitor.Off, false, nil, sizes...)
	for _, build := range []monitor.Build{monitor.Send, monitor.Recv} { // the others have a clock to keep
		stopped, _ := busy(t, build, false, nil, sizes...)
		require.Equal(t, off, stopped, "%v", build)
		r := newRig(t, build, 2, nil)
		r.Record()
		for _, n := range r.Nodes {
			n.Monitor.Stop()
		}
		r.messages(0, 1, sizes...)
		require.Equal(t, [4]uint64{}, r.counts(0))
		require.Equal(t, [4]uint64{}, r.counts(1))
	}
}

// TestStopPays: what waits to be binned when recording ends occupies the
// processor.
func TestStopPays(t *testing.T) {
	delay := func(samples bool) sim.Duration {
		r := newRig(t, monitor.Send, 2, nil)
		if samples {
			r.Record()
		}
		r.burst(0, 1, 30)
		require.NoError(t, r.Engine.RunUntil(func() bool { return len(r.oracles[0].injected) == 20 }))
		waiting := 0
		if samples {
			waiting = 20 - int(r.counts(0)[0])
			require.NotZero(t, waiting)
		}
		r.Nodes[0].Monitor.Stop()
		require.NoError(t, r.Engine.RunUntil(func() bool { return len(r.oracles[0].injected) == 21 }))
		if samples {
			require.EqualValues(t, 20, r.counts(0)[0])
		}
		return r.oracles[0].injected[20].at[4].Sub(r.oracles[0].injected[19].at[4])
	}
	require.Greater(t, delay(true), delay(false)+sim.Microsecond/2)
}

// TestWords: the words that a build adds to requests and packets.
func TestWords(t *testing.T) {
	for build, want := range map[monitor.Build][2]int{
		monitor.Full: {2, 2}, monitor.Send: {2, 2}, monitor.Recv: {}, monitor.Clock: {},
	} {
		for _, traced := range []bool{false, true} {
			if traced && build != monitor.Full {
				continue
			}
			r := newRig(t, build, 2, func(s *cluster.Spec) {
				if traced {
					s.Trace = monitor.TracePackets
				}
			})
			if traced {
				want[1]++ // the packet's number
			}
			descriptor, header := r.Nodes[0].Monitor.Words()
			require.Equal(t, want, [2]int{descriptor, header})
			wire := 0
			r.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == trace.Data {
					wire = p.WireBytes
				}
				return false
			})
			r.messages(0, 1, 100)
			require.Equal(t, 24+100+4*want[1], wire, "%v, traced: %t", build, traced)
		}
	}
}

// TestSRAM: histograms, deferred samples and the clock's table are in the
// card's allocation table, and what does not fit is an error that shows it.
func TestSRAM(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	spec := cluster.Spec{Profile: p, Nodes: 2, Options: monitor.Options{Build: monitor.Full}, Tags: 1, Kinds: []trace.Kind{trace.Data}, Clock: cluster.Clock{Estimator: cluster.Published}}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	table := c.Nodes[0].NIC.SRAM().String()
	for _, owner := range []string{"histograms", "deferred samples", "clock table"} {
		require.Contains(t, table, owner)
	}
	require.LessOrEqual(t, c.Layout.Bytes(), 180<<10)

	p.Monitor.DeferredSlots = 1 << 16
	_, err = cluster.New(spec)
	require.ErrorContains(t, err, "monitor on node 0: the interface's SRAM has")
	require.ErrorContains(t, err, "histograms")

	spec.Build, spec.Trace = monitor.Send, monitor.TracePackets
	p.Monitor.DeferredSlots = 8
	_, err = cluster.New(spec)
	require.ErrorContains(t, err, "a trace in the build send, want full")
}

// TestSpecRefuses: every number has limits, and the error names field, value
// and what is wanted.
func TestSpecRefuses(t *testing.T) {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	spec := p.Monitor
	require.Greater(t, boundstest.Refuses(t, "monitor", &spec, spec.Validate), 20)
}

func TestBuildNames(t *testing.T) {
	for _, name := range []string{"off", "full", "send", "recv", "clock"} {
		var b monitor.Build
		require.NoError(t, b.UnmarshalText([]byte(name)))
		require.Equal(t, name, b.String())
	}
	require.EqualError(t, new(monitor.Build).UnmarshalText([]byte("ful")), `unknown monitor build "ful", did you mean "full"? (known: off, full, send, recv, clock)`)
	require.Equal(t, "monitor build(3)", (monitor.Send | monitor.Recv).String())
}

// TestTagsAndKinds: programs and kinds are kept apart at both ends, and what
// the histograms do not know is counted.
func TestTagsAndKinds(t *testing.T) {
	r := newRig(t, monitor.Full, 2, func(s *cluster.Spec) { s.Tags, s.Kinds = 2, []trace.Kind{trace.Data, trace.Flag} })
	r.Record()
	for tag, n := range []int{3, 5, 7} {
		space := r.spaces[0]
		ep := r.Nodes[0].VMMC.Process(space, trace.Tag(tag))
		far := r.Nodes[1].VMMC.Process(r.spaces[1], trace.Tag(tag))
		x, err := far.Export(r.spaces[1].Alloc(4096), 4096, nil)
		require.NoError(t, err)
		to, err := ep.Import(x)
		require.NoError(t, err)
		done := false
		r.Nodes[0].Host.Go("p", host.Application, func(c *host.Context) {
			for i := range n {
				kind := trace.Data
				switch i {
				case 0:
					kind = trace.Flag
				case 1:
					kind = trace.Diff // not told apart
				}
				require.NoError(t, ep.Send(c, r.out[0], to, 0, 40, trace.Meta{Tag: 99, Kind: kind}, false))
			}
			c.Sleep(2 * ms)
			done = true
		})
		require.NoError(t, r.Engine.RunUntil(func() bool { return done }))
	}
	for node, stage := range []trace.Stage{trace.LANai, trace.Dest} {
		r.Nodes[node].Monitor.Stop()
		s := r.Nodes[node].Monitor.ReadOut()
		for tag, n := range []uint64{3, 5} {
			for kind, want := range map[trace.Kind]uint64{trace.Data: n - 2, trace.Flag: 1} {
				m, err := s.Moments(histo.Query{Stage: stage, Tags: []trace.Tag{trace.Tag(tag)}, Kinds: []trace.Kind{kind}})
				require.NoError(t, err)
				require.Equal(t, want, m.Count, "tag %d, %v at node %d", tag, kind, node)
			}
		}
		require.EqualValues(t, 2, s.Apart(trace.Diff, stage))
		require.EqualValues(t, 2*7, s.Losses().UnknownTag)
	}
}
