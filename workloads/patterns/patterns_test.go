package patterns_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/patterns"
)

// world is a pattern on a cluster without a monitor.
type world struct {
	*cluster.Cluster
	pattern *patterns.Pattern
	ended   bool
}

func start(tb testing.TB, s patterns.Spec, change func(*cluster.Spec)) *world {
	tb.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(tb, err)
	spec := cluster.Spec{Profile: p, Nodes: s.Nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	if change != nil {
		change(&spec)
	}
	w := &world{}
	w.Cluster, err = cluster.New(spec)
	require.NoError(tb, err)
	tb.Cleanup(w.Engine.Close)
	w.pattern, err = patterns.New(s)
	require.NoError(tb, err)
	require.NoError(tb, w.pattern.Start(w.Deposits(), 0, func() { w.ended = true }))
	return w
}

// finish runs a pattern to its end and returns its result.
func (w *world) finish(tb testing.TB) (patterns.Result, error) {
	tb.Helper()
	require.NoError(tb, w.Engine.RunUntil(func() bool { return w.ended }))
	return w.pattern.Result()
}

// messages is how many messages a pattern has, counted by hand.
func messages(s patterns.Spec) int {
	n, c := s.Nodes, s.Count
	return map[patterns.Shape]int{
		patterns.PingPong: n / 2 * 2 * c, patterns.Stream: n / 2 * c, patterns.AllToAll: n * (n - 1) * c,
		patterns.Random: n * c, patterns.HotSpot: n * c, patterns.Broadcast: (n - 1) * c,
		patterns.ProducerConsumer: n / 2 * c, patterns.Incast: (n - 1) * c, patterns.CentralQueue: 2 * (n - 1) * c,
	}[s.Shape]
}

func TestAllBytesArrive(t *testing.T) {
	for _, shape := range patterns.Shapes() {
		for i, bytes := range []int{16, 64, 68, 1024, 4096, 4100, 20000} {
			s := patterns.Spec{Shape: shape, Nodes: 2 + i%5, Seed: uint64(i), Options: patterns.Options{Bytes: bytes, Count: 1 + 7*i}}
			t.Run(fmt.Sprintf("%v of %d B on %d", shape, bytes, s.Nodes), func(t *testing.T) {
				r, err := start(t, s, nil).finish(t)
				require.NoError(t, err)
				require.EqualValues(t, messages(s), r.Messages)
				require.Positive(t, r.Took)
				require.Len(t, r.Shares, s.Nodes)
				for _, share := range r.Shares {
					require.LessOrEqual(t, share.Elapsed, r.Took)
				}
			})
		}
	}
}

// TestFaults: whatever the link loses or hits, the data-link protocol brings.
func TestFaults(t *testing.T) {
	for _, shape := range patterns.Shapes() {
		t.Run(shape.String(), func(t *testing.T) {
			s := patterns.Spec{Shape: shape, Nodes: 4, Seed: 9, Options: patterns.Options{Bytes: 512, Count: 40}}
			w := start(t, s, func(c *cluster.Spec) { c.Faults = fabric.Faults{ErrorPerByte: 1e-4} })
			_, err := w.finish(t)
			require.NoError(t, err)
			require.NotZero(t, w.Net.Stats().Detected, "errors on the links")
		})
	}
}

// TestChangedBytesAreNoticed plants changes that no checksum shows, in messages that are bytes and in ones that are described.
func TestChangedBytesAreNoticed(t *testing.T) {
	flip := func(p *fabric.Packet) { p.Data()[200] ^= 4 }
	for what, plant := range map[string]struct {
		bytes  int
		change func(p *fabric.Packet)
	}{
		"a bit":                 {256, flip},
		"a bit of many":         {600, flip},
		"a bit of many packets": {3 * host.PageBytes, flip},
		"other bytes": {600, func(p *fabric.Packet) {
			if part := p.Described(); part.Bytes > 0 {
				part.From += 4
				p.Describe(part)
			} else { // an item of the central queue, which begins with its name
				flip(p)
			}
		}},
	} {
		for _, shape := range patterns.Shapes() {
			t.Run(what+" in "+shape.String(), func(t *testing.T) {
				w := start(t, patterns.Spec{Shape: shape, Nodes: 4, Options: patterns.Options{Bytes: plant.bytes, Count: 12}}, nil)
				seen := 0
				w.Net.DropWhen(func(p *fabric.Packet) bool {
					if k := p.Header.Meta.Kind; (k == trace.Data || k == trace.Broadcast) && p.Bytes() == min(plant.bytes, host.PageBytes) {
						if seen++; seen == 9 {
							plant.change(p)
						}
					}
					return false
				})
				_, err := w.finish(t)
				require.Error(t, err)
				require.Equal(t, err.Error(), w.pattern.Broken().Error()+moreOf(err))
			})
		}
	}
}

// moreOf is the part of a result's error that says how many more there are.
func moreOf(err error) string {
	if inner := errors.Unwrap(err); inner != nil {
		return err.Error()[len(inner.Error()):]
	}
	return ""
}

// TestOvertaking: in the ablation in which packets overtake one another,
// messages are still read in order.
func TestOvertaking(t *testing.T) {
	for _, shape := range []patterns.Shape{patterns.Stream, patterns.AllToAll, patterns.Random, patterns.CentralQueue} {
		w := start(t, patterns.Spec{Shape: shape, Nodes: 6, Options: patterns.Options{Bytes: 2048, Count: 60}}, func(c *cluster.Spec) {
			c.Ports, c.Cards.NetDMA = true, true
			c.Cards.HostDMA, c.Cards.Slots, c.Hosts.IOBus, c.Cards.Processor = true, true, true, true
		})
		_, err := w.finish(t)
		require.NoError(t, err)
	}
}

// TestOvertakenCredits: a credit that comes after a later one says nothing.
func TestOvertakenCredits(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		w := start(t, patterns.Spec{Shape: patterns.HotSpot, Nodes: 8, Options: patterns.Options{Count: 40, Skew: 0.5}}, func(c *cluster.Spec) {
			c.Seed, c.Ports, c.Cards = seed, true, ni.Uncontended{NetDMA: true, Slots: true, SRAM: true, Processor: true}
			c.Hosts = host.Uncontended{MemBus: true, IOBus: true, CPU: true}
		})
		_, err := w.finish(t)
		require.NoError(t, err)
	}
}

func TestCredits(t *testing.T) {
	for _, c := range []struct {
		shape patterns.Shape
		count int
		some  bool
	}{
		{patterns.PingPong, 300, false},
		{patterns.CentralQueue, 100, false},
		{patterns.AllToAll, 8, false}, // as many as there are slots
		{patterns.AllToAll, 20, true},
		{patterns.Stream, 32, false},
		{patterns.Stream, 200, true},
		{patterns.Broadcast, 40, true},
		{patterns.ProducerConsumer, 40, true},
	} {
		r, err := start(t, patterns.Spec{Shape: c.shape, Nodes: 4, Options: patterns.Options{Bytes: 64, Count: c.count}}, nil).finish(t)
		require.NoError(t, err)
		require.Equal(t, c.some, r.Credits > 0, "%v, %d: %d credits", c.shape, c.count, r.Credits)
	}
}

// TestGap: a pause makes a stream as slow as the pause.
func TestGap(t *testing.T) {
	s := patterns.Spec{Shape: patterns.Stream, Nodes: 2, Options: patterns.Options{Bytes: 64, Count: 200, GapUs: 100}}
	r, err := start(t, s, nil).finish(t)
	require.NoError(t, err)
	require.InDelta(t, 200*100e-6, r.Took.Seconds(), 200*20e-6)
	require.InDelta(t, 200*100e-6, r.Shares[0].Time[host.Computing].Seconds(), 200*1e-6)
	fast, err := start(t, patterns.Spec{Shape: patterns.Stream, Nodes: 2, Options: patterns.Options{Bytes: 64, Count: 200}}, nil).finish(t)
	require.NoError(t, err)
	require.Less(t, fast.Took, r.Took/2)
}

// TestSkew counts who gets messages.
func TestSkew(t *testing.T) {
	got := func(s patterns.Spec) []float64 {
		s.Nodes, s.Bytes, s.Count = 10, 16, 400
		w := start(t, s, nil)
		share := make([]float64, s.Nodes)
		w.Net.DropWhen(func(p *fabric.Packet) bool {
			if p.Header.Meta.Kind == trace.Data {
				share[p.Dst] += 1 / float64(s.Nodes*s.Count)
			}
			return false
		})
		_, err := w.finish(t)
		require.NoError(t, err)
		return share
	}
	even := got(patterns.Spec{Shape: patterns.Random})
	for i, x := range even {
		require.InDelta(t, 0.1, x, 0.02, "node %d", i)
	}
	hot := got(patterns.Spec{Shape: patterns.HotSpot, Options: patterns.Options{Skew: 0.8}})
	require.InDelta(t, 0.9*(0.8+0.2/9), hot[0], 0.03)
	zipf := got(patterns.Spec{Shape: patterns.Random, Options: patterns.Options{Skew: 1}})
	require.Greater(t, zipf[0], 2*zipf[4])
	require.Greater(t, zipf[1], 2*zipf[9])
}

func TestSameSeedSameRun(t *testing.T) {
	digest := func(seed uint64) uint64 {
		w := start(t, patterns.Spec{Shape: patterns.Random, Nodes: 6, Options: patterns.Options{Bytes: 200, Count: 50}}, func(c *cluster.Spec) { c.Seed = seed })
		_, err := w.finish(t)
		require.NoError(t, err)
		return w.Engine.Digest()
	}
	require.Equal(t, digest(1), digest(1))
	require.NotEqual(t, digest(1), digest(2))
}

func TestSpecsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		field string
		spec  patterns.Spec
	}{
		{"shape", patterns.Spec{Shape: 99, Nodes: 2}},
		{"nodes", patterns.Spec{Nodes: 1}},
		{"pattern.message_bytes", patterns.Spec{Nodes: 2, Options: patterns.Options{Bytes: 3}}},
		{"pattern.message_bytes", patterns.Spec{Nodes: 2, Options: patterns.Options{Bytes: 10}}},
		{"pattern.message_bytes", patterns.Spec{Nodes: 2, Options: patterns.Options{Bytes: -4}}},
		{"pattern.message_bytes", patterns.Spec{Nodes: 2, Options: patterns.Options{Bytes: patterns.MaxBytes + 4}}},
		{"pattern.message_bytes", patterns.Spec{Shape: patterns.CentralQueue, Nodes: 2, Options: patterns.Options{Bytes: 8}}},
		{"pattern.message_bytes", patterns.Spec{Shape: patterns.AllToAll, Nodes: 1024, Options: patterns.Options{Bytes: 4096}}},
		{"pattern.count", patterns.Spec{Nodes: 2, Options: patterns.Options{Count: -1}}},
		{"pattern.count", patterns.Spec{Nodes: 2, Options: patterns.Options{Count: 10_000_000 + 1}}},
		{"pattern.gap_us", patterns.Spec{Nodes: 2, Options: patterns.Options{GapUs: -1}}},
		{"pattern.gap_us", patterns.Spec{Nodes: 2, Options: patterns.Options{GapUs: 2e6}}},
		{"pattern.skew", patterns.Spec{Shape: patterns.Stream, Nodes: 2, Options: patterns.Options{Skew: 0.1}}},
		{"pattern.skew", patterns.Spec{Shape: patterns.HotSpot, Nodes: 2, Options: patterns.Options{Skew: 1.1}}},
		{"pattern.skew", patterns.Spec{Shape: patterns.Random, Nodes: 2, Options: patterns.Options{Skew: -1}}},
		{"pattern.skew", patterns.Spec{Shape: patterns.Random, Nodes: 2, Options: patterns.Options{Skew: math.NaN()}}},
		{"pattern.senders", patterns.Spec{Shape: patterns.Incast, Nodes: 3, Options: patterns.Options{Senders: 3}}},
		{"pattern.senders", patterns.Spec{Shape: patterns.HotSpot, Nodes: 3, Options: patterns.Options{Senders: 1}}},
		{"pattern.burst", patterns.Spec{Shape: patterns.Incast, Nodes: 3, Options: patterns.Options{Burst: 33}}},
		{"pattern.burst", patterns.Spec{Shape: patterns.HotSpot, Nodes: 3, Options: patterns.Options{Burst: 1}}},
	} {
		_, err := patterns.New(c.spec)
		var field *bounds.Error
		require.ErrorAs(t, err, &field, "%+v", c.spec)
		require.Equal(t, c.field, field.Field, "%+v: %v", c.spec, err)
	}
}

func TestResultOfARunningPattern(t *testing.T) {
	w := start(t, patterns.Spec{Nodes: 2}, nil)
	_, err := w.pattern.Result()
	require.ErrorContains(t, err, "has not ended")
	_, err = w.finish(t)
	require.NoError(t, err)
	require.ErrorContains(t, w.pattern.Start(nil, 0, nil), "start on 0 nodes")
}

// TestBuffersAreNotWrittenTooEarly: senders that keep their request queues
// full use each buffer again and again.
func TestBuffersAreNotWrittenTooEarly(t *testing.T) {
	for _, free := range []bool{false, true} {
		s := patterns.Spec{Shape: patterns.AllToAll, Nodes: 8, Options: patterns.Options{Bytes: 2048, Count: 60}}
		w := start(t, s, func(c *cluster.Spec) { c.Cards.Slots = free })
		_, err := w.finish(t)
		require.NoError(t, err)
	}
}

// TestIncast: only the senders send. Without bursts they send all; with bursts none sends more than it has been asked for,
// and node 0 asks again when it has all of the last burst.
func TestIncast(t *testing.T) {
	for _, o := range []patterns.Options{
		{Count: 50, Bytes: 256, Senders: 5},
		{Count: 50, Bytes: 256, Senders: 5, Burst: 8},
		{Count: 40, Bytes: 5000, Burst: 32},
		{Count: 3, Bytes: 8, Burst: 1},
	} {
		s := patterns.Spec{Shape: patterns.Incast, Nodes: 9, Options: o}
		w := start(t, s, nil)
		asked, sent := make([]int, s.Nodes), make([]int, s.Nodes)
		w.Net.DropWhen(func(p *fabric.Packet) bool {
			switch p.Header.Meta.Kind {
			case trace.Flag:
				asked[p.Dst]++
				for from := 1; from <= w.pattern.Spec().Senders; from++ {
					require.GreaterOrEqual(t, sent[from], min(o.Count, (asked[p.Dst]-1)*o.Burst), "asked for more before all have come")
				}
			case trace.Data:
				require.Zero(t, p.Dst)
				if p.Bytes() >= min(o.Bytes, 1000) { // the first packet of a message
					sent[p.Src]++
				}
				if o.Burst > 0 {
					require.LessOrEqual(t, sent[p.Src], asked[p.Src]*o.Burst)
				}
			}
			return false
		})
		r, err := w.finish(t)
		require.NoError(t, err)
		senders := w.pattern.Spec().Senders
		require.EqualValues(t, senders*o.Count, r.Messages)
		for from := 1; from < s.Nodes; from++ {
			want := 0
			if from <= senders {
				want = o.Count
			}
			require.Equal(t, want, sent[from])
		}
	}
}
