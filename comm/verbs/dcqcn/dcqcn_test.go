package dcqcn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/sim"
)

func TestSpecs(t *testing.T) {
	for _, s := range []Spec{Paper(), simulation()} {
		require.Equal(t, 10, boundstest.Refuses(t, "dcqcn", &s, s.Validate))
		s.Hyper = s.Additive - 1_000_000
		require.ErrorContains(t, s.Validate(), "dcqcn.hyper_mbps is ")
	}
}

// TestByHand follows a flow through a cut and fast recovery with the paper's parameters.
func TestByHand(t *testing.T) {
	spec := Paper()
	line := sim.MBps(5000)
	s := NewSender(&spec, line)
	at := func(us float64) sim.Time { return sim.Time(sim.Microseconds(us)) }
	require.Equal(t, line, s.Rate(at(1000)), "no notice, no limit")
	require.Equal(t, sim.Never, s.Due())
	s.Notified(at(1000))
	require.Equal(t, line/2, s.Rate(at(1000)), "alpha is 1")
	require.Equal(t, at(1055), s.Due())
	for i, want := range []sim.Rate{3_750_000_000, 4_375_000_000, 4_687_500_000, 4_843_750_000} { // half of the way to 5 GB/s
		require.Equal(t, want, s.Rate(at(1000+55*float64(i+1))))
	}
	s.Notified(at(1230))
	alpha := math.Pow(255./256, 4) // 1 after the first notice, then four timers
	require.InDelta(t, 4_843_750_000*(1-alpha/2), float64(s.Rate(at(1230))), 1)
	require.Equal(t, line, s.Rate(at(1e6)))
	require.Equal(t, sim.Never, s.Due(), "not limited any more")

	s = NewSender(&spec, line)
	for i := range 200 {
		s.Notified(at(50 * float64(i)))
	}
	require.Equal(t, spec.Least, s.Rate(at(50*199)), "not below the least rate")
	for i := range 6 { // the fifth step of either sort adds to the target, which is the least rate
		s.Sent(at(50*199), spec.RiseBytes)
		want := spec.Least
		if i == 4 {
			want += spec.Additive / 2
		} else if i == 5 {
			want += 5 * spec.Additive / 4 // half of the way from 1.5 to 3
		}
		require.Equal(t, want, s.Rate(at(50*199)), "step %d", i)
	}
}

// reading is the published algorithm step by step, in ticks of a microsecond: counters that run, no
// times.
type reading struct {
	spec                         *Spec
	line, rc, rt, a              float64
	sinceAlpha, sinceRise, since int
	bytes, t, bc                 int
	on, begun                    bool
}

func (r *reading) tick() {
	r.since++
	if r.sinceAlpha++; r.sinceAlpha == int(r.spec.AlphaTimer/sim.Microsecond) {
		r.sinceAlpha = 0
		if r.begun {
			r.a = (1 - r.spec.Gain) * r.a
		}
	}
	if r.sinceRise++; r.on && r.sinceRise == int(r.spec.RiseTimer/sim.Microsecond) {
		r.sinceRise = 0
		r.t++
		r.up()
	}
}

func (r *reading) up() {
	f := r.spec.Stages
	n, x := r.t, r.t
	if r.spec.RiseBytes > 0 {
		n, x = min(r.t, r.bc), max(r.t, r.bc)
	}
	if x >= f && n > f {
		r.rt += float64(r.spec.Hyper)
	} else if x >= f {
		r.rt += float64(r.spec.Additive)
	}
	if r.rt > r.line {
		r.rt = r.line
	}
	r.rc = r.rc/2 + r.rt/2
	if r.line-r.rc < 1 {
		r.rc, r.on = r.line, false
	}
}

func (r *reading) notice() {
	if r.since < int(r.spec.CutGap/sim.Microsecond) {
		return
	}
	r.rt = r.rc
	if r.rc *= 1 - r.a/2; r.rc < float64(r.spec.Least) {
		r.rc = math.Min(r.rt, float64(r.spec.Least))
	}
	r.a = (1-r.spec.Gain)*r.a + r.spec.Gain
	r.since, r.sinceAlpha, r.sinceRise, r.bytes, r.t, r.bc = 0, 0, 0, 0, 0, 0
	r.on, r.begun = true, true
}

func (r *reading) send(n int) {
	if !r.on || r.spec.RiseBytes == 0 {
		return
	}
	for r.bytes += n; r.bytes >= r.spec.RiseBytes && r.on; r.bytes -= r.spec.RiseBytes {
		r.bc++
		r.up()
	}
}

// TestAgainstReading: random notices and bytes, asked at random times.
func TestAgainstReading(t *testing.T) {
	for _, published := range []Spec{Paper(), simulation()} {
		for seed := range uint64(20) {
			r, spec := rand.New(rand.NewPCG(seed, 1)), published
			spec.RiseBytes /= []int{1, 41, 50_000}[r.IntN(3)]
			line := sim.MBps(5000)
			s := NewSender(&spec, line)
			w := &reading{spec: &spec, line: float64(line), rc: float64(line), rt: float64(line), a: 1, since: 1 << 30}
			notices, cuts := 1+r.IntN(200), 0
			for us := range 60_000 {
				now := sim.Time(us) * sim.Time(sim.Microsecond)
				if us > 0 {
					w.tick()
				}
				if r.IntN(10*notices) == 0 {
					s.Notified(now)
					w.notice()
					cuts++
				}
				if r.IntN(10) == 0 {
					n := r.IntN(40_000)
					s.Sent(now, n)
					w.send(n)
				}
				if r.IntN(50) == 0 {
					require.InEpsilon(t, w.rc, float64(s.Rate(now)), 1e-6, "seed %d at %d µs", seed, us)
				}
			}
			require.Positive(t, cuts)
		}
	}
}

// TestNoticesKeepTheirDistance: one at most in each gap, and the first at once.
func TestNoticesKeepTheirDistance(t *testing.T) {
	spec := Paper()
	var r Receiver
	var at []sim.Time
	for now := sim.Time(0); now < sim.Time(sim.Millisecond); now += sim.Time(1700 * sim.Nanosecond) {
		if r.Marked(&spec, now) {
			at = append(at, now)
		}
	}
	require.Len(t, at, 20)
	for i := range at[1:] {
		require.GreaterOrEqual(t, at[i+1].Sub(at[i]), spec.CNPGap)
	}
}

// flows runs packets of n flows, each at the rate of its sender, through one queue that marks, and
// returns the mean rates of the second half and the highest queue in it.
func flows(spec *Spec, n int, line sim.Rate, packet, low, high int, share float64, span sim.Duration) (rates []float64, queue int, use float64) {
	const trip = 4 * sim.Microsecond // from the queue back to the sender, as a notice
	type notice struct {
		at   sim.Time
		flow int
	}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	senders, receivers, next := make([]Sender, n), make([]Receiver, n), make([]sim.Time, n)
	rates = make([]float64, n)
	var notices []notice
	for i := range senders {
		senders[i] = NewSender(spec, line)
		next[i] = sim.Time(i) * sim.Time(span) / sim.Time(10*n) // one after another
	}
	var free sim.Time // when the queue is empty
	for {
		i := 0
		for k := range next {
			if next[k] < next[i] {
				i = k
			}
		}
		now := next[i]
		if now > sim.Time(span) {
			break
		}
		for len(notices) > 0 && notices[0].at <= now {
			senders[notices[0].flow].Notified(notices[0].at)
			notices = notices[1:]
		}
		length := int(float64(max(0, free.Sub(now))) * float64(line) / 1e12)
		marked := length > high || length > low && r.Float64() < share*float64(length-low)/float64(high-low)
		free = max(free, now).Add(line.Time(packet))
		if marked && receivers[i].Marked(spec, free) {
			notices = append(notices, notice{free.Add(trip), i})
		}
		senders[i].Sent(now, packet)
		next[i] = now.Add(senders[i].Rate(now).Time(packet))
		if now > sim.Time(span)/2 {
			rates[i] += float64(packet)
			queue = max(queue, length)
		}
	}
	for i := range rates {
		rates[i] /= span.Seconds() / 2 * float64(line)
		use += rates[i]
	}
	return rates, queue, use
}

// TestFlowsShareABottleneck: flows that begin one after another get equal shares of a queue, which stays short
// and is rarely empty.
func TestFlowsShareABottleneck(t *testing.T) {
	paper := Paper()
	for _, n := range []int{2, 4, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			rates, queue, use := flows(&paper, n, sim.MBps(5000), 1000, 5000, 200_000, 0.01, 200*sim.Millisecond)
			t.Logf("shares %.3f, queue %d, use %.3f", rates, queue, use)
			for _, r := range rates {
				require.InEpsilon(t, use/float64(n), r, 0.15)
			}
			require.Greater(t, use, 0.9)
			require.Less(t, queue, 400_000)
		})
	}
}

// TestWithoutNoticesTheQueueGrows is the counter-experiment: the same flows, and receivers that notify once a second.
func TestWithoutNoticesTheQueueGrows(t *testing.T) {
	spec := Paper()
	spec.CNPGap = sim.Second
	_, queue, _ := flows(&spec, 4, sim.MBps(5000), 1000, 5000, 200_000, 0.01, 20*sim.Millisecond)
	require.Greater(t, queue, 4_000_000)
}
