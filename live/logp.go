package live

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/live/stamps"
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

// LogP measures the parameters of messages over the host's loopback interface. Messages have no stamps.
// The shortest ones, which stand for empty ones, have the header only.
func LogP(ctx context.Context, spec Spec, method Method, watch Watch) (*bench.LogP, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if method == PLogP && len(spec.Sizes) > 0 {
		return nil, bounds.Wrong("sizes_bytes", spec.Sizes, "none: the method %s chooses sizes itself", PLogP)
	}
	spec, err := spec.filled(2)
	if err != nil {
		return nil, err
	}
	links, err := connectLoopback(spec.Protocol, newToken(), stamps.Options{Spin: spec.Wait == Spin, Congestion: spec.Congestion, BufferKB: bufferKB})
	if err != nil {
		return nil, err
	}
	ends := []*End{newEnd(0, spec, []*link{nil, links[0]}, func(Batch) {}), newEnd(1, spec, []*link{links[1], nil}, func(Batch) {})}
	ends[1].mirror = true
	ends[1].Receive()
	host := ThisHost(loopbackAddress)
	out := &bench.LogP{
		Place: bench.Place{Platform: host.words(), Digest: digestOf(host), Layer: string(spec.Protocol)}, Method: string(method), Pattern: "pair", Peers: 1,
		Monitor: "off",
	}
	m := &mirrored{ctx: ctx, l: links[0]}
	measure := func() error { return m.sweep(spec.Sizes, out, watch) }
	if method == PLogP {
		measure = func() error { return m.parameterized(out) }
	}
	var failed error
	ends[0].thread(func() error {
		if _, failed = m.HalfRTT(warmTrips); failed == nil {
			failed = measure()
		}
		return nil
	})
	ends[0].group.Wait()
	for _, e := range ends {
		if _, err := e.Stop(); failed == nil {
			failed = err
		}
	}
	return out, failed
}

// warmTrips are round trips before the first measurement.
const warmTrips = 200

// A loop at a sender has so many messages, after those that fill buffers. A receiver that spins gets no
// more of them, or of bytes, than its buffer holds.
const (
	loopMessages  = 2000
	loopWarm      = 200
	roundsOfRTT   = 200
	mostUnread    = 64
	mostUnreadOf  = 128 << 10
	timesMeasured = 9
)

// sweep measures by code fragments.
func (m *mirrored) sweep(sizes []int64, out *bench.LogP, watch Watch) error {
	var measured []logp.Fragments
	for i, size := range sizes {
		m.bytes = int(size)
		l := logp.Loops{Ctx: m.ctx, Pair: m, Times: timesMeasured, Accurate: true}
		receiver := logp.Loop{Warm: 2, Messages: max(2, min(mostUnread, mostUnreadOf/m.bytes)-2)}
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

// parameterized measures by trains and round trips.
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
