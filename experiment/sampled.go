package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/sampled"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// pace says when a run has sent how many messages. Its memory does not grow with the run.
type pace struct {
	every uint64     // messages from one time to the next
	times []sim.Time // of the messages of numbers 0, every, 2·every and so on
}

// paceTimes is how many times a pace has at most.
const paceTimes = 1 << 16

// note is the edge of a run that is all fast.
func (p *pace) note(sent uint64, now sim.Time) (full bool, next uint64) {
	if len(p.times) == paceTimes {
		for i := range paceTimes / 2 {
			p.times[i] = p.times[2*i]
		}
		p.times = p.times[:paceTimes/2]
		p.every *= 2
	}
	p.times = append(p.times, now)
	return false, sent + p.every
}

// at returns when a message was sent, in ps; between two that were noted on a line.
func (p *pace) at(message uint64) float64 {
	i := message / p.every
	if i+1 >= uint64(len(p.times)) {
		return float64(p.times[len(p.times)-1])
	}
	a, b := float64(p.times[i]), float64(p.times[i+1])
	return a + float64(b-a)*float64(message%p.every)/float64(p.every)
}

// plan says which messages of a run are in full. The run is cut into strata with as many messages each, and each has a
// window somewhere. A window's first part warms up, and is not counted; then come its halves.
type plan struct {
	messages uint64  // of the run
	pairs    int     // of nodes that exchange them
	half     uint64  // messages of a half
	places   []place // of windows
}

// place is where a window is. The length of its warm-up is random: where messages come in trains, the halves would otherwise
// begin at the same place of a train in every window, because the first train begins with the window.
type place struct{ begin, warm uint64 }

const (
	mostWindows  = 32
	leastWindows = 10
	// fill is how many messages a half of a window has at least for each pair of nodes that exchange any, and half a
	// warm-up too: twice as many as the longest ring of a program has slots. Less than a ring is sent in one burst.
	fill = 64
)

// newPlan returns a plan. It has no windows if all messages are to be in full, or are too few for windows.
func newPlan(fraction float64, messages uint64, pairs int, seed uint64) (p plan) {
	inFull := fraction * float64(messages)
	least := float64(4 * fill * pairs)
	windows := min(mostWindows, int(inFull/least))
	if windows < leastWindows || fraction == 1 {
		return p
	}
	each := uint64(inFull / float64(windows))
	p = plan{messages: messages, pairs: pairs, half: each / 4}
	longest := each - 2*p.half
	random := rand.New(rand.NewPCG(seed, messages))
	for i := range uint64(windows) {
		from, to := i*messages/uint64(windows), (i+1)*messages/uint64(windows)
		begin := from + random.Uint64N(max(1, to-from-each))
		p.places = append(p.places, place{begin, longest - random.Uint64N(longest/4)})
	}
	return p
}

// sampling is what is found in the windows of a run.
type sampling struct {
	plan
	fast    *pace
	took    sim.Duration // by the fast run
	cluster *cluster.Cluster

	began   int    // windows that have begun
	inFull  uint64 // messages of windows
	parts   int    // of the window: 0 before its warm-up, 1 in it, 2 and 3 in the halves
	since   sim.Time
	from    uint64
	seen    *histo.Snapshot // at the begin of the half
	windows []analysis.Window
	all     *histo.Snapshot // of all halves together; nil without a monitor
	err     error
}

// edge is that of the run. Without windows all messages are in full.
func (s *sampling) edge(sent uint64, now sim.Time) (full bool, next uint64) {
	for {
		switch s.parts {
		case 0:
			if s.began == len(s.places) {
				return s.began == 0, never
			}
			next := s.places[s.began]
			if sent < next.begin {
				return false, next.begin
			}
			s.began, s.parts = s.began+1, 1
			s.inFull += next.warm + 2*s.half
			return true, sent + next.warm
		case 1:
			s.windows = append(s.windows, analysis.Window{})
		default:
			s.ended(&s.windows[len(s.windows)-1][s.parts-2], sent, now)
		}
		s.parts++
		s.since, s.from = now, sent
		s.seen = s.peek()
		if s.parts < 4 {
			return true, sent + s.half
		}
		s.parts = 0
	}
}

// never is the number of no message.
const never = ^uint64(0)

// peek returns what the monitors have recorded.
func (s *sampling) peek() *histo.Snapshot {
	now, err := s.cluster.Peek()
	if err != nil && s.err == nil {
		s.err = err
	}
	return now
}

// ended notes what a half has been.
func (s *sampling) ended(h *analysis.Half, sent uint64, now sim.Time) {
	h.Ns = float64(now.Sub(s.since)) / float64(sim.Nanosecond)
	h.FastNs = (s.fast.at(sent) - s.fast.at(s.from)) / float64(sim.Nanosecond)
	seen := s.peek()
	if seen == nil || s.err != nil {
		return
	}
	if s.err = seen.Take(s.seen); s.err != nil {
		return
	}
	h.Keep(analysis.Summarize(seen))
	if s.all == nil {
		s.all = seen
	} else {
		s.err = s.all.Add(seen)
	}
}

// whole are the windows that have ended.
func (s *sampling) whole() []analysis.Window { return s.windows[:len(s.windows)-min(1, s.parts/2)] }

// performSampled runs a program on a cluster in windows in full and fast between them. What a window stands for is known
// from a run before, which is all fast. A run of few messages is all in full.
func performSampled(ctx context.Context, spec RunSpec, p *platform.Profile, built cluster.Spec, programs []program, c *costs, watch Watch) (*executed, error) {
	again, _, err := newPrograms(spec, p, built.Nodes)
	if err != nil {
		return nil, err
	}
	pilot := &pace{every: 1}
	built.Fast, built.Sampled = c.Params, sampled.New(pilot.note)
	s := &sampling{fast: pilot}
	look := func(p Progress) { // the tables of a run under way would not say what they are of
		if p.Look = nil; p.Cluster != nil {
			s.cluster = p.Cluster
		}
		watch.Report(p)
	}
	r, err := performOn(ctx, spec, p, built, again, look)
	if err != nil || r.programs[0].wrong != nil {
		return r, err
	}
	s.took = r.programs[0].took
	s.plan = newPlan(spec.Detail.fraction(), built.Sampled.Sent(), built.Sampled.Pairs(), spec.Seed)
	built.Sampled = sampled.New(s.edge)
	if r, err = performOn(ctx, spec, p, built, programs, look); err != nil {
		return nil, err
	}
	r.costs, r.sampling = c, s
	return r, s.err
}

// enter makes the records those of a sampled run.
func (s *sampling) enter(r *collect.Records) error {
	m := &r.Manifest
	if len(s.places) == 0 {
		m.Warnings = append(m.Warnings, "sampled detail: all messages are in full, because all are asked for or they are too few for windows")
		return nil
	}
	windows := s.whole()
	if len(windows) < leastWindows {
		return fmt.Errorf("the run had %d whole windows of %d: in full it sends fewer messages than fast, and cannot be sampled", len(windows), len(s.places))
	}
	times := float64(s.messages) / float64(2*s.half)
	of := analysis.Sample{
		Windows: windows, Fraction: float64(len(windows)) / times, Ends: fill / 2 * float64(s.pairs) / float64(s.messages),
	}
	took := float64(s.took) / float64(sim.Nanosecond)
	more, half := of.MoreNs(times, took)
	ns := func(more float64) int64 { return int64(max(0, took+more)) }
	full := float64(s.inFull) / float64(s.messages)
	m.Sampled = &trace.Sampled{
		Windows: int64(len(windows)), Fraction: full, Messages: int64(s.messages), RunTimeLoNs: ns(more - half), RunTimeHiNs: ns(more + half), FastNs: ns(0),
	}
	m.SimulatedNs = ns(more)
	r.Programs[0].TookNs, r.Programs[0].Shares = m.SimulatedNs, nil
	var packets uint64
	for _, node := range r.Nodes {
		packets += node.Packets
	}
	m.Sampled.Packets = int64(float64(packets) / full)
	m.Warnings = append(m.Warnings, analysis.SampledText(m.Sampled, m.SimulatedNs))
	r.Histograms = s.all
	r.Refine = func(sig *analysis.Signature) { sig.OverWindows(of) }
	return nil
}
