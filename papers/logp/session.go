package logp

import (
	_ "embed"
	"math"
	"sort"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/workloads/microbench"
)

// Names of experiments.
const (
	ofPairs   = "round trips of all pairs of nodes"
	ofBoth    = "signature, and round trips of all pairs"
	signature = "signature"
)

// rows holds the checks, and the results that their sessions share.
type rows struct {
	judge.Rows
	session session
}

// given makes a measure of f with an argument.
func given[T any](r rows, f func(session, T) judge.Measured, arg T) judge.Measure {
	return r.session.measure(func(s session) judge.Measured { return f(s, arg) })
}

// of adds a row that f measures with arg.
func of[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T) {
	r.Of(id, experiment, given(r, f, arg))
}

// versus is of with a counter-experiment: f with another argument.
func versus[T any](r rows, id, experiment string, f func(session, T) judge.Measured, arg T, counter string, other T) {
	r.Versus(id, experiment, given(r, f, arg), counter, given(r, f, other))
}

// under adds a row of unchanged machines. The counter-experiment is f on machines
// with a change.
func (r rows) under(id, experiment string, f func(session) judge.Measured, c change) {
	r.Versus(id, experiment, r.session.measure(f), string(c), r.session.with(c).measure(f))
}

// session is one measurement of machines with a change. An error ends it. It shares
// results with other sessions.
type session struct {
	*judge.Session
	seed   uint64
	known  judge.Memory
	change change
}

// measure makes a measure that calls f in a session.
func (s session) measure(f func(session) judge.Measured) judge.Measure {
	return judge.Run(func(x *judge.Session) judge.Measured {
		s.Session = x
		return f(s)
	})
}

// with returns the session for machines with a change.
func (s session) with(c change) session {
	s.change = c
	return s
}

// usual returns the session for unchanged machines.
func (s session) usual() session { return s.with(unchanged) }

// once returns the result of find on machines with the session's change. It calls find
// once for each key.
func once[V any](s session, find func() V, of ...any) V {
	return judge.Recall(s.known, find, append(of, s.change)...)
}

// statement is a statement about a machine.
type statement func(session, string) judge.Measured

// each makes the statement about every assessed machine.
func (f statement) each(s session) judge.Measured {
	return judge.Each(assessed, func(name string) judge.Measured { return f(s, name) })
}

// subject returns a machine's own layer as the subject of a measurement.
func (s session) subject(name string) *measure.Subject {
	return measure.New(s.Context(), judge.Must(overlays.Place(name, "", string(s.change))), s.seed)
}

// asking runs f on nodes of a machine that send requests and replies.
func asking[T any](s session, name string, q measure.Asked, f func(*measure.Requests) T) T {
	return judge.Must(measure.Asking(s.subject(name), q, f))
}

// calls runs f, which runs programs on a number of nodes of a machine. Stores have at
// most most bytes.
func calls[T any](s session, name string, nodes, most int, f func(*testbed.Calls) T) T {
	spec := testbed.Spec{Platform: name, Overlay: overlays.Of(string(s.change)), Nodes: nodes, Seed: s.seed, Bytes: most, Monitor: "off"}
	return testbeds.Use(s.Session, spec, func(b *testbed.Testbed) (v T) {
		if t := b.Calls(); b.OK() {
			v = f(t)
		}
		return v
	})
}

// requests are small messages between two nodes.
var requests = measure.Asked{}

// signature measures the signature of requests or stores on a machine.
func (s session) signature(name string, q measure.Asked) measure.Found {
	return once(s, func() measure.Found {
		return judge.Must(s.subject(name).FindSignature(q))
	}, "signature", name, q)
}

// figures are the parameters of a signature as numbers, µs.
type figures struct{ os, or, l, g, rtt, idle float64 }

func (f figures) sum() float64 { return f.os + f.or }

// of returns the parameters of requests between two nodes.
func (s session) of(name string) figures { return s.figures(name, requests) }

func (s session) figures(name string, q measure.Asked) figures {
	x := s.signature(name, q)
	known := func(e logp.Estimate) float64 { return s.identified(e, name) }
	return figures{known(x.Os), known(x.Or), known(x.L), known(x.G), known(x.Params.RTT), x.Idle.Value}
}

// identified returns the value of an estimate, in its unit. An estimate without a
// value ends the measurement.
func (s session) identified(e logp.Estimate, of ...any) float64 {
	if !e.OK() {
		s.Fail("%v, %q: %s", of, s.change, e.Reason)
	}
	return e.Value
}

// gap measures g alone, µs, from the curve without delay.
func (s session) gap(name string, q measure.Asked) float64 {
	return once(s, func() float64 {
		points := asking(s, name, q, (*measure.Requests).Plain)
		return s.identified(logp.Signature{Points: points}.Extract().G, name, q)
	}, "gap", name, q)
}

// ratio is the gap of a pattern relative to that of one pair.
func (s session) ratio(name string, p microbench.Pattern, peers int) float64 {
	return s.gap(name, measure.Asked{Pattern: p, Peers: peers}) / s.gap(name, requests)
}

// The steady cost is measured between these burst lengths. Both are far longer than
// what the network holds.
const (
	shortSteady = 256
	longSteady  = 512
)

// steady is the cost of one more message of a long burst with a delay, µs.
func (s session) steady(name string, q measure.Asked, deltaUs float64) float64 {
	return once(s, func() float64 {
		return asking(s, name, q, func(r *measure.Requests) float64 {
			short, long := r.Point(shortSteady, deltaUs), r.Point(longSteady, deltaUs)
			return (float64(longSteady*long.Cost.Value) - float64(shortSteady*short.Cost.Value)) / (longSteady - shortSteady)
		})
	}, "steady", name, q, deltaUs)
}

// lifts is the relative increase at which a steady cost counts as higher.
const lifts = 0.02

// idle returns the longest delay without cost, µs: the delay at which the steady cost
// is slightly higher, less that increase.
func (s session) idle(name string) float64 {
	g := s.steady(name, requests, 0)
	const steps = 2048 // of a delay as long as the gap
	costly := sort.Search(2*steps, func(i int) bool { return s.steady(name, requests, float64(i)/steps*g) > (1+lifts)*g })
	return float64((float64(costly)-0.5)/steps*g) - float64(lifts*g)
}

// roundTrips are the round trips between all pairs of the nodes that the paper measured, µs.
type roundTrips struct{ least, mean, most float64 }

// tripsPerPair is the number of round trips of a pair. They begin at random times, so
// that they arrive at any point of the interfaces' main loops.
const tripsPerPair = 200

func (s session) roundTrips(name string) roundTrips {
	return once(s, func() roundTrips {
		return calls(s, name, testbed.AllNodes, 1, func(t *testbed.Calls) roundTrips {
			out, n := roundTrips{least: math.Inf(1)}, len(t.Nodes)
			for k := range n * n {
				if i, j := k/n, k%n; i != j {
					us := t.RoundTrip(i, j, tripsPerPair)
					out.least, out.most = min(out.least, us), max(out.most, us)
					out.mean += us / float64(n*(n-1))
				}
			}
			return out
		})
	}, "trips", name)
}

// Stores of the rows, bytes.
const (
	shortStore = 8
	pageStore  = 4096
	farStore   = 128 << 10 // the largest of the lines through T(n)
)

// stores measures times and overheads of stores of 8 bytes to most bytes, by powers
// of two.
func (s session) stores(name string, most int) logp.BulkResult {
	return once(s, func() logp.BulkResult {
		var points logp.Bulk
		for n := shortStore; n <= most; n *= 2 {
			points = append(points, judge.Must(s.subject(name).StoreTimes(n)))
		}
		return points.Extract()
	}, "stores", name, most)
}

var value = judge.Value

// figure is a number of a machine, µs where it is a time.
type figure func(session, string) float64

// Parameters of two nodes.
var (
	overheadS figure = func(s session, name string) float64 { return s.of(name).os }
	overheadR figure = func(s session, name string) float64 { return s.of(name).or }
	overheads figure = func(s session, name string) float64 { return s.of(name).sum() }
	latency   figure = func(s session, name string) float64 { return s.of(name).l }
	gap       figure = func(s session, name string) float64 { return s.of(name).g }
	roundTrip figure = func(s session, name string) float64 { return s.roundTrips(name).mean } // of all pairs
	burstRate figure = func(s session, name string) float64 { return 1000 / s.steady(name, requests, 0) }
)

func (f figure) value(s session, name string) judge.Measured { return value(f(s, name), "") }

// excess returns by how many per cent the figure is higher on a machine than on
// another, unchanged one.
func (f figure) excess(s session, name, usual string) float64 {
	return 100 * (f(s, name)/f(s.usual(), usual) - 1)
}

// lifted measures o_s + o_r by a delay that is longer than the idle time.
func lifted(s session, name string) judge.Measured {
	delta := logp.RoundDelay(3 * s.steady(name, requests, 0))
	return value(s.steady(name, requests, delta)-delta, "delay %.3g µs", delta)
}

// longest measures L as the paper does: from the longest round trip.
func longest(s session, name string) judge.Measured {
	t, f := s.roundTrips(name), s.of(name)
	return value(float64(t.most/2)-f.sum(), "from the longest round trip; %.2f from the shortest", float64(t.least/2)-f.sum())
}

// The machines of the LogP assessment (logp, Table 2, sections 3.4 and 5), by
// the names of their profiles.
const (
	paragon   = "paragon"
	meiko     = "meiko"
	meiko50   = "meiko50"
	myrinet   = "myrinet"
	myrinet10 = "myrinet10"
	sunRPC    = "sun-rpc"
)

// assessed are the three machines for which the paper gives all figures.
var assessed = []string{paragon, meiko, myrinet}

// change names an overlay, which removes a mechanism or changes its cost.
type change string

// Overlays that several rows name.
const (
	unchanged    change = ""
	oneToken     change = "one request at a time"
	fourTokens   change = "four requests at a time"
	slowSwitches change = "switches ten times as slow"
	slowLinks    change = "links at a fiftieth of their rate"
	fastWords    change = "words accessed as fast as in memory on the card"
	slowCard     change = "an interface processor at half the clock rate"
	slowLibrary  change = "a library twice as slow"
	uncopied     change = "data fetched from the user's buffer"
	hostRoutes   change = "routes looked up by the host"
	byInterrupt  change = "arrivals handled by interrupt"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/logp/overlays.toml", overlayFile)
