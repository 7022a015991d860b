package measure

import (
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
	measured := make([]logp.Fragments, len(sizes))
	err := parallel.Each(s.Ctx, len(sizes), func(k int) error {
		i := len(sizes) - 1 - k // the largest, which come last, take longest
		f := s.fragments(int(sizes[i]))
		f.measure(i == 0)
		if f.Err != nil {
			return fmt.Errorf("%d B: %w", f.n, f.Err)
		}
		measured[i] = f.Fragments
		s.Done(fmt.Sprintf("%d B", f.n))
		return nil
	})
	if err != nil {
		return err
	}
	out.Fragmented(measured)
	s.agree(out)
	return nil
}

// fragments measures one size.
type fragments struct {
	*Subject
	logp.Fragments
	logp.Loops
	n    int
	pair *microbench.Pair
	loop logp.Loop
}

const (
	few     = 2 // messages that fit into the buffers of any layer
	repeats = 3 // repeats of a measurement, for its interval
	// buffersBytes is many times the size of any layer's buffers.
	buffersBytes = 4 << 20
	longBytes    = 16 << 10 // longer messages are measured once: the interface's loop no longer matters
)

// Fragments measures the parameters of messages of n bytes by code fragments.
func (s *Subject) Fragments(n int) (logp.Result, error) {
	f := s.fragments(n)
	f.measure(false)
	return f.Extract(), f.Err
}

func (s *Subject) fragments(n int) *fragments {
	f := &fragments{Subject: s, n: n}
	f.Loops = logp.Loops{Ctx: s.Ctx, Pair: f, Accurate: s.noisy(), Resolution: resolution}
	return f
}

// HalfRTT implements logp.Pair.
func (f *fragments) HalfRTT(rounds int) (float64, error) {
	r, err := f.pair.PingPong(f.n, rounds)
	return r.OneWay().Us(), err
}

// SendGap implements logp.Pair.
func (f *fragments) SendGap(l logp.Loop) (float64, error) {
	d, err := f.pair.SendGap(f.of(l))
	return d.Us(), err
}

// ReceiveGap implements logp.Pair.
func (f *fragments) ReceiveGap(l logp.Loop) (float64, error) {
	d, err := f.pair.ReceiveGap(f.of(l))
	return d.Us(), err
}

func (f *fragments) of(l logp.Loop) microbench.Loop {
	return microbench.Loop{Bytes: f.n, Warm: l.Warm, Messages: l.Messages, Spin: sim.Microseconds(l.SpinUs)}
}

// between calls use with a new cluster.
func (f *fragments) between(use func(*cluster.Cluster)) {
	c, nodes, err := f.Subject.pair()
	if f.Err = err; err != nil {
		return
	}
	defer c.Engine.Close()
	if f.pair, f.Err = c.Pair(nodes[0], nodes[1], f.n); f.Err == nil {
		use(c)
	}
}

// measure runs the code fragments (userspace, Figure 3).
func (f *fragments) measure(seen bool) {
	f.between(func(c *cluster.Cluster) {
		if f.Times = repeats; f.n > longBytes && !f.noisy() {
			f.Times = 1
		}
		f.SizeBytes = f.n
		f.Style = styles[f.Traits.Model]
		watch := f.observe(c)
		f.Fragments.HalfRTT = f.Loops.HalfRTT(min(20, max(2, (64<<10)/max(f.n, 1))))
		if seen && f.Err == nil && f.Style != logp.RequestReply { // messages with replies, and so several packets
			f.seen, f.Err = watch()
		}
		// Queues and windows are full before the timed messages. The number of these
		// is several times the length of the queue, because a library may learn of
		// free entries only for parts of a queue at a time.
		full := 2 * c.Nodes[0].NIC.Spec().RequestSlots
		f.loop = logp.Loop{Warm: full, Messages: full * min(8, max(1, (256<<10)/max(f.n, 1)/full))}
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
	f.Fragments.Sender = f.Loops.Sender(f.loop)
	switch f.Style {
	case logp.RequestReply:
		f.FewSent = f.Sent(few)
	case logp.SendReceive:
		if f.Traits.Overflow == dataLoss && f.n < f.Traits.PostFrom { // with a spinning receiver, no more than its buffers hold
			f.loop.Warm, f.loop.Messages = warmBurst, 3*warmBurst
		}
		f.Fragments.Receiver = f.Loops.Receiver(f.loop)
	}
}

// Received is Fragments with the receive overhead measured at the receiver, for every
// layer that has one. The study measures that of Active Messages at the sender of
// requests, which handles replies only, and these have no data (userspace, section
// 4.1.4).
func (s *Subject) Received(n int) (logp.Result, error) {
	f := s.fragments(n)
	f.measure(false)
	out := f.Extract()
	if f.Err != nil || f.Style != logp.RequestReply {
		return out, f.Err
	}
	f.between(func(*cluster.Cluster) {
		f.Fragments.Receiver = f.Loops.Receiver(f.loop)
		// One message is below the capacity of every buffer; a second one already
		// waits for the interface to take the first.
		f.FewSent = f.Sent(1)
	})
	out.Os = f.FewSent.Estimate("o_s")
	f.Style = logp.SendReceive
	out.Or = f.Extract().Or
	return out, f.Err
}
