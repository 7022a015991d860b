package measure

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/workloads/microbench"
)

// Burst lengths of a signature are powers of two up to longBurst, and up to
// longestBurst if the cost without delay has not settled before.
const (
	longBurst    = 128
	longestBurst = 1024
	kneePoints   = 16   // burst lengths measured where the cost begins to rise
	longStore    = 4096 // longest store whose signature is measured, bytes
	// signatureSteps are the measurements that a signature reports: without delay and
	// with four delays.
	signatureSteps = 5
	requestWords   = len(comm.Call{}.Args)
)

// LogP measures the parameters by the subject's method and adds them to out.
func (s *Subject) LogP(out *bench.LogP) error {
	switch s.Method {
	case Sweep:
		return s.sweep(out)
	case PLogP:
		return s.parameterized(out)
	}
	return s.signature(out)
}

// signature measures the parameters of small messages, and stores of the sizes
// asked for.
func (s *Subject) signature(out *bench.LogP) error {
	found, err := s.FindSignature(Asked{Pattern: s.Pattern, Peers: s.Peers})
	if err != nil {
		return err
	}
	out.Operation = bench.RequestOf(requestWords)
	out.Parameters, out.Idle = found.Params, found.Idle
	out.Points, out.Curves, out.Residuals = found.Points, found.Curves, append(out.Residuals, found.Residuals...)
	out.Warnings = append(out.Warnings, found.Warnings...)
	if s.hasRatio() {
		single, err := s.FindSignature(Asked{})
		if err != nil {
			return err
		}
		ratio := logp.Ratio("gap ratio", found.G, single.G)
		out.GapRatio, out.OneToOne = &ratio, &single.Params
	}
	if err := s.bulk(out); err != nil {
		return err
	}
	s.agree(out)
	return nil
}

// Steps returns how many measurements LogP reports as done.
func (s *Subject) Steps() int {
	n := len(s.Sizes)
	switch s.Method {
	case Sweep:
		return n
	case PLogP:
		return parameterizedSteps
	}
	n += signatureSteps
	if s.hasRatio() {
		n += signatureSteps
	}
	for _, bytes := range s.Sizes {
		if bytes <= longStore {
			n += signatureSteps
		}
	}
	return n
}

func (s *Subject) hasRatio() bool {
	return s.Pattern == microbench.OneToMany || s.Pattern == microbench.ManyToOne
}

// Found is a signature and the parameters extracted from it.
type Found struct {
	logp.Result
	Points []logp.Point
}

// FindSignature measures a signature: first without delay, then with a delay as long as
// the gap, then with delays around the idle time that follows from these two.
func (s *Subject) FindSignature(a Asked) (Found, error) {
	return Asking(s, a, func(r *Requests) Found {
		watch := s.observe(r.Cluster)
		sig := logp.Signature{RTT: r.RoundTrips()}
		if r.err == nil && s.seen == nil && a.What == microbench.Ask { // not the pair that a pattern is compared with, which is measured later
			s.seen, r.err = watch()
		}
		sig.Points = r.Plain()
		r.done("no delay")
		gap := logp.RoundDelay(sig.Points[len(sig.Points)-1].Cost.Value)
		sig.Points = append(sig.Points, r.curve(gap)...)
		r.done("delayed")
		more := delays(gap, r.extract(sig).Idle)
		curves := make([][]logp.Point, len(more))
		r.err = cmp.Or(r.err, parallel.Each(s.Ctx, len(more), func(i int) (err error) {
			curves[i], err = Asking(s, a, func(fresh *Requests) []logp.Point { return fresh.curve(more[i]) })
			s.Done("delayed")
			return err
		}))
		sig.Points = append(sig.Points, slices.Concat(curves...)...)
		sortPoints(sig.Points)
		return r.beyond(sig)
	})
}

// beyond measures longer bursts without delay if the cost has risen and settled but
// gives no gap: a node with many receivers may send for long before replies keep up.
// It then also lengthens delayed bursts that cost less than the gap.
func (r *Requests) beyond(sig logp.Signature) Found {
	found := r.extract(sig)
	plain := sig.Points[0]
	for _, p := range sig.Points {
		if p.DeltaUs == 0 && p.M > plain.M {
			plain = p
		}
	}
	add := func(m int, deltaUs float64) logp.Point {
		p := r.Point(m, deltaUs)
		sig.Points = append(sig.Points, p)
		sortPoints(sig.Points)
		found = r.extract(sig)
		return p
	}
	if found.Curves[0].Knee.To > 0 && !found.G.OK() {
		for m := 2 * plain.M; m <= longestBurst && !(found.G.OK() && settled(found.G, plain.Cost)); m *= 2 {
			plain = add(m, 0)
		}
	}
	for _, c := range found.Curves[1:] {
		for m := 2 * longBurst; m <= plain.M && c.AsymptoteUs.OK() && c.AsymptoteUs.Value < (1-rise)*found.G.Value; m *= 2 {
			add(m, c.DeltaUs)
		}
	}
	return Found{found, sig.Points}
}

// rise is by how much less than the gap, as a fraction, a delayed message may cost: the
// accuracy that is required of a point (logp, section 3).
const rise = 0.05

// delays returns the delays beside 0 and the gap, µs: below and above the idle
// time if it is known.
func delays(gapUs float64, idle logp.Estimate) []float64 {
	wanted := []float64{gapUs / 4, gapUs / 2, 2 * gapUs, 3 * gapUs}
	if idle.OK() && idle.Value > 0.05*gapUs {
		wanted = []float64{idle.Value / 2, (idle.Value + gapUs) / 2, 2 * gapUs, 3 * gapUs}
	}
	taken := []float64{gapUs}
	for _, us := range wanted {
		if us = logp.RoundDelay(us); len(taken) < signatureSteps-1 && !slices.Contains(taken, us) {
			taken = append(taken, us)
		}
	}
	return taken[1:]
}

// Plain measures the curve without delay until it settles, then the bursts between
// the two lengths where the cost begins to rise.
func (r *Requests) Plain() []logp.Point {
	points := r.curve(0)
	found := func() logp.Curve { return r.extract(logp.Signature{Points: points}).Curves[0] }
	for m := 2 * longBurst; m <= longestBurst && !settled(found().AsymptoteUs, points[len(points)-1].Cost); m *= 2 {
		points = append(points, r.Point(m, 0))
	}
	knee := found().Knee
	step := max(1, (knee.To-knee.From)/kneePoints)
	for m := knee.From + step; m < knee.To; m += step {
		points = append(points, r.Point(m, 0))
	}
	sortPoints(points)
	return points
}

// settled reports whether an asymptote is known to within 1 % and the cost of the
// longest burst is near it.
func settled(e logp.Estimate, last logp.Mean) bool {
	return e.OK() && e.Hi-e.Lo <= 0.02*e.Value && last.Value >= 0.92*e.Value
}

func sortPoints(points []logp.Point) {
	slices.SortStableFunc(points, func(a, b logp.Point) int {
		return cmp.Or(cmp.Compare(a.DeltaUs, b.DeltaUs), a.M-b.M)
	})
}

// curve measures all burst lengths up to longBurst with one delay, µs.
func (r *Requests) curve(deltaUs float64) (out []logp.Point) {
	for m := 1; m <= longBurst; m *= 2 {
		out = append(out, r.Point(m, deltaUs))
	}
	return out
}

// bulk measures stores of the sizes asked for: the time of one with its reply,
// what it costs the sender (logp, section 4), and the signature of short ones.
func (s *Subject) bulk(out *bench.LogP) error {
	sizes := s.Sizes
	if len(sizes) == 0 {
		return nil
	}
	points := make(logp.Bulk, len(sizes))
	found := map[int]*bench.Size{}
	for _, n := range sizes {
		found[int(n)] = &bench.Size{SizeBytes: int(n)}
	}
	err := parallel.Each(s.Ctx, len(sizes), func(i int) (err error) {
		n := int(sizes[i])
		if points[i], err = s.StoreTimes(n); err == nil {
			s.Done(fmt.Sprintf("%d B", n))
			err = s.storeSignature(found[n])
		}
		if err != nil {
			return fmt.Errorf("store of %d B: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b := points.Extract()
	for _, z := range b.Sizes {
		found[z.SizeBytes].Bulk = &z.BulkFigures
		out.Sizes = append(out.Sizes, *found[z.SizeBytes])
	}
	if len(sizes) > 1 {
		out.Bulk = &b.Lines
	}
	out.Warnings = slices.Concat(out.Warnings, bench.SizeWarnings(out.Sizes), b.Warnings)
	return nil
}

// storeSignature measures the signature of stores of a size up to longStore.
func (s *Subject) storeSignature(out *bench.Size) error {
	if out.SizeBytes > longStore {
		return nil
	}
	x, err := s.FindSignature(Stores(out.SizeBytes))
	out.Params, out.Idle, out.Points, out.Curves, out.Warnings = &x.Params, &x.Idle, x.Points, x.Curves, x.Warnings
	return err
}

// StoreTimes measures the time of a store of n bytes until its reply, and its cost
// to the sender.
func (s *Subject) StoreTimes(n int) (logp.BulkPoint, error) {
	return Asking(s, Stores(n), func(r *Requests) logp.BulkPoint {
		return logp.BulkPoint{SizeBytes: n, T: r.RoundTrips(), O: r.Point(1, 0).Cost}
	})
}
