package ni_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// crowd lets an event of every source happen on node 1 while a handler of
// 1000 cycles runs there, the ones that are served last first. It returns the
// node's calls after that handler, and its end.
func crowd(t *testing.T, s setup) (calls []noted, end sim.Time) {
	r := newRig(t, s)
	n, p := r.nics[1], r.progs[1]
	service := &clockService{program: p}
	n.Serve(service)
	const long = 1000
	begun := false
	p.on("timer", func() {
		if begun {
			return
		}
		begun = true
		n.HostDMA(&ni.DMA{Dir: ni.ToNI, Bytes: 100, Arg: 3})
		n.Send(r.packet(1, trace.Data, 100), &ni.Record{})
		n.Spend(long)
		end = n.Now()
		now := r.engine.Now()
		r.inject(0, trace.Ack, 16, now.Add(2*us))
		r.at(now.Add(3500*ns), func() { n.Post() })
		n.SetTimer(now.Add(4 * us))
		r.inject(0, trace.Data, 16, now.Add(4500*ns))
		n.SetServiceTimer(now.Add(5 * us))
		r.inject(0, trace.ClockQuery, 16, now.Add(6*us))
	})
	n.SetTimer(sim.Time(10 * us))
	r.run(t)
	return p.log[1:], end
}

func names(calls []noted) (out []string) {
	for _, c := range calls {
		out = append(out, c.what)
	}
	return out
}

// TestPriorities has every source pending at once.
func TestPriorities(t *testing.T) {
	calls, _ := crowd(t, setup{})
	require.Equal(t, []string{"service", "due", "hostdone", "sent", "received", "request", "timer", "control"}, names(calls))
	calls, _ = crowd(t, setup{card: func(s *ni.Spec) { s.Loop.ClockFirst = false }})
	require.Equal(t, []string{"due", "hostdone", "sent", "received", "service", "request", "timer", "control"}, names(calls))
}

// TestTurns: arrivals that go on coming keep requests back, unless the loop
// takes one between two of them.
func TestTurns(t *testing.T) {
	for turns, want := range map[bool][]string{
		false: {"timer", "received", "received", "received", "request", "request"},
		true:  {"timer", "received", "request", "received", "request", "received"},
	} {
		r := newRig(t, setup{card: func(s *ni.Spec) { s.Loop.TakeTurns = turns }})
		n, p := r.nics[0], r.progs[0]
		p.takes("timer", 2000)
		n.SetTimer(sim.Time(us))
		r.at(sim.Time(3*us), func() { n.Post(); n.Post() })
		for i := range 3 {
			r.inject(1, trace.Data, 16, sim.Time(us).Add(sim.Duration(5+i)*us))
		}
		r.run(t)
		require.Equal(t, want, p.calls(), "turns %t", turns)
	}
}

// TestControlWhenCrowded: control packets come last, but before requests once
// they fill more than half of the receive ring.
func TestControlWhenCrowded(t *testing.T) {
	for arrive, want := range map[int][]string{
		2: {"timer", "request", "request", "control", "control"},
		3: {"timer", "control", "request", "request", "control", "control"},
	} {
		r := newRig(t, setup{})
		n, p := r.nics[0], r.progs[0]
		p.takes("timer", 2000)
		n.SetTimer(sim.Time(us))
		r.at(sim.Time(3*us), func() { n.Post(); n.Post() })
		for i := range arrive {
			r.inject(1, trace.Ack, 16, sim.Time(us).Add(sim.Duration(5+i)*us))
		}
		r.run(t)
		require.Equal(t, want, p.calls(), "%d packets in a ring of 4", arrive)
	}
}

// TestNonPreemption: what happens during a handler is noticed at its end, and
// each of several events waits for exactly the handlers before its own.
func TestNonPreemption(t *testing.T) {
	calls, end := crowd(t, setup{})
	source := map[string]int{"service": 0, "due": 1, "hostdone": 2, "sent": 3, "received": 4, "request": 5, "timer": 6, "control": 7}
	free := end
	for _, c := range calls {
		require.Equal(t, free, c.look, c.what)
		tests := source[c.what] + 1
		require.Equal(t, c.look.Add(sim.Duration(tests)*test), c.at, c.what)
		free = c.at // these handlers take no time of their own
	}
}

// TestInlineChecks: with checks, an observation is late by less than the
// distance of two; without, it is as late as the service.
func TestInlineChecks(t *testing.T) {
	happened := func(calls []noted, end sim.Time) map[string]sim.Time {
		begin := end.Add(-1000*cycle - 5*cycle - 7*cycle) // the two engines are started first
		return map[string]sim.Time{
			"service":  begin.Add(6 * us),
			"hostdone": begin.Add(5*cycle + 1*us + 1*us), // set-up, 100 B
			"sent":     begin.Add(5*cycle + 7*cycle + 1*us),
		}
	}
	calls, end := crowd(t, setup{})
	for what, really := range happened(calls, end) {
		i := slices.IndexFunc(calls, func(c noted) bool { return c.what == what })
		late := calls[i].seen.Sub(really)
		require.GreaterOrEqual(t, late, sim.Duration(0), what)
		require.Less(t, late, check, what)
		require.Zero(t, end.Sub(calls[i].seen)%check, "%s: %v is no check of the handler", what, calls[i].seen)
	}
	calls, end = crowd(t, setup{card: func(s *ni.Spec) { s.Loop.InlineChecks = false }})
	for what, really := range happened(calls, end) {
		i := slices.IndexFunc(calls, func(c noted) bool { return c.what == what })
		require.Equal(t, calls[i].at, calls[i].seen, what)
		require.Greater(t, calls[i].seen, really.Add(check), what)
	}
}

// TestStampOfWhatWaits: an event that has waited since before a handler began
// is seen by that handler's first check.
func TestStampOfWhatWaits(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	n.Serve(&clockService{program: p})
	p.takes("due", 500)
	p.on("timer", func() {
		n.HostDMA(&ni.DMA{Bytes: 100})
		begins := n.Now() // 2 µs from here the DMA ends: just before, the service is due
		n.SetServiceTimer(begins.Add(2*us + 5*cycle - 1*ns))
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	due, done := p.first(t, "due"), p.first(t, "hostdone")
	require.Less(t, p.moved[0].look, due.look, "the DMA ends before the loop looks")
	require.Equal(t, due.look.Add(check), done.seen)
}

// TestNoticeJitter: an idle loop is somewhere in its turn. Whichever source has an
// event, its handler begins after what is left until its test, and the test.
func TestNoticeJitter(t *testing.T) {
	sources := map[string]func(r *rig, at sim.Time){
		"request":  func(r *rig, at sim.Time) { r.at(at, func() { r.nics[0].Post() }) },
		"timer":    func(r *rig, at sim.Time) { r.at(at.Add(-us), func() { r.nics[0].SetTimer(at) }) },
		"received": func(r *rig, at sim.Time) { r.inject(1, trace.Data, 16, at) },
		"control":  func(r *rig, at sim.Time) { r.inject(1, trace.Ack, 16, at) },
	}
	delays := func(seed uint64, event func(*rig, sim.Time)) (out []sim.Duration) {
		r := newRig(t, setup{seed: seed})
		var due []sim.Time
		for i := range 400 {
			due = append(due, sim.Time(i+1)*sim.Time(10*us))
			event(r, due[i])
		}
		r.run(t)
		require.Len(t, r.progs[0].calls(), len(due))
		for i, c := range r.progs[0].log {
			out = append(out, c.at.Sub(due[i]))
		}
		return out
	}
	for what, event := range sources {
		d := delays(1, event)
		lo, hi := slices.Min(d), slices.Max(d)
		require.GreaterOrEqual(t, lo, test, what)
		require.Less(t, hi, test+loopTime, what)
		require.Less(t, lo, test+loopTime/20, "%s: the whole turn is used", what)
		require.Greater(t, hi, test+loopTime*19/20, what)
		require.Equal(t, d, delays(1, event), what)
		require.NotEqual(t, d, delays(2, event), what)
	}
}

// TestPostSees: T1 is when the loop, or a check, first sees a request.
func TestPostSees(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	p.takes("timer", 1000)
	var idle, busy sim.Time
	r.at(sim.Time(us), func() { idle = n.Post().Seen })
	n.SetTimer(sim.Time(10 * us))
	posted := sim.Time(15 * us)
	r.at(posted, func() { busy = n.Post().Seen })
	r.run(t)
	require.Equal(t, []string{"request", "timer", "request"}, p.calls())
	require.Equal(t, p.log[0].look, idle)
	require.GreaterOrEqual(t, busy, posted)
	require.Less(t, busy, posted.Add(check))
	require.Equal(t, 1, n.Stats().RequestsMax)
}

// TestNotReady: requests wait for a program that is not ready, and a program
// that stops being ready while another source is served is not given one.
func TestNotReady(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	p.ready = false
	r.at(sim.Time(us), func() { n.Post(); n.Post() })
	r.run(t)
	require.Empty(t, p.log)
	require.Equal(t, 2, n.Requests())

	p.on("timer", func() { p.ready = true })
	p.on("request", func() { p.ready = n.Requests() == 1 })
	n.SetTimer(sim.Time(10 * us))
	r.run(t)
	require.Equal(t, []string{"timer", "request", "request"}, p.calls())

	r = newRig(t, setup{})
	n, p = r.nics[0], r.progs[0]
	p.takes("timer", 1000)
	p.on("hostdone", func() { p.ready = false })
	p.on("timer", func() {
		n.HostDMA(&ni.DMA{Bytes: 8})
		r.at(r.engine.Now().Add(5*us), func() { n.Post() })
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, []string{"timer", "hostdone"}, p.calls())
}

// TestTimers: arming again replaces, also what has expired and was not
// noticed yet; the two timers are independent.
func TestTimers(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	n.Serve(&clockService{program: p})
	n.SetTimer(sim.Time(5 * us))
	n.SetTimer(sim.Time(20 * us))
	n.SetServiceTimer(sim.Time(30 * us))
	n.SetServiceTimer(sim.Time(10 * us))
	r.run(t)
	require.Equal(t, []string{"due", "timer"}, p.calls())
	require.GreaterOrEqual(t, p.log[0].look, sim.Time(10*us))
	require.GreaterOrEqual(t, p.log[1].look, sim.Time(20*us))
	require.Less(t, p.log[1].look, sim.Time(21*us))

	r = newRig(t, setup{})
	n, p = r.nics[0], r.progs[0]
	p.takes("request", 1000)
	p.on("request", func() {
		r.at(r.engine.Now().Add(5*us), func() { n.SetTimer(sim.Time(100 * us)) })
	})
	n.SetTimer(sim.Time(3 * us)) // expires while the request is handled
	r.at(sim.Time(us), func() { n.Post() })
	r.run(t)
	require.Equal(t, []string{"request", "timer"}, p.calls())
	require.GreaterOrEqual(t, p.log[1].look, sim.Time(100*us))
}

// TestIdle: deferred work is done when nothing else waits, one piece at a
// time, and not while a brief packet is being inserted.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes int
		waits bool
	}{{"brief", 200, true}, {"long", 2000, false}} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, setup{})
			n, p := r.nics[0], r.progs[0]
			d := &probe{program: p, each: 10}
			n.Attach(d)
			var sent sim.Time
			p.on("timer", func() {
				d.pieces = 3
				n.Send(r.packet(0, trace.Data, c.bytes), &ni.Record{})
				sent = n.Now().Add(sim.MBps(100).Time(c.bytes))
				r.at(r.engine.Now().Add(300*ns), func() { n.Post() })
			})
			// The loop looks at a request that the program is not ready for any
			// more, so it has nothing else to do.
			p.on("request", func() {
				r.at(r.engine.Now().Add(100*ns), func() {
					n.Post()
					p.ready = false
				})
			})
			n.SetTimer(sim.Time(us))
			r.run(t)
			require.Equal(t, 1, n.Requests())
			require.Len(t, d.idle, 3)
			require.Equal(t, 1, d.injecting)
			if c.waits {
				require.Equal(t, []string{"timer", "request", "sent", "idle", "idle", "idle"}, p.calls())
				require.Greater(t, d.idle[0], sent)
			} else {
				require.Less(t, d.idle[0], sent)
				require.Equal(t, "sent", p.log[len(p.log)-1].what)
			}
		})
	}
}

// TestControlYields: a control packet waits for the end of a short insertion, but
// not of a long one, and not if packets fill half of the receive ring.
func TestControlYields(t *testing.T) {
	for _, c := range []struct {
		bytes, buffers int
		first          string
	}{{200, 8, "sent"}, {2000, 8, "control"}, {200, 1, "control"}} {
		r := newRig(t, setup{card: func(s *ni.Spec) { s.ReceiveBuffers = c.buffers }})
		n, p := r.nics[0], r.progs[0]
		p.on("timer", func() { n.Send(r.packet(0, trace.Data, c.bytes), &ni.Record{}) })
		n.SetTimer(sim.Time(2 * us))
		r.inject(1, trace.Ack, 16, sim.Time(2500*ns))
		r.run(t)
		require.Equal(t, []string{"timer", c.first}, p.calls()[:2], "%+v", c)
	}
}

// TestKeep: what a program spends on a packet follows the start of the S engine,
// also of a packet that has waited for it.
func TestKeep(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	var spent [2]sim.Duration
	p.on("timer", func() {
		for i := range spent {
			before := n.Now()
			n.Send(r.packet(0, trace.Data, 4000), &ni.Record{Keep: 1000})
			spent[i] = n.Now().Sub(before)
		}
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, [2]sim.Duration{(7 + 1000) * cycle, 0}, spent)
	require.Greater(t, n.Stats().Busy, 2*1000*cycle)
}

// TestIdleYields: a request that comes while a piece is done is served next,
// before the other pieces.
func TestIdleYields(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	d := &probe{program: p, each: 100}
	n.Attach(d)
	p.on("timer", func() { d.pieces = 3 })
	posted := false
	p.on("idle", func() {
		if !posted {
			posted = true
			r.at(r.engine.Now().Add(200*ns), func() { n.Post() })
		}
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, []string{"timer", "idle", "request", "idle", "idle"}, p.calls())
}

// TestNilProbe: a card without probe and service works.
func TestNilProbe(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	p.on("request", func() { n.Send(r.packet(0, trace.ClockQuery, 64), &ni.Record{}) })
	r.at(0, func() { n.Post() })
	r.run(t)
	require.Equal(t, []string{"control"}, r.progs[1].calls(), "nobody serves it, so it is the program's")
}

// TestSendIdle: the program hears of the end of its own packets only if it
// asked, or if others wait.
func TestSendIdle(t *testing.T) {
	for _, awaited := range []bool{false, true} {
		r := newRig(t, setup{})
		n, p := r.nics[0], r.progs[0]
		p.on("timer", func() {
			n.Send(r.packet(0, trace.Ack, 16), nil)
			if awaited {
				n.AwaitSend()
			}
		})
		n.SetTimer(sim.Time(us))
		r.run(t)
		if awaited {
			require.Equal(t, []string{"timer", "sendidle"}, p.calls())
		} else {
			require.Equal(t, []string{"timer"}, p.calls())
		}
	}
}

// TestStall: a stalled processor does nothing, and what came meanwhile is
// served afterwards.
func TestStall(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	r.at(sim.Time(us), func() { n.Post() })
	r.at(sim.Time(us)+1, func() { n.Stall(sim.Millisecond) }) // after the look has been scheduled
	n.SetTimer(sim.Time(500 * us))
	r.run(t)
	require.Equal(t, []string{"request", "timer"}, p.calls())
	require.GreaterOrEqual(t, p.log[0].look, sim.Time(us+sim.Millisecond))
}

// TestFreeProcessor: every event finds the loop idle.
func TestFreeProcessor(t *testing.T) {
	r := newRig(t, setup{free: ni.Uncontended{Processor: true}})
	n, p := r.nics[1], r.progs[1]
	d := &probe{program: p, pieces: 0, each: 1000}
	n.Attach(d)
	p.takes("timer", 100000)
	p.on("timer", func() { n.HostDMA(&ni.DMA{Bytes: 100}) })
	n.SetTimer(sim.Time(us))
	r.inject(0, trace.Data, 100, sim.Time(10*us))
	r.at(sim.Time(20*us), func() { n.Post(); n.Post() })
	p.on("request", func() { d.pieces = 2 })
	r.run(t)
	require.Equal(t, []string{"timer", "hostdone", "received", "request", "idle", "idle", "request", "idle", "idle"}, p.calls())
	require.Equal(t, p.log[1].at, p.log[1].seen, "no handler is there to check")
	for _, c := range p.log {
		if c.what == "received" {
			require.Less(t, c.look, sim.Time(11*us), "it does not wait for the timer's handler of 1 ms")
		}
	}
}

// TestResetBeforeLook: a forward reset takes what has been announced to the
// loop.
func TestResetBeforeLook(t *testing.T) {
	for _, free := range []bool{false, true} {
		r := newRig(t, setup{free: ni.Uncontended{Processor: free}})
		n := r.nics[1]
		r.inject(0, trace.Data, 100, sim.Time(10*us))
		r.at(sim.Time(10*us)+1, func() { n.Reset() })
		r.run(t)
		require.Empty(t, r.progs[1].log)
		require.EqualValues(t, 1, n.Stats().Flushed)
		require.Zero(t, r.net.InUse())
	}
}

// TestDiagnostics sums up what happens between the true instants.
func TestDiagnostics(t *testing.T) {
	r := newRig(t, setup{})
	n, p := r.nics[0], r.progs[0]
	var ready, start sim.Time
	p.on("timer", func() {
		ready = n.Now()
		n.Spend(50)
		n.Send(r.packet(0, trace.Data, 100), &ni.Record{Ready: ready})
		start = n.Now()
		n.Send(r.packet(0, trace.Ack, 100), nil)
	})
	n.SetTimer(sim.Time(us))
	r.run(t)
	require.Equal(t, ni.Diagnostics{Sent: 1, FetchToStart: start.Sub(ready)}, n.Stats().Diagnostics)
	require.Equal(t, 57*cycle, start.Sub(ready))
	require.Equal(t, ni.Diagnostics{Arrived: 1, EndToArrival: 10 * ns}, r.nics[1].Stats().Diagnostics)
	require.Positive(t, n.Stats().Busy)
}
