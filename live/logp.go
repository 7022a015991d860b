package live

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Method is a way to measure LogP parameters.
type Method = names.Word[methods]

type methods struct{}

// Words implements names.Enumeration.
func (methods) Words() names.Words { return names.NewWords("method", Sweep, PLogP) }

// The methods.
const (
	Sweep = "sweep" // code fragments for each size
	PLogP = "plogp" // trains and round trips, of sizes that it chooses
)

// LogP measures the parameters of messages over the host's loopback interface, in µs. Messages have no stamps.
// The shortest ones, which stand for empty ones, have the header only. It returns an error if the specification
// is wrong, if a sample fails or if ctx ends.
func LogP(ctx context.Context, spec Spec, method Method, watch Watch) (*bench.LogP, error) {
	spec, err := parametersOf(spec, method)
	if err != nil {
		return nil, err
	}
	setup := Setup{Spec: spec, Mirror: true}
	links, err := connectLoopback(spec.Protocol, newToken(), setup.options())
	if err != nil {
		return nil, err
	}
	self, other := newEnd(0, spec, []*link{nil, links[0]}, func(Batch) {}), newEnd(1, spec, []*link{links[1], nil}, func(Batch) {})
	other.mirror = true
	ctx, fail, end := failing(ctx)
	defer end()
	return reflected(ctx, fail, []Host{ThisHost(loopbackAddress)}, self, other, func(m *mirrored, out *bench.LogP) error {
		return m.measure(spec, method, out, watch)
	})
}

// LogPBetween measures the parameters of messages between this host and a peer, to which connect makes a
// connection. It returns the errors of LogP, and that of a peer that cannot be reached or vanishes.
func LogPBetween(ctx context.Context, spec Spec, method Method, connect func(peers int) ([]Peer, func(), error), watch Watch) (*bench.LogP, error) {
	spec, err := parametersOf(spec, method)
	if err != nil {
		return nil, err
	}
	peers, end, err := connect(1)
	if err != nil {
		return nil, err
	}
	defer end()
	setup := setupWith(spec, peers)
	setup.Mirror = true
	sockets, hosts, ports, err := openAll(setup, peers)
	if err != nil {
		return nil, err
	}
	ctx, fail, over := failing(ctx)
	defer over()
	self, err := connectAll(ctx, sockets, peers, ports, func(Batch) {}, fail)
	if err != nil {
		return nil, err
	}
	return reflected(ctx, fail, hosts, self, peers[0], func(m *mirrored, out *bench.LogP) error {
		return m.measure(spec, method, out, watch)
	})
}

// parametersOf returns the specification of messages by which parameters are measured. It returns an error if
// it has sizes for a method that chooses them.
func parametersOf(spec Spec, method Method) (Spec, error) {
	if err := spec.Validate(); err != nil {
		return spec, err
	}
	if method == PLogP && len(spec.Sizes) > 0 {
		return spec, bounds.Wrong("sizes_bytes", spec.Sizes, "none: the method %s chooses sizes itself", PLogP)
	}
	spec.Pattern = PingPong // node 0 has no thread that receives
	return spec.filled(2)
}

// reflected measures between an end of this process and one that reacts, under a context of failing, and
// stops both.
func reflected(ctx context.Context, fail func(error), hosts []Host, self *End, other Node, measure func(*mirrored, *bench.LogP) error) (*bench.LogP, error) {
	defer context.AfterFunc(ctx, self.Abort)()
	out := &bench.LogP{
		Place: bench.Place{Platform: WordsOf(hosts), Digest: DigestOf(hosts...), Layer: string(self.spec.Protocol)}, Pattern: "pair", Peers: 1, Monitor: "off",
		Sockets: bench.Sockets{Wait: string(self.spec.Wait), CPUs: self.spec.CPUs, BufferKB: bufferKB},
	}
	other.Receive()
	self.thread(func() error {
		m := &mirrored{ctx: ctx, l: self.links[1]}
		if err := other.Drive(ctx, func(int) {}); err != nil {
			return err
		}
		// The first round trips find cold caches and sleeping processors.
		if _, err := m.HalfRTT(warmTrips); err != nil {
			return err
		}
		return measure(m, out)
	})
	self.group.Wait()
	_, theirs := other.Stop()
	counts, ours := self.Stop()
	if err := cmp.Or(ours, theirs); err != nil {
		fail(err)
	}
	for _, c := range counts.TCP {
		out.Sockets.Congestion = c.Congestion
	}
	return out, context.Cause(ctx)
}

// warmTrips are round trips before the first measurement.
const warmTrips = 200

// A loop at a sender has so many messages, after those that fill buffers. A receiver that spins gets no
// more of them, or of bytes, than its buffer holds.
const (
	loopMessages  = 2000
	loopWarm      = 200
	roundsOfRTT   = 200
	mostUnreadOf  = 128 << 10
	timesMeasured = 9
)

// measure measures by a method.
func (m *mirrored) measure(spec Spec, method Method, out *bench.LogP, watch Watch) error {
	if out.Method = string(method); method == PLogP {
		return m.parameterized(out)
	}
	return m.sweep(spec.Sizes, out, watch)
}

// sweep measures each size by code fragments. An error names the size.
func (m *mirrored) sweep(sizes []int64, out *bench.LogP, watch Watch) error {
	var measured []logp.Fragments
	for i, size := range sizes {
		// The loops of one size.
		m.bytes = int(size)
		l := logp.Loops{Ctx: m.ctx, Pair: m, Times: timesMeasured, Accurate: true}
		// One burst is all that a receiver gets: no more than the mirror sends for one message, and than its
		// buffer holds.
		receiver := logp.Loop{Warm: 2, Messages: max(2, min(mostBurst, mostUnreadOf/m.bytes)-2)}
		measured = append(measured, logp.Fragments{
			Style: logp.SendReceive, SizeBytes: m.bytes, HalfRTT: l.HalfRTT(roundsOfRTT),
			Sender: l.Sender(logp.Loop{Warm: loopWarm, Messages: loopMessages}), Receiver: l.Receiver(receiver),
		})
		if l.Err != nil {
			return fmt.Errorf("%d B: %w", size, l.Err)
		}
		watch.report(Progress{Done: int64(i + 1), Total: int64(len(sizes))})
	}
	out.Fragmented(measured)
	return nil
}

// The search for sizes ends at the largest power of two that a message can have. Figures of a real host
// vary by more than a size makes them differ: sizes that lie close tell nothing.
const (
	largestExponent = 15
	longestTrain    = 256 // messages, which the kernel's buffer of a receiver holds
	closestSizes    = 2048
)

// parameterized measures by trains and round trips, of sizes that the search chooses.
func (m *mirrored) parameterized(out *bench.LogP) error {
	search := logp.Published()
	search.Exponent, search.MostExponent, search.LeastStep = largestExponent, largestExponent, closestSizes
	search.MostTrain = longestTrain
	p, err := search.Measure(m, headerBytes)
	if err != nil {
		return err
	}
	out.Searched(search, p)
	return nil
}
