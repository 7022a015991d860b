package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// Burst lengths of a signature: powers of two up to longBurst, beyond it up to
// longestBurst as long as the cost without delay has not settled.
const (
	longBurst    = 128
	longestBurst = 1024
	warmBurst    = 8
	kneePoints   = 16   // measured where the cost begins to rise
	longStore    = 4096 // bytes of the longest store whose signature is measured
	// signatureSteps are those that are reported: no delay, and four delays.
	signatureSteps = 5
)

// asked is who asks whom for what.
type asked struct {
	pattern microbench.Pattern
	peers   int
	what    microbench.Operation
	bytes   int
}

// requests is a cluster whose nodes ask and answer.
type requests struct {
	*subject
	*cluster.Cluster
	asked
	asks *microbench.Requests
}

// ask sets up a cluster whose nodes have asked and answered before.
func (s *subject) ask(a asked) (*requests, error) {
	nodes, k := 2, 0
	switch a.pattern {
	case microbench.AllPairs:
		nodes = 2 * a.peers
	case microbench.OneToMany, microbench.ManyToOne:
		nodes, k = 1+a.peers, a.peers
	}
	c, err := s.build(nodes)
	if err != nil {
		return nil, err
	}
	r := &requests{subject: s, Cluster: c, asked: a}
	if r.asks, err = c.Requests(a.pattern, k, a.bytes); err == nil {
		for _, err = range r.asks.Costs(r.burst(warmBurst, 0)) { // buffers and tables have been used
			break
		}
	}
	if err != nil {
		c.Engine.Close()
		return nil, err
	}
	s.start(c)
	return r, nil
}

func (a asked) burst(m int, deltaUs float64) microbench.Burst {
	return microbench.Burst{M: m, Spin: sim.Microseconds(deltaUs), Operation: a.what, Bytes: a.bytes}
}

// signature measures the parameters of small messages, and bulk transfers of
// the sizes asked for.
func (s *subject) signature(out *bench.LogP) error {
	pattern, err := microbench.ParsePattern(s.spec.Pattern)
	if err != nil {
		return err
	}
	sig, found, err := s.findSignature(asked{pattern: pattern, peers: s.peers})
	if err != nil {
		return err
	}
	out.Parameters, out.Idle = found.Params, found.Idle
	out.Points, out.Curves, out.Residuals = sig.Points, found.Curves, found.Residuals
	out.Warnings = append(out.Warnings, found.Warnings...)
	if s.hasRatio() {
		_, single, err := s.findSignature(asked{pattern: microbench.OneToOne, peers: 1})
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
	finish(out)
	return nil
}

func (s *subject) hasRatio() bool {
	return s.spec.Pattern == microbench.OneToMany.String() || s.spec.Pattern == microbench.ManyToOne.String()
}

// findSignature measures as one would by hand: first without delay, then with
// one as long as the gap, and with what follows from both more around the idle
// time.
func (s *subject) findSignature(a asked) (logp.Signature, logp.Result, error) {
	var sig logp.Signature
	r, err := s.ask(a)
	if err != nil {
		return sig, logp.Result{}, err
	}
	defer r.Engine.Close()
	watch := s.observe(r.Cluster)
	if sig.RTT, err = s.mean(r.asks.Trips(a.what, a.bytes)); err != nil {
		return sig, logp.Result{}, err
	}
	if s.seen == nil && a.what == microbench.Ask { // the first time: a pair that a pattern is compared with comes later
		if s.seen, err = watch.stages(); err != nil {
			return sig, logp.Result{}, err
		}
	}
	if err := r.plain(&sig); err != nil {
		return sig, logp.Result{}, err
	}
	s.done("no delay")
	gap := round(sig.Points[len(sig.Points)-1].Cost.Value)
	long, err := r.curve(gap)
	if err != nil {
		return sig, logp.Result{}, err
	}
	s.done("delayed")
	sig.Points = append(sig.Points, long...)
	idle := sig.Extract().Idle
	more := delays(gap, idle)
	curves := make([][]logp.Point, len(more))
	err = parallel(s.ctx, len(more), func(i int) error {
		fresh, err := s.ask(a)
		if err != nil {
			return err
		}
		defer fresh.Engine.Close()
		curves[i], err = fresh.curve(more[i])
		s.done("delayed")
		return err
	})
	if err != nil {
		return sig, logp.Result{}, err
	}
	sig.Points = append(sig.Points, slices.Concat(curves...)...)
	sortPoints(sig.Points)
	found, err := r.beyond(&sig)
	return sig, found, err
}

// beyond measures longer bursts without delay where the cost rose, settled, and
// yet is no gap: one that asks many may go on for long before replies keep up
// with what it sends. Delayed bursts that cost less than the gap become as long.
func (r *requests) beyond(sig *logp.Signature) (logp.Result, error) {
	found := sig.Extract()
	plain := sig.Points[0]
	for _, p := range sig.Points {
		if p.DeltaUs == 0 && p.M > plain.M {
			plain = p
		}
	}
	add := func(m int, deltaUs float64) (logp.Point, error) {
		p, err := r.point(m, deltaUs)
		if err == nil {
			sig.Points = append(sig.Points, p)
			sortPoints(sig.Points)
			found = sig.Extract()
		}
		return p, err
	}
	if found.Curves[0].Knee.To > 0 && !found.G.OK() {
		for m := 2 * plain.M; m <= longestBurst && !(found.G.OK() && settled(found.G, plain.Cost)); m *= 2 {
			var err error
			if plain, err = add(m, 0); err != nil {
				return found, err
			}
		}
	}
	for _, c := range found.Curves[1:] {
		for m := 2 * longBurst; m <= plain.M && c.AsymptoteUs.OK() && c.AsymptoteUs.Value < (1-rise)*found.G.Value; m *= 2 {
			if _, err := add(m, c.DeltaUs); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// rise is how much less than the gap a delayed message may cost: the accuracy
// that is asked of a point (logp, section 3).
const rise = 0.05

// delays are those beside 0 and the gap: below and above the idle time, where
// there is one.
func delays(gapUs float64, idle logp.Estimate) []float64 {
	wanted := []float64{gapUs / 4, gapUs / 2, 2 * gapUs, 3 * gapUs}
	if idle.OK() && idle.Value > 0.05*gapUs {
		wanted = []float64{idle.Value / 2, (idle.Value + gapUs) / 2, 2 * gapUs, 3 * gapUs}
	}
	taken := []float64{gapUs}
	for _, us := range wanted {
		if us = round(us); len(taken) < signatureSteps-1 && !slices.Contains(taken, us) {
			taken = append(taken, us)
		}
	}
	return taken[1:]
}

// round keeps two digits, as one would type a delay.
func round(us float64) float64 {
	if us <= 0 {
		return 0.1
	}
	unit := math.Pow(10, math.Floor(math.Log10(us))-1)
	if unit >= 1 {
		return math.Ceil(us/unit) * unit
	}
	per := math.Round(1 / unit) // a whole number, so that the quotient is the nearest decimal
	return math.Ceil(us*per) / per
}

// plain measures the curve without delay until it settles, then bursts
// between the two where the cost begins to rise.
func (r *requests) plain(sig *logp.Signature) error {
	points, err := r.curve(0)
	if err != nil {
		return err
	}
	found := func() logp.Curve { return logp.Signature{Points: points}.Extract().Curves[0] }
	last := points[len(points)-1]
	for m := 2 * longBurst; m <= longestBurst && !settled(found().AsymptoteUs, last.Cost); m *= 2 {
		if last, err = r.point(m, 0); err != nil {
			return err
		}
		points = append(points, last)
	}
	knee := found().Knee
	step := max(1, (knee.To-knee.From)/kneePoints)
	for m := knee.From + step; m < knee.To; m += step {
		p, err := r.point(m, 0)
		if err != nil {
			return err
		}
		points = append(points, p)
	}
	sortPoints(points)
	sig.Points = points
	return nil
}

// settled reports whether an asymptote is known to a percent, and the longest
// burst is near it.
func settled(e logp.Estimate, last logp.Mean) bool {
	return e.OK() && e.Hi-e.Lo <= 0.02*e.Value && last.Value >= 0.92*e.Value
}

func sortPoints(points []logp.Point) {
	slices.SortStableFunc(points, func(a, b logp.Point) int {
		switch {
		case a.DeltaUs < b.DeltaUs:
			return -1
		case a.DeltaUs > b.DeltaUs:
			return 1
		}
		return a.M - b.M
	})
}

// curve measures all usual burst lengths with one delay.
func (r *requests) curve(deltaUs float64) ([]logp.Point, error) {
	var out []logp.Point
	for m := 1; m <= longBurst; m *= 2 {
		p, err := r.point(m, deltaUs)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (r *requests) point(m int, deltaUs float64) (logp.Point, error) {
	cost, err := r.mean(r.asks.Costs(r.burst(m, deltaUs)))
	if err != nil {
		return logp.Point{}, fmt.Errorf("bursts of %d, delay %g µs: %w", m, deltaUs, err)
	}
	return logp.Point{M: m, DeltaUs: deltaUs, Cost: cost}, nil
}

// bulk measures stores of the sizes asked for: the time of one with its reply,
// what it costs the sender (logp, section 4), and the signature of short ones.
func (s *subject) bulk(out *bench.LogP) error {
	sizes := s.spec.Sizes
	if len(sizes) == 0 {
		return nil
	}
	points := make(logp.Bulk, len(sizes))
	found := make([]bench.Size, len(sizes))
	err := parallel(s.ctx, len(sizes), func(i int) error {
		var err error
		if points[i], err = s.store(int(sizes[i]), &found[i]); err != nil {
			return fmt.Errorf("store of %d B: %w", sizes[i], err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b := points.Extract()
	for _, z := range b.Sizes {
		k := slices.IndexFunc(points, func(p logp.BulkPoint) bool { return p.SizeBytes == z.SizeBytes })
		size := found[k]
		size.SizeBytes, size.Bulk = z.SizeBytes, &bench.Bulk{O: z.O, T: z.T, Bandwidth: z.Bandwidth}
		out.Sizes = append(out.Sizes, size)
	}
	if len(sizes) > 1 {
		out.Bulk = &bench.Lines{T: b.T, O: b.O}
	}
	out.Warnings = slices.Concat(out.Warnings, sizeWarnings(out.Sizes), b.Warnings)
	return nil
}

// store measures stores of n bytes.
func (s *subject) store(n int, out *bench.Size) (logp.BulkPoint, error) {
	p := logp.BulkPoint{SizeBytes: n}
	a := asked{pattern: microbench.OneToOne, peers: 1, what: microbench.Store, bytes: n}
	r, err := s.ask(a)
	if err != nil {
		return p, err
	}
	defer r.Engine.Close()
	if p.T, err = s.mean(r.asks.Trips(a.what, n)); err != nil {
		return p, err
	}
	if p.O, err = s.mean(r.asks.Costs(r.burst(1, 0))); err != nil {
		return p, err
	}
	s.done(fmt.Sprintf("%d B", n))
	if n > longStore {
		return p, nil
	}
	sig, x, err := s.findSignature(a)
	if err != nil {
		return p, err
	}
	out.Params, out.Idle, out.Points, out.Curves, out.Warnings = &x.Params, &x.Idle, sig.Points, x.Curves, x.Warnings
	return p, nil
}
