package experiment

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// logOf runs a program with and without the log of waiting, which must not change it, and
// returns the run with it, and the log, which ends then.
func logOf(t *testing.T, s RunSpec) (*executed, *waits.Log) {
	t.Helper()
	s.Trace = TraceAll
	plain, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	require.Nil(t, plain.cluster.Waits())
	s.Trace = TraceWaits
	logged, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	require.Equal(t, plain.cluster.Engine.Now(), logged.cluster.Engine.Now())
	require.Equal(t, plain.cluster.Net.Stats(), logged.cluster.Net.Stats())
	for i, n := range plain.cluster.Nodes { // with a log more steps of the cards are events
		require.Equal(t, n.NIC.Stats(), logged.cluster.Nodes[i].NIC.Stats())
		require.Equal(t, n.Monitor.Stats(), logged.cluster.Nodes[i].Monitor.Stats())
	}
	log := logged.cluster.Waits()
	p, err := platform.Load(s.Platform)
	require.NoError(t, err)
	checkLog(t, log, p.Host.CPUs)
	if s.runsAny(memoryWorkloads) && !slices.Contains(s.Uncontended, CPU) { // others run on after their shares are taken
		checkProcesses(t, log, logged.programs[0].shares)
	}
	return logged, log
}

// checkLog checks what is true of every finished log: the intervals of each actor fill
// its time, and what serves one at a time has one holder at a time. Hosts have so many
// processors.
func checkLog(t *testing.T, log *waits.Log, cpus int) {
	t.Helper()
	at := make([]int64, len(log.Actors))
	for id := range log.Actors {
		at[id] = log.Actors[id].Begin
	}
	for _, x := range log.Intervals {
		require.Equal(t, at[x.Actor], x.Begin, "%+v of %+v", x, log.Actors[x.Actor])
		require.Less(t, x.Begin, x.End)
		at[x.Actor] = x.End
	}
	for id, a := range log.Actors {
		require.Equal(t, a.End, at[id], "%+v", a)
	}
	holds := slices.DeleteFunc(slices.Clone(log.Holds), func(h waits.Hold) bool {
		return h.Resource == waits.Ring || h.Resource == waits.CPU && cpus > 1
	})
	slices.SortFunc(holds, func(a, b waits.Hold) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Begin, b.Begin))
	})
	for i := 1; i < len(holds); i++ {
		if a, b := holds[i-1], holds[i]; a.Resource == b.Resource && a.Instance == b.Instance {
			require.LessOrEqual(t, a.End, b.Begin, "%+v and %+v: %+v and %+v", a, b, log.Actors[a.Actor], log.Actors[b.Actor])
		}
	}
	checkService(t, log)
	_, err := account.Resolve(log)
	require.NoError(t, err)
}

// checkService checks that an actor has what serves it.
func checkService(t *testing.T, log *waits.Log) {
	t.Helper()
	own := make([][]waits.Hold, len(log.Actors))
	kept := map[waits.Resource]bool{} // not of what is free
	for _, h := range log.Holds {
		own[h.Actor] = append(own[h.Actor], h)
		kept[h.Resource] = true
	}
	for _, x := range log.Intervals {
		switch x.Resource {
		case waits.CPU, waits.Processor, waits.HostDMA:
		default:
			continue
		}
		if x.What != waits.Service || !kept[x.Resource] {
			continue
		}
		had := int64(0)
		for _, h := range own[x.Actor] {
			if h.Resource == x.Resource && h.Instance == x.Instance {
				had += max(0, min(h.End, x.End)-max(h.Begin, x.Begin))
			}
		}
		require.Equal(t, x.End-x.Begin, had, "%+v of %+v", x, log.Actors[x.Actor])
	}
}

// checkProcesses checks the log of a program's processes against the account that hosts
// keep of their time.
func checkProcesses(t *testing.T, log *waits.Log, shares []host.Shares) {
	t.Helper()
	held := make([]int64, len(log.Actors))
	for _, h := range log.Holds {
		if h.Resource == waits.CPU {
			held[h.Actor] += h.End - h.Begin
		}
	}
	for node, s := range shares {
		id := slices.IndexFunc(log.Actors, func(a waits.Actor) bool {
			return a.Type == waits.Process && int(a.Node) == node && a.Name == s.Context
		})
		require.Positive(t, id, "%s on node %d", s.Context, node)
		a := log.Actors[id]
		require.Equal(t, int64(s.Elapsed), a.End-a.Begin)
		require.Equal(t, int64(s.Held), held[id])
	}
}

// checkPath checks that the log explains all of the critical path to the end of the last
// program.
func checkPath(t *testing.T, a *account.Account) {
	t.Helper()
	var finish, to int64
	var last waits.ID
	for _, x := range a.Actors {
		finish = max(finish, x.End)
	}
	for id, x := range a.Actors {
		if x.Type == waits.Process && x.End < finish && x.End > to {
			last, to = waits.ID(id), x.End
		}
	}
	sum := int64(0)
	graph.New(a).CriticalPath(last, 0, to, func(s graph.Segment) {
		require.GreaterOrEqual(t, s.Piece, int32(0), "%+v", s)
		sum += s.Length()
	})
	require.Equal(t, to, sum)
}

// checkRunTime checks that the path ends when the last process does, to the picosecond, and that
// the log explains all but a thousandth of it.
func checkRunTime(t *testing.T, r *executed, e *causal.Explanation) {
	t.Helper()
	require.Equal(t, int64(r.took()), e.Length())
	var path, unknown int64
	for _, u := range e.Path {
		path += u.Length()
		if u.Unknown {
			unknown += u.Length()
		}
	}
	require.Equal(t, e.Length(), path)
	require.Less(t, float64(unknown), 0.001*float64(path))
}

func TestWaitsOfPrograms(t *testing.T) {
	programs := []string{"fft", "radix", "gauss", "ocean", "dfs", "hotspot"}
	if testing.Short() {
		programs = []string{"fft", "gauss"}
	}
	for _, name := range programs {
		t.Run(name, func(t *testing.T) {
			s := DefaultRun(name)
			s.Nodes, s.Size = 4, smallSizes[name]
			known, all := int64(0), int64(0) // of waiting: that has a holder
			r, log := logOf(t, s)
			a, err := account.Resolve(log)
			require.NoError(t, err)
			for _, p := range a.Pieces {
				if p.What == waits.Waiting {
					all += p.Length()
					if p.Holder != 0 {
						known += p.Length()
					}
				}
			}
			require.Greater(t, float64(known), 0.95*float64(all))
			checkPath(t, a)
			checkRunTime(t, r, causal.ExplainPart(graph.New(a), 0, int64(r.took())))
		})
	}
}

// TestNothingOnThePathIsUnexplained: on cards of pipelines, whose processes wait for completions, answers to reads, devices
// and rates, what the critical path rests on is always something that serves or that is in the way.
func TestNothingOnThePathIsUnexplained(t *testing.T) {
	for _, program := range []string{"kv", "blocks", "paramserver", "allreduce", "incast", "gauss"} {
		t.Run(program, func(t *testing.T) {
			s := DefaultRun(program)
			s.Platform, s.Nodes, s.Size = "cx7", 4, smallSizes[program]
			_, log := logOf(t, s)
			a, err := account.Resolve(log)
			require.NoError(t, err)
			e, dark := causal.Explain(graph.New(a), 0), int64(0)
			for _, u := range e.Path {
				if u.Unknown || u.Resource == waits.Event {
					dark += u.Waiting
				}
			}
			require.Less(t, float64(dark), 0.01*float64(e.Length()), "of %d ps", e.Length())
		})
	}
}

// TestRunTimeOfLossyRuns: the run ends with its last process, though lost packets are still on
// their way, and so does the path.
func TestRunTimeOfLossyRuns(t *testing.T) {
	later := 0
	for _, c := range []struct {
		name, platform string
		seed           uint64
	}{{"radix", "shrimp", 15}, {"random", "shrimp", 16}, {"random", "ppro", 3}} {
		p := &planting{spec: DefaultRun(c.name), node: 2, lossy: 0.1}
		p.spec.Platform, p.spec.Nodes, p.spec.Size, p.spec.Seed, p.spec.Trace = c.platform, 4, smallSizes[c.name], c.seed, TraceWaits
		r := p.run(t, true)
		if r.ended.Sub(r.began) > r.took() {
			later++
		}
		require.Equal(t, int64(r.took()), explain(t, r).Length(), c)
	}
	require.Positive(t, later, "packets on their way after the last process")
}

// TestWaitsWithWhatIsFree: freed resources, which may serve several at once, damaged,
// refused and repeated packets leave no gap either.
func TestWaitsWithWhatIsFree(t *testing.T) {
	faulty := func(s *RunSpec) {
		s.Faults = FaultSpec{ErrorPerByte: 1e-6, DropAck: 0.02, Stalls: []Stall{{Node: 2, At: sim.Time(5 * sim.Millisecond), For: 5 * sim.Millisecond}}}
	}
	cases := map[string]func(*RunSpec){"faults": faulty}
	if !testing.Short() {
		for _, r := range []Resource{CPU, MemBus, PCI, HDMA, SRAM, LANai, Slots, Ports} {
			cases[string(r)] = func(s *RunSpec) { s.Uncontended = []Resource{r} }
		}
		cases["gang"] = func(s *RunSpec) { s.Workload, s.Size, s.Gang = "hotspot+random", 0, true }
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			s := DefaultRun("fft")
			s.Nodes, s.Size = 4, 4096
			change(&s)
			logOf(t, s)
		})
	}
}

// TestWaitsOnEveryLayer: the parts that all layers share leave no gap.
func TestWaitsOnEveryLayer(t *testing.T) {
	carry, _ := everywhere(t)
	for i, at := range carry {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(at.String(), func(t *testing.T) { logOf(t, runAt(at, "gauss", 4, 64)) })
	}
}

// TestWaitsInLine: eight senders fill the queues of a switch that pauses them. Twice as many packets wait for twice as many
// each, but are told of in twice as many rows; and they wait as long as the log says that is cut by all that are ahead.
func TestWaitsInLine(t *testing.T) {
	rows := map[int]int{}
	for _, count := range []int{8, 16} {
		s := DefaultRun("incast")
		s.Platform, s.Nodes, s.Pattern = "cx5-roce", 9, PatternSpec{Bytes: 8192, Count: count}
		_, log := logOf(t, s)
		a, err := account.Resolve(log)
		require.NoError(t, err)
		rows[count] = len(slices.Collect(a.WaitRows())) + len(slices.Collect(a.HoldRows()))
		lines := causal.Explain(graph.New(a), 0)
		for i := range log.Intervals {
			log.Intervals[i].Line = false
		}
		cut, err := account.Resolve(log)
		require.NoError(t, err)
		require.Greater(t, len(cut.Pieces), 2*len(a.Pieces))
		all := causal.Explain(graph.New(cut), 0)
		require.Empty(t, lines.Findings()[0].Port, "no names")
		lines.Ports = map[int32]string{9: "switch>node0", 1: "node1>switch"}
		found := lines.Findings()[0]
		require.Equal(t, "switch>node0", found.Port)
		if count == 8 { // of twice as many the link's work is told, and no incast
			require.Contains(t, found.More, "At the end of the chains is mostly port switch>node0")
		}
		for i := range lines.Queues {
			lines.Queues[i].Through = nil // told of lines only
		}
		for _, e := range []*causal.Explanation{lines, all} {
			for _, q := range e.Queues {
				for i := range q.Worst { // a wait of which a part counts ends in a line where the line does
					q.Worst[i].Holder, q.Worst[i].End = 0, 0
				}
			}
		}
		require.Equal(t, all.Queues, lines.Queues)
		require.Equal(t, all.Path, lines.Path)
		require.Equal(t, all.Waited, lines.Waited)
		require.Equal(t, all.Known, lines.Known)
	}
	require.Less(t, rows[16], rows[8]*5/2)
}

// TestWaitsAgreeWithTheMonitor: the six instants that the monitor has stamped lie where
// the intervals of their packet say, up to the error of global time.
func TestWaitsAgreeWithTheMonitor(t *testing.T) {
	const clock = int64(sim.Microsecond) // more than the clocks of so short a run are wrong
	s := DefaultRun("fft")
	s.Nodes, s.Size, s.Trace = 4, 4096, TraceWaits
	run, err := Run(context.Background(), s, nil)
	require.NoError(t, err)
	type key struct{ node, number int64 }
	byNumber := map[key]trace.ActorRow{}
	for a := range run.Actors {
		if a.Type == "packet" && a.Number >= 0 {
			byNumber[key{a.Node, a.Number}] = a
		}
	}
	intervals := map[int64][]trace.WaitRow{}
	for w := range run.Waits {
		intervals[w.Actor] = append(intervals[w.Actor], w)
	}
	checked := 0
	for p := range run.Packets {
		a, ok := byNumber[key{p.Sender, p.Number}]
		if !ok || !p.T1Ns.OK || !p.T6Ns.OK {
			continue
		}
		checked++
		require.Equal(t, []any{p.Kind, p.Tag, p.Span, p.Receiver, p.SizeBytes}, []any{a.Kind, a.Tag, a.Span, a.Peer, a.Size})
		var taken, fetched, port, arrived, landed int64 // when that is over, and when the network begins
		for _, w := range intervals[a.Actor] {
			moves := w.Resource == "host_dma" || w.Resource == "memory_bus" || w.Resource == "io_bus" || w.Resource == "sram_bus"
			switch {
			case port == 0 && w.Resource == "port":
				port, arrived = w.BeginPs, w.EndPs
			case w.Resource == "port" || w.Resource == "receive_ring":
				arrived = w.EndPs
			case port == 0 && moves && w.What != "idle":
				fetched = w.EndPs
			case moves:
				landed = w.EndPs
			case taken == 0 && w.What == "service":
				taken = w.BeginPs
			}
		}
		at := func(ns trace.Opt[int64]) int64 { return ns.Value * 1000 }
		between := func(what string, lo, x, hi int64) {
			require.LessOrEqual(t, lo, x+clock, "%s of %+v, %+v", what, p, intervals[a.Actor])
			require.LessOrEqual(t, x-clock, hi, "%s of %+v, %+v", what, p, intervals[a.Actor])
		}
		between("t1", a.BeginPs, at(p.T1Ns), taken)
		between("t2", max(taken, fetched), at(p.T2Ns), port)
		between("t3", max(taken, fetched), at(p.T3Ns), port)
		between("t5", arrived, at(p.T5Ns), landed)
		between("t6", landed, at(p.T6Ns), a.EndPs)
	}
	require.Greater(t, checked, 400)
}
