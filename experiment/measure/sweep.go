package measure

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// sweep measures the parameters of each size on a cluster of its own.
func (s *Subject) sweep(out *bench.LogP) error {
	sizes := s.Sizes
	out.Sizes = make([]bench.Size, len(sizes))
	results := make([]logp.Result, len(sizes))
	err := parallel.Each(s.Ctx, len(sizes), func(k int) error {
		i := len(sizes) - 1 - k // the largest, which come last, take longest
		f := fragments{Subject: s, n: int(sizes[i])}
		f.measure(i == 0)
		if f.err != nil {
			return fmt.Errorf("%d B: %w", f.n, f.err)
		}
		r := f.Extract()
		results[i] = r
		out.Sizes[i] = bench.Size{
			SizeBytes: f.n, Params: &r.Params, Idle: &r.Idle, Sender: f.Sender, Receiver: f.Receiver, Warnings: r.Warnings,
		}
		s.Done(fmt.Sprintf("%d B", f.n))
		return nil
	})
	if err != nil {
		return err
	}
	out.Operation = bench.MessageOf(int(sizes[0]))
	out.Parameters, out.Idle, out.Residuals = results[0].Params, results[0].Idle, append(out.Residuals, results[0].Residuals...)
	out.Warnings = append(out.Warnings, sizeWarnings(out.Sizes)...)
	s.agree(out)
	return nil
}

// sizeWarnings returns each warning once, with the sizes that it concerns.
func sizeWarnings(sizes []bench.Size) []string {
	var warnings []string
	of := map[string]string{}
	for _, z := range sizes {
		for _, w := range z.Warnings {
			if of[w] == "" {
				warnings = append(warnings, w)
			}
			of[w] += fmt.Sprintf(", %d", z.SizeBytes)
		}
	}
	for i, w := range warnings {
		warnings[i] = of[w][2:] + " B: " + w
	}
	return warnings
}

// fragments measures one size. The first error sticks to it: later measurements
// are zero.
type fragments struct {
	*Subject
	logp.Fragments
	n     int
	pair  *microbench.Pair
	loop  microbench.Loop
	times int // how often each measurement is taken
	err   error
}

const (
	few         = 2  // messages that fit into the buffers of any layer
	repeats     = 3  // repeats of a measurement, for its interval
	mostRepeats = 60 // the most repeats, with noise
	// buffersBytes is many times the size of any layer's buffers.
	buffersBytes = 4 << 20
	longBytes    = 16 << 10 // longer messages are measured once: the interface's loop no longer matters
)

// Fragments measures the parameters of messages of n bytes by code fragments.
func (s *Subject) Fragments(n int) (logp.Result, error) {
	f := fragments{Subject: s, n: n}
	f.measure(false)
	return f.Extract(), f.err
}

// between calls use with a new cluster.
func (f *fragments) between(use func(*cluster.Cluster)) {
	c, nodes, err := f.Subject.pair()
	if f.err = err; err != nil {
		return
	}
	defer c.Engine.Close()
	if f.pair, f.err = c.Pair(nodes[0], nodes[1], f.n); f.err == nil {
		use(c)
	}
}

// measure runs the code fragments (userspace, Figure 3).
func (f *fragments) measure(seen bool) {
	f.between(func(c *cluster.Cluster) {
		if f.times = repeats; f.n > longBytes && !f.noisy() {
			f.times = 1
		}
		f.SizeBytes = f.n
		f.Style = styles[f.Traits.Model]
		watch := f.observe(c)
		rounds := min(20, max(2, (64<<10)/max(f.n, 1)))
		f.HalfRTT = f.repeat(func() (sim.Duration, error) {
			r, err := f.pair.PingPong(f.n, rounds)
			return r.OneWay(), err
		})
		if seen && f.err == nil && f.Style != logp.RequestReply { // messages with replies, and so several packets
			f.seen, f.err = watch()
		}
		// Queues and windows are full before the timed messages. The number of these
		// is several times the length of the queue, because a library may learn of
		// free entries only for parts of a queue at a time.
		full := 2 * c.Nodes[0].NIC.Spec().RequestSlots
		f.loop = microbench.Loop{Bytes: f.n, Warm: full, Messages: full * min(8, max(1, (256<<10)/max(f.n, 1)/full))}
		if f.Traits.Synchronous || f.Style == logp.RequestReply { // few long messages are in flight at once
			f.loop.Warm = min(f.loop.Warm, max(few, buffersBytes/max(f.n, 1)))
			f.loop.Messages = min(f.loop.Messages, max(few, 4*buffersBytes/max(f.n, 1)))
		}
		f.gaps()
	})
}

// dataLoss is the property of a layer that loses messages without a buffer.
const dataLoss = "Data Loss"

// styles gives the style of the measurement for each programming model.
var styles = map[comm.Model]logp.Style{
	comm.RPC: logp.RequestReply, comm.SendReceive: logp.SendReceive, comm.DirectDeposit: logp.DirectDeposit,
}

// gaps measures g(Δ) at the sender, and at the receiver where there is one.
func (f *fragments) gaps() {
	f.Sender = f.delayed(f.pair.SendGap)
	switch f.Style {
	case logp.RequestReply:
		f.FewSent = f.sent(few)
	case logp.SendReceive:
		if f.Traits.Overflow == dataLoss && f.n < f.Traits.PostFrom { // with a spinning receiver, no more than its buffers hold
			f.loop.Warm, f.loop.Messages = warmBurst, 3*warmBurst
		}
		f.Receiver = f.delayed(f.pair.ReceiveGap)
	}
}

// sent measures the time per message of a number of messages on an idle layer.
func (f *fragments) sent(messages int) logp.Mean {
	return f.repeat(func() (sim.Duration, error) {
		return f.pair.SendGap(microbench.Loop{Bytes: f.n, Messages: messages})
	})
}

// delayed measures the gap without delay, and with delays of half, once and twice
// that gap.
func (f *fragments) delayed(gap func(microbench.Loop) (sim.Duration, error)) (out []logp.Gap) {
	base := 0.0
	for _, part := range []float64{0, 0.5, 1, 2} {
		deltaUs := 0.0
		if part > 0 {
			deltaUs = Round(part * base)
		}
		loop := f.loop
		loop.Spin = sim.Microseconds(deltaUs)
		m := f.repeat(func() (sim.Duration, error) { return gap(loop) })
		if part == 0 {
			base = m.Value
		}
		out = append(out, logp.Gap{DeltaUs: deltaUs, Gap: m})
	}
	return out
}

// repeat returns the mean of several measurements, µs. With noise it measures until
// the mean is accurate.
func (f *fragments) repeat(measure func() (sim.Duration, error)) logp.Mean {
	s := logp.NewSampler(logp.Enough{Batch: repeats, Relative: logp.Culler().Relative, MaxBatches: mostRepeats / repeats})
	for i := 0; i < f.times || f.noisy() && !s.Done(); i++ {
		f.err = cmp.Or(f.err, f.Ctx.Err())
		if f.err != nil {
			return logp.Mean{}
		}
		var d sim.Duration
		if d, f.err = measure(); f.err == nil {
			s.Add(d.Us())
		}
	}
	m := resolved(s.Mean())
	m.Capped = m.Capped && m.N > 1
	return m
}

// Received is Fragments with the receive overhead measured at the receiver, for every
// layer that has one. The study measures that of Active Messages at the sender of
// requests, which handles replies only, and these have no data (userspace, section
// 4.1.4).
func (s *Subject) Received(n int) (logp.Result, error) {
	f := fragments{Subject: s, n: n}
	f.measure(false)
	out := f.Extract()
	if f.err != nil || f.Style != logp.RequestReply {
		return out, f.err
	}
	f.between(func(*cluster.Cluster) {
		f.Receiver = f.delayed(f.pair.ReceiveGap)
		// One message is below the capacity of every buffer; a second one already
		// waits for the interface to take the first.
		f.FewSent = f.sent(1)
	})
	out.Os = f.FewSent.Estimate("o_s")
	f.Style = logp.SendReceive
	out.Or = f.Extract().Or
	return out, f.err
}
