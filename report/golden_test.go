package report

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

// odd is a run with what reports seldom meet: two programs of which one has no
// baseline, few packets, latencies beyond the top bin, later packets of messages, losses
// of every sort, a result that is wrong, no clock, and shares of every kind.
func odd(t testing.TB) trace.Run {
	t.Helper()
	base, err := analysis.NewBaseline(signature(t, synth.Unloaded()), 0)
	require.NoError(t, err)
	first := signature(t, synth.Load{Seed: 3, Nodes: 2, Exact: true, Later: true, Packets: map[int]int{16: 40, 2000: 60},
		AddNs: [trace.NumStages]int64{trace.Source: 9000, trace.Dest: 100_000_000}})
	second := signature(t, synth.Load{Seed: 4, Nodes: 3, Tag: 1, Packets: map[int]int{64: 3, 4096: 1}})
	run := trace.Run{Manifest: synth.Manifest(2)}
	first.Against(base).Store(&run)
	other := trace.Run{}
	second.Store(&other)
	run.Signature, run.Classes, run.Pairs = append(run.Signature, other.Signature...), append(run.Classes, other.Classes...), append(run.Pairs, other.Pairs...)
	m := &run.Manifest
	m.Warnings = append(m.Warnings, "a warning with <tags>, a | pipe, `ticks` and *stars*", "a warning with <tags>, a | pipe, `ticks` and *stars*")
	m.Verified, m.Verification, m.Clock = false, "relative error 0.5, wanted under 1e-9", trace.ClockQuality{}
	m.Tags = []trace.Program{{Tag: 0, Name: "fft"}, {Tag: 1, Name: "lu"}}
	m.FirmwarePackets = nil
	m.Lost = trace.Lost{
		Dropped: 1, Corrupted: 2, Undetected: 3, Retransmitted: 4, Resets: 5, Saturated: 6, TopBin: 7, Negative: 8, Oversize: 9,
		Unconverted: 10, NotRecorded: 11, TraceRecords: 12, Spans: 1313,
	}
	m.Shares = append(m.Shares, trace.Shares{Tag: 1, Node: 0, RunTimeNs: 2_000_000_000, ComputingNs: 1_000_000_000, MessagingNs: 600_000_000, MessageWaitNs: 300_000_000, DescheduledNs: 100_000_000},
		trace.Shares{Tag: 1, Node: 1})
	return withOperations(t, run)
}

// compared is one side of a comparison: runs of synthetic loads with seeds from 1 on.
func compared(t testing.TB, name string, runs int, load synth.Load, change func(*trace.Manifest)) compare.Side {
	t.Helper()
	side := compare.Side{Name: name}
	for seed := range runs {
		run := trace.Run{Manifest: synth.Manifest(8)}
		load.Seed += int64(seed)
		s := signature(t, load)
		s.Pairs = nil
		s.Store(&run)
		m := &run.Manifest
		m.Seed, m.EventDigest, m.Tags[0].RunTimeNs = uint64(seed+1), fmt.Sprint(name, seed), 1_000_000_000
		change(m)
		side.Runs = append(side.Runs, compare.Of(run))
	}
	return side
}

// moved is a comparison in which a stage goes up, one down, packets are on one side only,
// run time is lost to pages, and conditions fail, pass and stay open.
func moved(t testing.TB) Diff {
	t.Helper()
	a, b := synth.FFT(), synth.FFT()
	a.Packets, b.Packets = map[int]int{16: 40, 112: 20, 512: 1, 4096: 25}, map[int]int{16: 40, 112: 30, 2000: 3, 4096: 25}
	b.AddNs[trace.Dest] += 3000
	b.AddNs[trace.Source] = 500
	d := Diff{Comparison: compare.Compare(
		compared(t, "runs/before <1>", 3, a, func(m *trace.Manifest) { m.Tags[0].RunTimeNs += 3_000_000 * int64(m.Seed) }),
		compared(t, "runs/after|2", 3, b, func(m *trace.Manifest) {
			m.Workload, m.Platform.Name, m.Platform.Digest, m.ToolVersion, m.Verified, m.Verification = "lu", "ppro", "sha256:1", "v0.2.0", m.Seed != 2, "off by 2"
			m.Tags[0].RunTimeNs += 150_000_000 + 5_000_000*int64(m.Seed*m.Seed)
			for i := range m.Shares {
				m.Shares[i].RunTimeNs += 150_000_000
				m.Shares[i].PageWaitNs += 150_000_000
			}
			m.Warnings = append(m.Warnings, "histograms coarsened: 64 B")
		}), 20)}
	conditions, err := compare.ParseConditions("dest>10%,net>1000us,4096/source>1%,runtime>2%,1024_to_4095/any>5%")
	require.NoError(t, err)
	d.Verdict, d.Judgements = d.Check(conditions)
	return d
}

// watched compares two sets of runs of programs as they are: one server has come to wait for a processor, another no
// longer for its window, and a third as before.
func watched(t testing.TB) Diff {
	t.Helper()
	side := func(name string, after int64) compare.Side {
		return compared(t, name, 3, synth.FFT(), func(m *trace.Manifest) {
			m.Detail, m.Workload, m.Shares = trace.DetailWatch, trace.DetailWatch, nil
			some := int64(m.Seed)
			m.Seen = []trace.Observed{
				{What: trace.RunQueue, Program: "redis-server", ToServer: true, Messages: 30 + 580*after + some, Of: 1000, MeanNs: 50_000 + 1_000_000*float64(after)},
				{What: trace.Asleep, Program: "redis-server", Messages: 900 + some, Of: 1000, MeanNs: 100_000},
				{What: trace.ServerTime, Program: "redis-server", Messages: 900, Of: 1000, MeanNs: 1_000},
			}
			if after == 0 {
				m.Seen = append(m.Seen, trace.Observed{What: trace.HeldByWindow, Program: "nginx", Messages: 100 + some, Of: 200, MeanNs: 5e6, OthersNs: 1000})
				return
			}
			m.Seen = append(m.Seen, trace.Observed{What: trace.InDiscipline, Messages: 5000, Most: 100 + some, Where: "tbf of eth0"},
				trace.Observed{What: trace.SentAgain, Program: "nginx", Messages: 40 + some})
		})
	}
	d := Diff{Comparison: compare.Compare(side("good", 0), side("now", 1), 20)}
	conditions, err := compare.ParseConditions("redis-server:run-queue>50us,asleep>20%")
	require.NoError(t, err)
	d.Verdict, d.Judgements = d.Check(conditions)
	return d
}

func known(us float64) logp.Estimate { return logp.Estimate{Value: us, Lo: us * 0.9, Hi: us * 1.2} }

// measured is a LogP signature with its costs, regimes, bulk transfers and instruments.
func measured() bench.LogP {
	idle, ratio := known(3), known(1.75)
	x := bench.LogP{
		Place: bench.Place{Platform: "ppro", Layer: "fm"}, Method: "signature", Operation: bench.RequestOf(4), Pattern: "one-to-many", Peers: 3, Monitor: "full", Noise: "ticks",
		Parameters: logp.Params{Os: known(2), Or: logp.Estimate{Reason: "no Δ lifts the gap"}, L: known(5.125), G: known(8.5), RTT: known(1234)},
		Idle:       idle, GapRatio: &ratio, Warnings: []string{"the sender <waits>"},
		Consistency: []bench.Agreement{bench.NewAgreement("o_s", 2, 2.5, "host accounts"), bench.NewAgreement("g", 10, 9, "the monitor's | stages")},
		Curves: []logp.Curve{
			{SendOnly: logp.Range{From: 1, To: 4}, Transition: logp.Range{From: 8, To: 8}, Steady: logp.Range{From: 16, To: 64}, Knee: logp.Range{From: 4, To: 8}, AsymptoteUs: known(8.5)},
			{DeltaUs: 12.5, SendOnly: logp.Range{From: 1, To: 64}, AsymptoteUs: logp.Estimate{Reason: "no steady state"}},
		},
		Bulk: &bench.Lines{T: &logp.Line{T0Us: 12.25, Rinf: known(64), Residual: logp.Residual{MaxUs: 0.75}}, O: &logp.Line{T0Us: 3, Rinf: logp.Estimate{Reason: "flat"}, Residual: logp.Residual{MaxUs: 0.125}}},
	}
	for m, cost := 1, 2.0; m <= 64; m, cost = 2*m, cost+1.25 {
		x.Points = append(x.Points, logp.Point{M: m, Cost: logp.Mean{Value: cost, Lo: cost - 0.25, Hi: cost + 0.5, N: 9}},
			logp.Point{M: m, DeltaUs: 12.5, Cost: logp.Mean{Value: 14.5, Lo: 14.5, Hi: 14.5, N: 9}})
	}
	for _, n := range []int{1024, 4096, 65536} {
		x.Sizes = append(x.Sizes, bench.Size{SizeBytes: n, Bulk: &bench.Bulk{O: known(float64(n) / 512), T: known(float64(n) / 64), Bandwidth: known(50 + float64(n)/4096)}})
	}
	return x
}

// functions is the fast method beside saturation, with nodes that differ.
func functions() bench.LogP {
	x := swept()
	x.Method, x.Curves = "plogp", nil
	g := known(4)
	x.Sizes[1].Saturation, x.Sizes[1].Rounds = &g, 15
	other := x.Sizes[1]
	other.Params = &logp.Params{Os: known(9), Or: known(9), G: known(50)}
	x.Parameterized = &bench.Parameterized{
		Constants: logp.Published(), G0: known(4), L: known(3), Bandwidth: known(40), Trains: []int{10, 20},
		Costs:   []bench.Cost{{Part: "trains", TookS: 0.05, Messages: 30}, {Part: "trips", TookS: 0.15, Messages: 1234, Bytes: 56789}, {Part: "between", TookS: 0.1, Messages: 100, Bytes: 1000}, {Part: "saturation", TookS: 2, Messages: 12, Bytes: 34}},
		Swapped: bench.Swapped{G0: known(4), L: known(3), Sizes: []bench.Size{other}},
		OneWay:  &bench.OneWay{SizeBytes: 1, Messages: 100, There: known(8), Back: known(9), HalfRTT: known(8.5)},
	}
	return x
}

// swept is a LogP sweep over sizes, one of which has no o_r.
func swept() bench.LogP {
	x := bench.LogP{
		Place: bench.Place{Platform: "ppro", Layer: "gam"}, Method: "sweep", Operation: bench.MessageOf(16),
		Pattern: "pair", Pair: &bench.Pair{Nodes: [2]int{0, 4}, Switches: 3}, Peers: 1, Monitor: "off", Noise: "none",
		Parameters: logp.Params{Os: known(1.5), Or: known(2.5), L: known(3.5), G: known(4.5), RTT: known(15)}, Idle: known(0.5),
	}
	for i, n := range []int{0, 16, 256, 4096} {
		v := float64(i + 1)
		p := logp.Params{Os: known(1.5 * v), Or: known(2.5 * v), L: known(3.5 * v), G: known(4.5 * v), RTT: known(15 * v)}
		s := bench.Size{SizeBytes: n, Params: &p}
		if n == 256 {
			p.Or = logp.Estimate{Reason: "o_r is negative (-3 µs)"}
		} else {
			idle := known(0.5 * v)
			s.Idle = &idle
		}
		x.Sizes = append(x.Sizes, s)
	}
	return x
}

func bandwidths() []bench.Bandwidth {
	var out []bench.Bandwidth
	for i, platform := range []string{"ppro", "sun"} {
		b := bench.Bandwidth{Place: bench.Place{Platform: platform, Layer: "gam"}, Test: "pingpong"}
		for k, n := range []int64{4, 64, 1024, 65536} {
			us := float64(10*(i+1)) + float64(n)/64
			p := bench.BandwidthPoint{SizeBytes: n, MBps: float64(n) / us, OneWayUs: &us}
			if i == 1 && k == 1 {
				p.SizeBytes, p.OneWayUs = 128, nil
			}
			b.Points = append(b.Points, p)
		}
		out = append(out, b)
	}
	out[1].Warnings = []string{"the receiver drops <packets>"}
	return out
}

// TestGolden holds every report in every format. A page for which the picture of a
// signature is drawn is held by one case only, for its length.
func TestGolden(t *testing.T) {
	g := goldie.New(t, golden...)
	for name, d := range map[string]Document{
		"odd": Of(odd(t)), "empty": Of(trace.Run{Manifest: trace.Manifest{Workload: "none"}}), "moved": moved(t), "watched": watched(t),
		"logp": LogP{Seed: 7, Results: []bench.LogP{measured()}}, "logpsweep": LogP{Seed: 8, Results: []bench.LogP{swept()}},
		"plogp":     LogP{Seed: 8, Results: []bench.LogP{functions()}},
		"logps":     LogP{Seed: 9, Results: []bench.LogP{measured(), swept()}},
		"bandwidth": Bandwidth{Seed: 1, Results: bandwidths()[:1]}, "bandwidths": Bandwidth{Seed: 2, Results: bandwidths()},
	} {
		g.Assert(t, name+".txt", []byte(Text(d, Style{})))
		g.Assert(t, name+".wide.txt", []byte(Text(d, Style{Width: 132, ASCII: true, Full: true})))
		g.Assert(t, name+".md", []byte(Markdown(d)))
		g.Assert(t, name+".html", []byte(HTML(d)))
	}
	stream := bandwidths()[:1]
	stream[0].Test = "unidirectional"
	g.Assert(t, "stream.txt", []byte(Text(Bandwidth{Results: stream}, Style{})))
	g.Assert(t, "odd.colour.txt", []byte(Text(Of(odd(t)), Style{Colour: true})))
	data, err := JSON(Of(odd(t)))
	require.NoError(t, err)
	g.Assert(t, "odd.json", data)
	data, err = DiffJSON(moved(t), "v0.3.0")
	require.NoError(t, err)
	g.Assert(t, "moved.json", data)
	data, err = DiffJSON(watched(t), "v0.3.0")
	require.NoError(t, err)
	g.Assert(t, "watched.json", data)
	data, err = JUnit(moved(t))
	require.NoError(t, err)
	g.Assert(t, "moved.junit.xml", data)
	g.Assert(t, "moved.github.txt", []byte(Annotations(moved(t))))
}

// TestJUnitCounts: a condition that cannot be told is an error, and none passes by chance.
func TestJUnitCounts(t *testing.T) {
	d := moved(t)
	data, err := JUnit(d)
	require.NoError(t, err)
	var read struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Cases    []struct {
			Name string `xml:"name,attr"`
		} `xml:"testcase"`
	}
	require.NoError(t, xml.Unmarshal(data, &read))
	require.Len(t, read.Cases, len(d.Judgements))
	failures, open := 0, 0
	for i, j := range d.Judgements {
		require.Equal(t, j.Condition, read.Cases[i].Name)
		switch j.Verdict {
		case compare.Fail:
			failures++
		case compare.Inconclusive:
			open++
		}
	}
	require.Equal(t, [3]int{len(d.Judgements), failures, open}, [3]int{read.Tests, read.Failures, read.Errors})
	require.Equal(t, failures, strings.Count(Annotations(d), "::error "))
	require.Equal(t, open, strings.Count(Annotations(d), "::warning "))
	require.Equal(t, len(d.Judgements), strings.Count(Annotations(d), "\n"), "an annotation is one line")
}
