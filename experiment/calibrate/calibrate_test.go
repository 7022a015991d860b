package calibrate

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
)

var sizes = []int64{64, 512, 1024, 4096, 16384}

// measuredBy returns a run whose messages of each size vary about the latencies that us gives: by 5 %, and a
// tenth of them take much longer.
func measuredBy(how conditions, sizes []int64, us func(size int64) latencies) *observed {
	r := rand.New(rand.NewPCG(1, 2))
	o := &observed{dir: "measured", hosts: "two hosts", conditions: how, sizes: sizes, of: map[int64]*[stages][]float64{}}
	for _, n := range sizes {
		of := &[stages][]float64{}
		for i, v := range us(n) {
			for range 2001 {
				x := v * (0.95 + 0.1*r.Float64())
				if r.Float64() < 0.1 {
					x *= 20
				}
				of[i] = append(of[i], x)
			}
		}
		o.of[n] = of
	}
	o.sort()
	return o
}

var blocked = conditions{Pattern: roundTrips, Protocol: "udp", Rate: 1000, Wait: "block"}

// straight has the stages of a host whose latencies are lines.
func straight(n int64) latencies {
	kb := float64(n) / 1000
	return latencies{2 + 0.1*kb, 0.4, 30 + 0.8*kb, 25 + 0.2*kb}
}

func fitted(t *testing.T, o *observed, measured *bench.LogP, others ...*observed) *Result {
	t.Helper()
	r, err := fit(context.Background(), Spec{Name: "host", Run: "measured"}, o, measured, others, nil)
	require.NoError(t, err)
	return r
}

func value(t *testing.T, r *Result, field string) float64 {
	t.Helper()
	for _, f := range r.Fit.Parameters {
		if f.Field == field {
			return f.Value
		}
	}
	require.Fail(t, "no parameter "+field)
	return 0
}

// TestLinesAreMet: the model meets stages that are lines, also at sizes that the fit has not seen, and in
// another run of other sizes; tails of the messages change nothing.
func TestLinesAreMet(t *testing.T) {
	r := fitted(t, measuredBy(blocked, sizes, straight), nil, measuredBy(blocked, []int64{256, 8192, 32768}, straight))
	held := 0
	for _, f := range append(r.Fit.Stages, r.Fit.Checks[0].Stages...) {
		require.InDelta(t, 0, f.Apart(), 0.05, "%+v", f)
		require.Greater(t, f.MeanUs, 1.5*f.MedianUs)
		if f.Use == bench.Held {
			held++
		}
	}
	require.Equal(t, 2*stages, held)
	require.Empty(t, bench.Missed(r.Fit.Stages))
	require.InEpsilon(t, 10000, value(t, r, "ni.host_dma_to_ni_mbps"), 0.2)
	require.InEpsilon(t, 1250, value(t, r, "network.link_mbps"), 0.05)
}

// TestTheFileIsAPlatform: what is written is read as a platform, which has the numbers.
func TestTheFileIsAPlatform(t *testing.T) {
	r := fitted(t, measuredBy(blocked, sizes, straight), nil)
	p, err := platform.Parse("host.toml", []byte(r.Profile))
	require.NoError(t, err)
	require.Equal(t, "host", p.Name)
	require.Equal(t, "datagram", p.Layer)
	require.InDelta(t, value(t, r, "datagram.host.wake_us"), p.Datagram.Host.Wake.Us(), 0.001)
	require.Contains(t, r.Profile, "# A platform that sigview calibrate has fitted to two hosts: measured, pingpong by udp.")
}

// TestABendIsMissed: a stage that is no line is shown as missed, with the size and by how much.
func TestABendIsMissed(t *testing.T) {
	bent := func(n int64) latencies {
		l := straight(n)
		if n == 4096 {
			l[3] *= 2
		}
		return l
	}
	missed := bench.Missed(fitted(t, measuredBy(blocked, sizes, bent), nil).Fit.Stages)
	require.Len(t, missed, 1)
	require.Regexp(t, `^Dest is missed at 4096 B \(-5\d %\)$`, missed[0])
}

// TestTheModelAsItsOwnHost: what a platform of known numbers gives, stages and parameters, leads back to these
// numbers. So the wake of a receiver and the rest of a call are told apart, which stages alone do not.
func TestTheModelAsItsOwnHost(t *testing.T) {
	truth := numbers{stages: [stages]line{{3, 0.2}, {0.7, 0}, {12, 1}, {20, 0.4}}, wake: 14, back: 2.5}
	p, err := truth.profile("truth", "of known numbers")
	require.NoError(t, err)
	at, err := p.At("")
	require.NoError(t, err)
	host := model{at, context.Background()}
	measured := &bench.LogP{}
	for _, n := range []int{64, 4096} {
		z := bench.Size{SizeBytes: n}
		params, err := host.parameters(n)
		require.NoError(t, err)
		z.Params = &params
		measured.Sizes = append(measured.Sizes, z)
	}
	stagesOf := func(how conditions) func(int64) latencies {
		return func(n int64) latencies {
			l, err := host.stages(n, how)
			require.NoError(t, err)
			return l
		}
	}
	stream := conditions{Pattern: oneWay, Protocol: "udp", Rate: 20000, Wait: "block"}
	r := fitted(t, measuredBy(blocked, sizes, stagesOf(blocked)), measured, measuredBy(stream, []int64{200, 2000}, stagesOf(stream)))
	require.InDelta(t, truth.wake, value(t, r, "datagram.host.wake_us"), 0.5)
	require.InDelta(t, truth.back, value(t, r, "datagram.host.return_us"), 0.2)
	for _, c := range r.Fit.Costs {
		require.InEpsilon(t, c.MeasuredUs, c.ModelledUs, 0.08, "%+v", c)
	}
	for _, f := range r.Fit.Checks[0].Stages {
		require.InDelta(t, 0, f.Apart(), 0.05, "%+v", f)
	}
	require.Equal(t, "stream by udp, 20000 messages a second", r.Fit.Checks[0].How)
	require.Equal(t, []string{"the pattern, stream and pingpong"}, r.Fit.Checks[0].Differs)
	require.NotContains(t, strings.Join(r.Fit.Assumed, " "), "o_r")

	alone := fitted(t, measuredBy(blocked, sizes, stagesOf(blocked)), nil)
	require.Contains(t, strings.Join(alone.Fit.Assumed, " "), "not known without o_r")
	require.NotEqual(t, value(t, r, "datagram.host.wake_us"), value(t, alone, "datagram.host.wake_us"))
	from := func(r *Result) (out []string) {
		for _, f := range r.Fit.Parameters[len(r.Fit.Parameters)-2:] {
			out = append(out, f.From)
		}
		return out
	}
	require.Equal(t, []string{"Dest less o_r", "o_s less Source"}, from(r))
	require.Equal(t, []string{"Dest less Source: assumed", "nothing: assumed"}, from(alone))
}

// TestStagesTakeTime: a stage that is 0 or less, as Net by clocks that differ by more than it, is refused.
func TestStagesTakeTime(t *testing.T) {
	require.NoError(t, measuredBy(blocked, sizes, straight).check())
	err := measuredBy(blocked, sizes, func(n int64) latencies {
		l := straight(n)
		if n == 512 {
			l[2] = 0
		}
		return l
	}).check()
	require.ErrorContains(t, err, "want one whose stages have medians above 0, not Net of 0 µs at 512 B")
}

// TestLateMessagesCountFromTheirTime: at a rate that a sender cannot keep, the model's messages are late as those of
// an open loop are.
func TestLateMessagesCountFromTheirTime(t *testing.T) {
	p, err := platform.Load(basePlatform)
	require.NoError(t, err)
	at, err := p.At("")
	require.NoError(t, err)
	m := model{at, context.Background()}
	slow, err := m.stages(64, conditions{Pattern: oneWay, Rate: 1000})
	require.NoError(t, err)
	fast, err := m.stages(64, conditions{Pattern: oneWay, Rate: 1e6})
	require.NoError(t, err)
	call := p.Datagram.Host.Return.Us() + slow[0]
	require.InEpsilon(t, slow[0]+(call-1)*(messages-1)/2, fast[0], 0.05)
}

// TestThrough: a line has no part below 0, and goes through what lies on one.
func TestThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0.01, 1000).Draw(t, "start"), rapid.Float64Range(0, 100).Draw(t, "slope")
		var us []float64
		for _, n := range sizes {
			us = append(us, a+b*float64(n)/1000)
		}
		l := through(sizes, us)
		for i, n := range sizes {
			require.InEpsilon(t, us[i], l.start+l.slope*float64(n)/1000, 1e-6)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		us := rapid.SliceOfN(rapid.Float64Range(0.01, 1000), len(sizes), len(sizes)).Draw(t, "us")
		l := through(sizes, us)
		require.GreaterOrEqual(t, l.start, 0.0)
		require.GreaterOrEqual(t, l.slope, 0.0)
	})
	require.Equal(t, line{7, 0}, through([]int64{64}, []float64{7}))
}

func TestSeen(t *testing.T) {
	require.Equal(t, []int64{1, 2, 3}, seen([]int64{1, 2, 3}))
	require.Equal(t, []int64{1, 3, 4}, seen([]int64{1, 2, 3, 4}))
	require.Equal(t, []int64{1, 3, 5}, seen([]int64{1, 2, 3, 4, 5}))
}
