package measure

import (
	"fmt"
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
	kneePoints   = 16   // measured where the cost begins to rise
	longStore    = 4096 // bytes of the longest store whose signature is measured
	// signatureSteps are those that are reported: no delay, and four delays.
	signatureSteps = 5
)

// Asked is who asks whom for what: between two nodes if it says no more.
type Asked struct {
	Pattern microbench.Pattern
	Peers   int // 0: one
	What    microbench.Operation
	Bytes   int
}

// Requests is a cluster whose nodes ask and answer.
type Requests struct {
	*Subject
	*cluster.Cluster
	Asked Asked
	Asks  *microbench.Requests
}

// Ask sets up a cluster whose nodes have asked and answered before.
func (s *Subject) Ask(a Asked) (*Requests, error) {
	a.Peers = max(1, a.Peers)
	nodes, k := 2, 0
	switch a.Pattern {
	case microbench.AllPairs:
		nodes = 2 * a.Peers
	case microbench.OneToMany, microbench.ManyToOne:
		nodes, k = 1+a.Peers, a.Peers
	}
	c, err := s.Cluster(nodes)
	if err != nil {
		return nil, err
	}
	r := &Requests{Subject: s, Cluster: c, Asked: a}
	if r.Asks, err = c.Requests(a.Pattern, k, a.Bytes); err == nil {
		for _, err = range r.Asks.Costs(r.Asked.Burst(warmBurst, 0)) { // buffers and tables have been used
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

// Stores are stores of n bytes between two nodes.
func Stores(n int) Asked { return Asked{What: microbench.Store, Bytes: n} }

// Burst is one of m with a pause behind each, µs.
func (a Asked) Burst(m int, deltaUs float64) microbench.Burst {
	return microbench.Burst{M: m, Spin: sim.Microseconds(deltaUs), Operation: a.What, Bytes: a.Bytes}
}

// Signature measures the parameters of small messages, and stores of the sizes
// asked for.
func (s *Subject) Signature(out *bench.LogP) error {
	sig, found, err := s.FindSignature(Asked{Pattern: s.Pattern, Peers: s.Peers})
	if err != nil {
		return err
	}
	out.Parameters, out.Idle = found.Params, found.Idle
	out.Points, out.Curves, out.Residuals = sig.Points, found.Curves, found.Residuals
	out.Warnings = append(out.Warnings, found.Warnings...)
	if s.hasRatio() {
		_, single, err := s.FindSignature(Asked{Pattern: microbench.OneToOne, Peers: 1})
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

// Steps is how many measurements Signature reports as done.
func (s *Subject) Steps() int {
	n := len(s.Sizes) + signatureSteps
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

// FindSignature measures as one would by hand: first without delay, then with
// one as long as the gap, and with what follows from both more around the idle
// time.
func (s *Subject) FindSignature(a Asked) (logp.Signature, logp.Result, error) {
	var sig logp.Signature
	r, err := s.Ask(a)
	if err != nil {
		return sig, logp.Result{}, err
	}
	defer r.Engine.Close()
	watch := s.observe(r.Cluster)
	if sig.RTT, err = s.Mean(r.Asks.Trips(a.What, a.Bytes)); err != nil {
		return sig, logp.Result{}, err
	}
	if s.seen == nil && a.What == microbench.Ask { // the first time: a pair that a pattern is compared with comes later
		if s.seen, err = watch.stages(); err != nil {
			return sig, logp.Result{}, err
		}
	}
	if err := r.Plain(&sig); err != nil {
		return sig, logp.Result{}, err
	}
	s.Done("no delay")
	gap := Round(sig.Points[len(sig.Points)-1].Cost.Value)
	long, err := r.curve(gap)
	if err != nil {
		return sig, logp.Result{}, err
	}
	s.Done("delayed")
	sig.Points = append(sig.Points, long...)
	idle := sig.Extract().Idle
	more := delays(gap, idle)
	curves := make([][]logp.Point, len(more))
	err = Parallel(s.Ctx, len(more), func(i int) error {
		fresh, err := s.Ask(a)
		if err != nil {
			return err
		}
		defer fresh.Engine.Close()
		curves[i], err = fresh.curve(more[i])
		s.Done("delayed")
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
func (r *Requests) beyond(sig *logp.Signature) (logp.Result, error) {
	found := sig.Extract()
	plain := sig.Points[0]
	for _, p := range sig.Points {
		if p.DeltaUs == 0 && p.M > plain.M {
			plain = p
		}
	}
	add := func(m int, deltaUs float64) (logp.Point, error) {
		p, err := r.Point(m, deltaUs)
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
		if us = Round(us); len(taken) < signatureSteps-1 && !slices.Contains(taken, us) {
			taken = append(taken, us)
		}
	}
	return taken[1:]
}

// Plain measures the curve without delay until it settles, then bursts
// between the two where the cost begins to rise.
func (r *Requests) Plain(sig *logp.Signature) error {
	points, err := r.curve(0)
	if err != nil {
		return err
	}
	found := func() logp.Curve { return logp.Signature{Points: points}.Extract().Curves[0] }
	last := points[len(points)-1]
	for m := 2 * longBurst; m <= longestBurst && !settled(found().AsymptoteUs, last.Cost); m *= 2 {
		if last, err = r.Point(m, 0); err != nil {
			return err
		}
		points = append(points, last)
	}
	knee := found().Knee
	step := max(1, (knee.To-knee.From)/kneePoints)
	for m := knee.From + step; m < knee.To; m += step {
		p, err := r.Point(m, 0)
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
func (r *Requests) curve(deltaUs float64) ([]logp.Point, error) {
	var out []logp.Point
	for m := 1; m <= longBurst; m *= 2 {
		p, err := r.Point(m, deltaUs)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Point measures one point of a signature.
func (r *Requests) Point(m int, deltaUs float64) (logp.Point, error) {
	cost, err := r.Mean(r.Asks.Costs(r.Asked.Burst(m, deltaUs)))
	if err != nil {
		return logp.Point{}, fmt.Errorf("bursts of %d, delay %g µs: %w", m, deltaUs, err)
	}
	return logp.Point{M: m, DeltaUs: deltaUs, Cost: cost}, nil
}

// bulk measures stores of the sizes asked for: the time of one with its reply,
// what it costs the sender (logp, section 4), and the signature of short ones.
func (s *Subject) bulk(out *bench.LogP) error {
	sizes := s.Sizes
	if len(sizes) == 0 {
		return nil
	}
	points := make(logp.Bulk, len(sizes))
	found := make([]bench.Size, len(sizes))
	err := Parallel(s.Ctx, len(sizes), func(i int) error {
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
		size.SizeBytes, size.Bulk = z.SizeBytes, &z.BulkFigures
		out.Sizes = append(out.Sizes, size)
	}
	if len(sizes) > 1 {
		out.Bulk = &b.Lines
	}
	out.Warnings = slices.Concat(out.Warnings, sizeWarnings(out.Sizes), b.Warnings)
	return nil
}

// store measures stores of n bytes.
func (s *Subject) store(n int, out *bench.Size) (logp.BulkPoint, error) {
	a := Stores(n)
	p, err := s.StoreTimes(n)
	if err != nil {
		return p, err
	}
	s.Done(fmt.Sprintf("%d B", n))
	if n > longStore {
		return p, nil
	}
	sig, x, err := s.FindSignature(a)
	if err != nil {
		return p, err
	}
	out.Params, out.Idle, out.Points, out.Curves, out.Warnings = &x.Params, &x.Idle, sig.Points, x.Curves, x.Warnings
	return p, nil
}

// StoreTimes measures the time of a store of n bytes with its reply, and what
// it costs the sender.
func (s *Subject) StoreTimes(n int) (logp.BulkPoint, error) {
	p := logp.BulkPoint{SizeBytes: n}
	r, err := s.Ask(Stores(n))
	if err != nil {
		return p, err
	}
	defer r.Engine.Close()
	if p.T, err = s.Mean(r.Asks.Trips(microbench.Store, n)); err != nil {
		return p, err
	}
	p.O, err = s.Mean(r.Asks.Costs(r.Asked.Burst(1, 0)))
	return p, err
}
