package causal

import (
	"slices"
	"testing"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// echo adds to the log of a line a process that waits for its last packet.
func echo(l synth.Line) *waits.Log {
	log, last := l.Log()
	end := log.Actors[last].End
	id := log.Begin(waits.Actor{Type: waits.Process, Node: 1, Name: "receiver 1"}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	log.Turn(id, waits.Interval{Resource: waits.CPU, Begin: end}, last)
	log.End(id, end+10)
	return log
}

func TestExplainALine(t *testing.T) {
	log := echo(synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4})
	e := Explain(resolved(t, log), 0)
	require.EqualValues(t, 49, e.Length())
	require.Equal(t, []Use{
		{Resource: waits.HostDMA, Spent: Spent{Service: 28}}, {Resource: waits.CPU, Spent: Spent{Service: 17}}, {Resource: waits.SEngine, Spent: Spent{Service: 4}},
	}, e.Path)
	require.Equal(t, []Part{{Spent: Spent{Service: 49}}}, e.Nodes)
	require.Equal(t, []Part{{Spent: Spent{Service: 49}}}, e.Programs)
	require.Equal(t, []Part{{Name: "data", Spent: Spent{Service: 32}}, {Name: "computation", Spent: Spent{Service: 17}}}, e.Operations)
	require.Len(t, e.Queues, 1)
	q := e.Queues[0]
	require.Equal(t, waits.HostDMA, q.Resource)
	require.EqualValues(t, 9+18, q.Waited, "the second packet is ready at 6 and served at 15")
	require.EqualValues(t, 18, q.OnPath)
	require.EqualValues(t, 39-27, q.Saved, "without the queue the first engine ends at 15, 16 and 17, the second at 19, 23 and 27")
	require.Equal(t, 1.0, e.AttributedShare())

	require.Equal(t, []Near{{Class: account.Class{Name: "data"}, Packets: 3, OnPath: 3, Within: [3]int64{3, 3, 3}}}, e.Near)

	f := e.Findings()
	require.Len(t, f, 2)
	require.Equal(t, "late sender", f[1].Cause, "the receiver waits while the sender computes")
	require.EqualValues(t, 5+1, e.States[0].Computing*2, "two processes")
	require.Equal(t, trace.Attributed, f[0].Grade)
	require.Equal(t, "host_dma", f[0].Resource)
	require.Equal(t, "data packets (100.0 %) of node 0", f[0].Culprit)
	require.Equal(t, 0, *f[0].Node)
	require.Equal(t, []Command{{"see", "sigview view DIR --view timeline --select 'row=0 from=0 to=1 at=0 packet=0:0 details=on'", "row=0 from=0 to=1 at=0 packet=0:0 details=on"}, {"test", "sigview why DIR --node 0", ""}}, f[0].Commands)
	require.Len(t, f[1].Commands, 1, "no run has processes that are never late")
	require.Contains(t, f[0].Evidence[0], "data packet 0 from node 0 to 0 waits 0 ns")
}

// TestCommandsTestOnePlace: the test of a finding is at its port, its node or its program only.
func TestCommandsTestOnePlace(t *testing.T) {
	e, at := &Explanation{Dir: "DIR"}, 3
	for _, c := range []struct {
		of    waits.Resource
		f     Finding
		lines []string
	}{
		{waits.Port, Finding{At: &at, Port: "switch>node3"}, []string{"sigview why DIR --port 'switch>node3'"}},
		{waits.Port, Finding{At: &at, Port: "node3>switch"}, []string{"sigview why DIR"}},
		{waits.HostDMA, Finding{At: &at, Port: "switch>node3", Program: "lu"}, []string{"sigview why DIR --node 3", "sigview why DIR --program lu"}},
		{waits.Event, Finding{Program: "lu"}, []string{"sigview why DIR --program lu"}},
	} {
		var lines []string
		for _, command := range e.commands(nil, c.of, &c.f) {
			require.Equal(t, "test", command.To)
			lines = append(lines, command.Line)
		}
		require.Equal(t, c.lines, lines)
	}
}

func TestExplanationSumsToTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := synth.RandomLog(t)
		for id := range log.Actors {
			log.Actors[id].Type = waits.Type(rapid.IntRange(0, 3).Draw(t, "type"))
		}
		e := Explain(resolved(t, log), 0)
		var path int64
		for _, u := range e.Path {
			path += u.Length()
		}
		require.Equal(t, e.Length(), path)
		for _, parts := range [][]Part{e.Nodes, e.Programs, e.Operations} {
			path = 0
			for _, p := range parts {
				path += p.Length()
			}
			require.Equal(t, e.Length(), path)
		}
		for _, q := range e.Queues {
			var held, roots int64
			for _, s := range q.Holders {
				held += s.Waited
			}
			for _, s := range q.Roots {
				roots += s.Waited
			}
			require.Equal(t, q.Waited, held+q.Unknown)
			require.Equal(t, held, roots)
			require.LessOrEqual(t, q.OnPath, e.Length())
		}
		for _, f := range e.Findings() {
			require.NotEmpty(t, f.Text)
		}
	})
}

// TestNothingIsFoundInAPingPong has one message in flight: each process waits for the
// other, which answers at once.
func TestNothingIsFoundInAPingPong(t *testing.T) {
	log := waits.NewLog()
	side := func(node int32) waits.ID {
		return log.Begin(waits.Actor{Type: waits.Process, Node: node, Name: "side"}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	}
	sides := []waits.ID{side(0), side(1)}
	at := int64(0)
	log.Turn(sides[0], waits.Interval{Resource: waits.CPU}, 0)
	for i := range 20 {
		from, to := sides[i%2], sides[1-i%2]
		at += 3
		packet := log.Begin(waits.Actor{Cause: from, Kind: trace.Message}, waits.Interval{Resource: waits.Port, Begin: at})
		log.Turn(from, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: at}, 0)
		at += 10
		log.End(packet, at)
		log.Turn(to, waits.Interval{Resource: waits.CPU, Begin: at}, packet)
	}
	log.Finish(at + 3)
	e := Explain(resolved(t, log), 0)
	require.Equal(t, []Use{{Resource: waits.Port, Spent: Spent{Service: 200}}, {Resource: waits.CPU, Spent: Spent{Service: 63}}}, e.Path)
	for _, f := range e.Findings() {
		require.Fail(t, f.Text)
	}
}

// TestImbalanceOfABarrier: two processes wait for a third one that computes for longer.
func TestImbalanceOfABarrier(t *testing.T) {
	log := waits.NewLog()
	var all []waits.ID
	for node := range int32(3) {
		all = append(all, log.Begin(waits.Actor{Type: waits.Process, Node: node, Name: "thread"}, waits.Interval{Resource: waits.CPU}))
	}
	for _, id := range all[:2] {
		log.Turn(id, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 40}, 0)
	}
	for _, id := range all[:2] {
		release := log.Begin(waits.Actor{Cause: all[2], Kind: trace.BarrierRelease}, waits.Interval{Resource: waits.Port, Begin: 100})
		log.End(release, 110)
		log.Turn(id, waits.Interval{Resource: waits.CPU, Begin: 110}, release)
	}
	log.Finish(120)
	e := Explain(resolved(t, log), 0)
	require.Equal(t, []State{{
		Awaited: "barriers", Late: "barrier imbalance", Computing: 2 * 60 / 3, Underway: 2 * 10 / 3,
		Culprits: e.States[0].Culprits, Worst: e.States[0].Worst,
		Hot: 0, FromHot: 2 * 70 / 3, Sole: true, Hottest: Wait{Actor: all[0], Holder: e.States[0].Worst[0].Holder, Begin: 40, End: 110, Cost: 70},
	}}, e.States)
	f := e.Findings()
	require.Len(t, f, 1)
	require.Equal(t, "barrier imbalance", f[0].Cause)
	require.Equal(t, 2, *f[0].Node)
}

// TestOnePlaceIsOneFinding: what waits at a place that is unlike its peers is no second cause, of a lock as of a ring.
func TestOnePlaceIsOneFinding(t *testing.T) {
	e := Explain(resolved(t, echo(synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4})), 0)
	slow := func(r waits.Resource, works bool) Outlier {
		return Outlier{OnPath: 20, Saved: 20, Slow: &peers.Slow{Place: account.Place{Resource: r, Instance: 1}, Node: 1, Ratio: 5, Other: -1, Works: works}}
	}
	e.States, e.Outliers = nil, []Outlier{slow(waits.Ring, false)}
	e.Queues = []Queue{{Resource: waits.Ring, OnPath: 20, Saved: 20, Waited: 20, At: []Spot{{Node: 1, Waited: 20, OnPath: 20}}}}
	require.Len(t, e.Findings(), 1)
	e.Queues[0].At[0].Node = 2
	require.Len(t, e.Findings(), 2, "another node's ring is another place")

	e.Outliers, e.Queues = []Outlier{slow(waits.CPU, true)}, nil
	holder := e.Who(waits.ID(len(e.Actors) - 1)) // the process on node 1
	e.States = []State{{Awaited: sorts[locks].awaited, Late: sorts[locks].late, Computing: 12, Culprits: []Share{{Who: holder, Waited: 12}}}}
	list := e.Findings()
	require.Len(t, list, 2)
	require.Equal(t, sorts[locks].late, list[0].Cause)
	require.True(t, list[0].Outlier, "its holder works longer")
	require.False(t, list[1].Outlier)
}

// TestRankOfLateProcesses: homes that serve late come before the imbalance at barriers, unless that is of a node whose processor works
// longer; of a lock, the node that usually holds it longest is named.
func TestRankOfLateProcesses(t *testing.T) {
	e := Explain(resolved(t, echo(synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4})), 0)
	who := e.Who(waits.ID(len(e.Actors) - 1)) // the process on node 1
	late := func(sort int, ps int64) State {
		return State{Awaited: sorts[sort].awaited, Late: sorts[sort].late, Computing: ps, Culprits: []Share{{Who: who, Waited: ps}}}
	}
	e.Crowd.Nodes, e.Queues, e.Outliers = 4, nil, nil
	e.States = []State{late(barriers, 9), late(pages, 2)}
	require.Equal(t, sorts[pages].late, e.Findings()[0].Cause)
	e.Outliers = []Outlier{{Slow: &peers.Slow{Place: account.Place{Resource: waits.CPU, Instance: int32(e.Node(who))}, Node: e.Node(who), Ratio: 1.3, Other: -1, Works: true}}}
	f := e.Findings()[0]
	require.Equal(t, sorts[barriers].late, f.Cause)
	require.True(t, f.Outlier)

	holds := State{Holds: []Hold{{0, []int64{50, 50, 500}}, {1, []int64{50, 50, 50}}, {2, []int64{65, 70, 60}}, {3, []int64{90, 90}}}}
	require.Equal(t, 2, *holds.longest(), "others wait for node 3 twice only")
	holds.Holds[1] = holds.Holds[1].plus(Hold{1, []int64{60, 60, 60, 60}})
	require.Nil(t, holds.longest())
}

// TestPathByOperation: a handler on another node sends a page when the request has woken it.
func TestPathByOperation(t *testing.T) {
	log := waits.NewLog()
	thread := log.Begin(waits.Actor{Type: waits.Process, Name: "thread"}, waits.Interval{Resource: waits.CPU})
	service := log.Begin(waits.Actor{Type: waits.Handler, Node: 1, Name: "service"}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 1})
	request := log.Begin(waits.Actor{Cause: thread, Kind: trace.PageRequest, Tag: 3}, waits.Interval{Resource: waits.Port, Instance: 9, Begin: 10})
	log.Turn(thread, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 10}, 0)
	log.End(request, 20)
	log.Turn(service, waits.Interval{Resource: waits.CPU, Instance: 1, Begin: 20}, request)
	reply := log.Begin(waits.Actor{Cause: service, Kind: trace.PageReply, Tag: 3, Node: 1}, waits.Interval{Resource: waits.HostDMA, Instance: 1, Begin: 25})
	log.Turn(service, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 1, Begin: 25}, 0)
	log.End(reply, 40)
	log.Turn(thread, waits.Interval{Resource: waits.CPU, Begin: 40}, reply)
	log.Finish(47)
	e := Explain(resolved(t, log), 0)
	require.Equal(t, []Part{{Name: "page_fetch", Spent: Spent{Service: 30}}, {Name: "computation", Spent: Spent{Service: 17}}}, e.Operations)
	require.Equal(t, []Part{{Number: 1, Spent: Spent{Service: 20}}, {Number: 0, Spent: Spent{Service: 17}}, {Number: noOne, Spent: Spent{Service: 10}}}, e.Nodes)
	require.Equal(t, []Part{{Number: 3, Spent: Spent{Service: 47}}}, e.Programs)
}

// TestTimersDoNotExplain: a packet waits for the processor while that serves one that a timer
// has sent again. The path stays with the packet and does not end at the timer.
func TestTimersDoNotExplain(t *testing.T) {
	log := waits.NewLog()
	sender := log.Begin(waits.Actor{Type: waits.Process}, waits.Interval{Resource: waits.CPU})
	timer := log.Begin(waits.Actor{Type: waits.Task, Node: 1}, waits.Interval{Resource: waits.Event, What: waits.Idle})
	again := log.Begin(waits.Actor{Cause: timer}, waits.Interval{Resource: waits.Processor, Begin: 38})
	packet := log.Begin(waits.Actor{Cause: sender}, waits.Interval{Resource: waits.Processor, What: waits.Waiting, Begin: 40})
	log.Hold(waits.Hold{Resource: waits.Processor, Actor: again, Begin: 38, End: 45})
	log.End(again, 45)
	log.Turn(packet, waits.Interval{Resource: waits.Processor, Begin: 45}, 0)
	log.End(packet, 50)
	log.Turn(sender, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 40}, 0)
	log.Turn(sender, waits.Interval{Resource: waits.CPU, Begin: 50}, packet)
	log.Finish(60)
	e := Explain(resolved(t, log), 0)
	require.Equal(t, []Use{{Resource: waits.CPU, Spent: Spent{Service: 50}}, {Resource: waits.Processor, Spent: Spent{Service: 5, Waiting: 5}}}, e.Path)
}

// TestPageBehindALock: who waits for a lock while its holder waits for a page waits for the
// page's home.
func TestPageBehindALock(t *testing.T) {
	log := waits.NewLog()
	thread := func(node int32) waits.ID {
		return log.Begin(waits.Actor{Type: waits.Process, Node: node, Name: "thread"}, waits.Interval{Resource: waits.CPU, Instance: node})
	}
	waiter, holder := thread(1), thread(2)
	home := log.Begin(waits.Actor{Type: waits.Handler, Name: "service"}, waits.Interval{Resource: waits.CPU})
	for _, id := range []waits.ID{waiter, holder} {
		log.Turn(id, waits.Interval{Resource: waits.Event, What: waits.Waiting, Begin: 10}, 0)
	}
	page := log.Begin(waits.Actor{Cause: home, Kind: trace.PageReply}, waits.Interval{Resource: waits.Port, Begin: 30})
	log.End(page, 50)
	log.Turn(holder, waits.Interval{Resource: waits.CPU, Instance: 2, Begin: 50}, page)
	grant := log.Begin(waits.Actor{Cause: holder, Kind: trace.LockGrant, Node: 2}, waits.Interval{Resource: waits.Port, Begin: 60})
	log.End(grant, 65)
	log.Turn(waiter, waits.Interval{Resource: waits.CPU, Instance: 1, Begin: 65}, grant)
	log.Finish(70)
	e := Explain(resolved(t, log), 0)
	f := e.Findings()
	require.Equal(t, "a hot home", f[0].Cause)
	require.Equal(t, 0, *f[0].At)
	require.EqualValues(t, (40+40)/2, 1e6*f[0].CostUs, "both wait from 10 to 50")
}

// TestNothingIsFoundInACall has one message in flight between programs behind kernels, which
// share a processor with them: a kernel wakes the program and then makes room for it.
func TestNothingIsFoundInACall(t *testing.T) {
	log := waits.NewLog()
	var programs, kernels []waits.ID
	for node := range int32(2) {
		programs = append(programs, log.Begin(waits.Actor{Type: waits.Process, Node: node, Name: "program"}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node}))
		kernels = append(kernels, log.Begin(waits.Actor{Type: waits.Handler, Node: node, Name: "kernel"}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: node}))
	}
	at := int64(0)
	log.Turn(programs[0], waits.Interval{Resource: waits.CPU}, 0)
	for i := range 20 {
		from, to, cpu := i%2, 1-i%2, int32(1-i%2)
		at += 30
		packet := log.Begin(waits.Actor{Cause: programs[from], Kind: trace.Message, Node: int32(from), Peer: cpu}, waits.Interval{Resource: waits.Port, Begin: at})
		log.Turn(programs[from], waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: int32(from), Begin: at}, 0)
		at += 100
		log.End(packet, at)
		log.Turn(kernels[to], waits.Interval{Resource: waits.CPU, What: waits.Idle, Instance: cpu, Begin: at}, packet)
		log.Turn(kernels[to], waits.Interval{Resource: waits.CPU, Instance: cpu, Begin: at + 25}, 0)
		log.Turn(programs[to], waits.Interval{Resource: waits.CPU, What: waits.Waiting, Instance: cpu, Begin: at + 40}, kernels[to])
		log.Hold(waits.Hold{Resource: waits.CPU, Instance: cpu, Actor: kernels[to], Begin: at + 25, End: at + 55})
		at += 55
		log.Turn(kernels[to], waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: cpu, Begin: at}, 0)
		log.Turn(programs[to], waits.Interval{Resource: waits.CPU, Instance: cpu, Begin: at}, 0)
	}
	log.Finish(at + 30)
	for _, f := range Explain(resolved(t, log), 0).Findings() {
		require.Fail(t, f.Text)
	}
}

// TestSumsOfLines: the waiting for a resource has the same sums in lines as cut by all holders.
func TestSumsOfLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := waits.NewLog()
		n := rapid.IntRange(2, 12).Draw(t, "packets")
		free := make([]int64, 2) // when the ports are
		for range n {
			at := rapid.Int64Range(0, 40).Draw(t, "at")
			port := int32(rapid.IntRange(0, 1).Draw(t, "port"))
			id := l.Begin(waits.Actor{Peer: int32(rapid.IntRange(0, 2).Draw(t, "peer")), Kind: trace.Kind(rapid.IntRange(1, 2).Draw(t, "kind"))},
				waits.Interval{Resource: waits.Port, What: waits.Waiting, Instance: port, Line: true, Begin: at})
			begin := max(at, free[port]) + rapid.Int64Range(0, 3).Draw(t, "gap")
			end := begin + rapid.Int64Range(1, 9).Draw(t, "length")
			l.Turn(id, waits.Interval{Resource: waits.Port, Instance: port, Begin: begin}, 0)
			l.Hold(waits.Hold{Resource: waits.Port, Instance: port, Actor: id, Begin: begin, End: end})
			l.End(id, end)
			free[port] = end
		}
		from, to := rapid.Int64Range(0, 20).Draw(t, "from"), rapid.Int64Range(20, 80).Draw(t, "to")
		sums := func() Queue {
			a, err := account.Resolve(l)
			require.NoError(t, err)
			g := graph.New(a)
			y := &tally{Crowd: account.NewCrowd(a), owner: g.Owner, outliers: newOutliers(g, to-from), portions: &portions{along: newAlong(account.NewCrowd(a)), sums: map[Sort]*Portion{}}, chains: account.Tracer{Account: a}}
			y.all(from, to)
			q, _ := y.queue(waits.Port)
			require.Equal(t, q.Waited, y.waited)
			require.Equal(t, q.Waited-q.Unknown, y.known)
			return q
		}
		lines := sums()
		through := int64(0)
		for _, x := range lines.Through {
			require.Equal(t, x.At, x.Port) // nothing halts these
			through += x.Waited
		}
		require.Equal(t, lines.Waited-lines.Unknown, through)
		lines.Through = nil // told of lines only
		for i := range l.Intervals {
			l.Intervals[i].Line = false
		}
		require.Equal(t, sums(), lines)
	})
}

// TestRefusedPacketsDecide: a packet that waits for a port behind one that is refused waits for
// the receive ring.
func TestRefusedPacketsDecide(t *testing.T) {
	log := waits.NewLog()
	packet := func(first waits.Interval) waits.ID { return log.Begin(waits.Actor{Peer: 1}, first) }
	full := packet(waits.Interval{Resource: waits.HostDMA, Instance: 1})
	head := packet(waits.Interval{Resource: waits.Ring, Instance: 1, What: waits.Waiting, Begin: 1})
	behind := packet(waits.Interval{Resource: waits.Port, Instance: 7, What: waits.Waiting, Begin: 2})
	log.Hold(waits.Hold{Resource: waits.Port, Instance: 7, Actor: head, End: 15})
	log.End(full, 10)
	log.Turn(head, waits.Interval{Resource: waits.Port, Instance: 7, Begin: 10}, full)
	log.End(head, 15)
	log.Turn(behind, waits.Interval{Resource: waits.Port, Instance: 7, Begin: 15}, 0)
	log.End(behind, 20)
	reader := log.Begin(waits.Actor{Type: waits.Process, Node: 1}, waits.Interval{Resource: waits.Event, What: waits.Waiting})
	log.Turn(reader, waits.Interval{Resource: waits.CPU, Begin: 20}, behind)
	log.End(reader, 25)
	e := Explain(resolved(t, log), 0)
	require.Len(t, e.Queues, 2)
	require.Equal(t, waits.Ring, e.Queues[0].Resource)
	require.EqualValues(t, 9+8, e.Queues[0].Waited, "the head and the one behind it")
	require.EqualValues(t, 8, e.Queues[0].OnPath, "since the one behind waits")
	require.Equal(t, 1, e.Queues[0].At[0].Node)
	require.Equal(t, waits.Port, e.Queues[1].Resource)
	require.EqualValues(t, 5, e.Queues[1].Waited, "while the head passes")
}

// resolved returns the graph of a log.
func resolved(t require.TestingT, log *waits.Log) *graph.Graph {
	a, err := account.Resolve(log)
	require.NoError(t, err)
	return graph.New(a)
}

// TestDifferenceSumsUp: the shifts between any two runs sum to the difference of their lengths, and there is none between
// a run and itself.
func TestDifferenceSumsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		explained := func() *Explanation { return Explain(resolved(t, synth.RandomLog(t)), 0) }
		a, b := explained(), explained()
		require.Empty(t, Differ(a.Split(), a.Split()).Shifts)
		d, sum := Differ(a.Split(), b.Split()), int64(0)
		for _, s := range d.Shifts {
			sum += s.Diff()
		}
		require.Equal(t, b.Length()-a.Length(), sum)
		require.Contains(t, d.String(), "The critical path is ")
	})
}

// TestBusyLink: a link on whose service the run time rests is named by the node at its end to which all packets on it go.
func TestBusyLink(t *testing.T) {
	for _, c := range []struct {
		peers [3]int32
		node  int
		text  string
	}{{[3]int32{3, 3, 3}, 3, "The run waits for the link into node 3 at work"}, {[3]int32{3, 4, 3}, -1, ""}} {
		log := waits.NewLog()
		last := waits.ID(0)
		for k := range int64(6) {
			from := int32(k % 3)
			process := log.Begin(waits.Actor{Type: waits.Process, Node: from}, waits.Interval{Resource: waits.CPU, Instance: from})
			log.End(process, 1)
			packet := log.Begin(waits.Actor{Cause: process, Node: from, Peer: c.peers[from], Begin: 1}, waits.Interval{Resource: waits.Port, Instance: 9, What: waits.Waiting, Begin: 1})
			log.Turn(packet, waits.Interval{Resource: waits.Port, Instance: 9, Begin: 2 + 10*k}, last)
			log.Hold(waits.Hold{Resource: waits.Port, Instance: 9, Actor: packet, Begin: 2 + 10*k, End: 12 + 10*k})
			log.End(packet, 12+10*k)
			last = packet
		}
		receiver := log.Begin(waits.Actor{Type: waits.Process, Node: 3}, waits.Interval{Resource: waits.Event, What: waits.Waiting, Instance: 3})
		log.Turn(receiver, waits.Interval{Resource: waits.CPU, Instance: 3, Begin: 62}, last)
		log.End(receiver, 64)
		found := Explain(resolved(t, log), 0).Findings()
		i := slices.IndexFunc(found, func(f Finding) bool { return f.Cause == "a busy link" })
		if c.node < 0 {
			require.Negative(t, i)
			continue
		}
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, c.node, *found[i].At)
		require.Contains(t, found[i].Text, c.text)
	}
}

// TestToldWhateverItCosts: losses without a place are a finding although the critical path has none of them, and so is a ring that is full
// for much of it.
func TestToldWhateverItCosts(t *testing.T) {
	e := Explain(resolved(t, echo(synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4})), 0)
	e.Outliers, e.States, e.Busy = nil, nil, nil
	e.Queues = []Queue{{Resource: waits.Timer, Waited: e.Length()}}
	f := e.Findings()
	require.Len(t, f, 1)
	require.Contains(t, f[0].Text, "Packets lost and sent again after a timeout: at most 0 ns")
	e.Queues[0].Waited = e.Length() / 200
	require.Empty(t, e.Findings())

	for path, told := range map[int64]int{e.Length() / 3: 1, e.Length() / 5: 0} {
		e.Queues = []Queue{{Resource: waits.Ring, Waited: e.Length(), OnPath: path}}
		require.Len(t, e.Findings(), told, "a ring that is full, without which a replay saves nothing")
	}
}
