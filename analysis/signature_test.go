package analysis

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

func summarize(t *testing.T, l synth.Load) Signature {
	t.Helper()
	s := Summarize(l.Snapshot())
	require.NoError(t, trace.CheckRows(s.Rows))
	require.NoError(t, trace.CheckRows(s.Classes))
	require.NoError(t, trace.CheckRows(s.Pairs))
	return s
}

func baseline(t *testing.T) Baseline {
	t.Helper()
	b, err := NewBaseline(summarize(t, synth.Unloaded()), 0)
	require.NoError(t, err)
	return b
}

func classRow(t *testing.T, s Signature, class string, stage trace.Stage) trace.ClassRow {
	t.Helper()
	for _, r := range s.Classes {
		if whole(r.Group) && r.Class == class && r.Stage == stage {
			return r
		}
	}
	t.Fatalf("no row for %s %v", class, stage)
	return trace.ClassRow{}
}

func TestIntervalsHoldTheTruth(t *testing.T) {
	// Unloaded latencies are known: intervals at 95 % hold them about that often.
	held, all := 0, 0
	s := summarize(t, synth.Unloaded())
	for _, r := range s.Rows {
		if !whole(r.Group) || r.Stage >= trace.NumStages {
			continue
		}
		want := float64(synth.BaseNs(r.Stage, int(r.SizeHiBytes))) - 0.5
		all++
		if r.CILoNs.Value <= want && want <= r.CIHiNs.Value {
			held++
		}
	}
	require.Equal(t, 4*128, all)
	require.InDelta(t, 0.95, float64(held)/float64(all), 0.03)
}

func TestSignatureRows(t *testing.T) {
	s := summarize(t, synth.FFT())
	r := classRow(t, s, trace.ClassUnder128, trace.Source)
	require.EqualValues(t, 56*(40+30+20), r.Count)
	require.Equal(t, trace.SpreadSquares, r.Spread)
	require.True(t, r.P50.Ns.OK)
	require.False(t, r.Weak)
	// 128 bytes belong to the next class, though they share a size bin.
	require.EqualValues(t, 56*(2+5), classRow(t, s, trace.Class128, trace.Source).Count)
	require.EqualValues(t, 56*(1+3), classRow(t, s, trace.Class1024, trace.Source).Count)
	for _, c := range trace.Classes() {
		net, lanai := classRow(t, s, c, trace.Net), classRow(t, s, c, trace.LANai)
		d := classRow(t, s, c, trace.NetMinusLANai)
		require.InDelta(t, net.MeanNs.Value-lanai.MeanNs.Value, d.MeanNs.Value, 1e-9)
		require.Equal(t, unpaired, d.P99.Reason)
	}
	var kinds []string
	var total int64
	for _, r := range s.Rows {
		if len(kinds) == 0 || kinds[len(kinds)-1] != r.Kind {
			kinds = append(kinds, r.Kind)
		}
		if r.Kind != trace.AllKinds && r.Stage == trace.Dest {
			total += r.Count
		}
	}
	require.Equal(t, []string{"all", "data", "page-reply"}, kinds)
	require.EqualValues(t, 56*126, total)
	require.Empty(t, s.Warnings)
}

func TestFirstAndLaterPackets(t *testing.T) {
	l := synth.FFT()
	l.Later = true
	var first, later, both int64
	for _, r := range summarize(t, l).Classes {
		if r.Kind != "page-reply" || r.Stage != trace.Net {
			continue
		}
		switch {
		case !r.First.OK:
			both += r.Count
		case r.First.Value:
			first += r.Count
		default:
			later += r.Count
		}
	}
	require.Positive(t, later)
	require.Equal(t, both, first+later)
}

func TestVarianceFromBinsIsMarked(t *testing.T) {
	exact, binned := synth.FFT(), synth.FFT()
	binned.Exact = false
	a := classRow(t, summarize(t, exact), trace.ClassUnder128, trace.Source)
	b := classRow(t, summarize(t, binned), trace.ClassUnder128, trace.Source)
	require.Equal(t, trace.SpreadBins, b.Spread)
	require.Equal(t, a.MeanNs, b.MeanNs)
	require.InEpsilon(t, a.VarianceNs2.Value, b.VarianceNs2.Value, 0.05)
}

func TestWeakMeansAreMarked(t *testing.T) {
	s := summarize(t, synth.Load{Seed: 1, Nodes: 2, Packets: map[int]int{64: 1, 4096: 20}, Exact: true})
	r := classRow(t, s, trace.ClassUnder128, trace.Dest)
	require.True(t, r.Weak)
	require.EqualValues(t, 2, r.Count)
	require.Contains(t, r.P99.Reason, "want at least 100")
	require.False(t, classRow(t, s, trace.Class4096, trace.Dest).Weak)
}

// TestPairsWidenTheError: packets of one pair that are alike count for less
// than independent ones.
func TestPairsWidenTheError(t *testing.T) {
	alike, alone := synth.FFT(), synth.FFT()
	alone.PairNs = 0
	for _, c := range []struct {
		name  string
		load  synth.Load
		widen bool
	}{{"alike", alike, true}, {"alone", alone, false}} {
		r := classRow(t, summarize(t, c.load), trace.ClassUnder128, trace.Dest)
		plain := math.Sqrt(r.VarianceNs2.Value / float64(r.Count))
		if c.widen {
			require.Greater(t, r.SENs.Value, 1.5*plain, c.name)
			require.EqualValues(t, 55, r.DF)
		} else {
			require.Less(t, r.SENs.Value, 1.4*plain, c.name)
		}
		// A shift common to Net and LANai of a pair cancels in their difference.
		d := classRow(t, summarize(t, c.load), trace.ClassUnder128, trace.NetMinusLANai)
		require.Less(t, d.SENs.Value, 100.0, c.name)
	}
}

func TestBaselineOfABin(t *testing.T) {
	b := baseline(t)
	e, from, ok := b.at(trace.Source, trace.Sizes{SizeLoBytes: 480, SizeHiBytes: 512})
	require.True(t, ok)
	require.Equal(t, trace.BaselineBin, from)
	require.InDelta(t, synth.BaseNs(trace.Source, 512), e.value, 60)
	_, _, ok = b.at(trace.Source, trace.Sizes{SizeLoBytes: 4096, SizeHiBytes: 8192})
	require.False(t, ok, "no baseline beyond the measured sizes")
}

func TestBaselineBetweenBins(t *testing.T) {
	l := synth.Unloaded()
	l.Packets = map[int]int{32: 50, 1024: 50}
	b, err := NewBaseline(summarize(t, l), 0)
	require.NoError(t, err)
	// Half way between the middles of (0, 32] and (992, 1024].
	e, from, ok := b.at(trace.LANai, trace.Sizes{SizeLoBytes: 496, SizeHiBytes: 528})
	require.True(t, ok)
	require.Equal(t, trace.BaselineBetween, from)
	require.InDelta(t, float64(synth.BaseNs(trace.LANai, 32)+synth.BaseNs(trace.LANai, 1024))/2, e.value, 60)
	require.Positive(t, e.se)
	_, _, ok = b.at(trace.LANai, trace.Sizes{SizeLoBytes: 1024, SizeHiBytes: 1056})
	require.False(t, ok)
}

// TestClassBaselineIsMixedBySizes: with the mix of the packets' own sizes, an
// uncontended run of any sizes deviates from nothing.
func TestClassBaselineIsMixedBySizes(t *testing.T) {
	l := synth.FFT()
	l.AddNs = [trace.NumStages]int64{}
	l.PairNs = 0
	l.Packets = map[int]int{32: 9, 96: 30, 128: 40, 992: 3, 1024: 11, 4064: 7, 4096: 5}
	s := summarize(t, l).Against(baseline(t))
	for _, r := range s.Classes {
		require.True(t, r.BaselineNs.OK, "%v", r)
		require.Equal(t, trace.BaselineMixed, r.BaselineFrom)
		require.InDelta(t, 0, r.DeviationNs.Value, 60, "%s %v", r.Class, r.Stage)
	}
	for _, r := range s.Pairs {
		require.True(t, r.BaselineNs.OK)
		require.InDelta(t, 0, r.DeviationNs.Value, 250, "%s %v", r.Class, r.Stage)
	}
	require.Len(t, s.Pairs, 56*5*5)
}

func TestUncoveredSizesAreSaid(t *testing.T) {
	l := synth.Unloaded()
	delete(l.Packets, 4096)
	b, err := NewBaseline(summarize(t, l), 0)
	require.NoError(t, err)
	s := summarize(t, synth.FFT()).Against(b)
	r := classRow(t, s, trace.Class4096, trace.Net)
	require.False(t, r.BaselineNs.OK)
	require.Contains(t, r.BaselineNote, "does not cover the sizes of 1e+02 %")
	require.NoError(t, trace.CheckRows(s.Classes))
	// Against again with a whole baseline leaves no trace of the first.
	require.Equal(t, summarize(t, synth.FFT()).Against(baseline(t)), s.Against(baseline(t)))
}

func TestBaselineNeedsPackets(t *testing.T) {
	_, err := NewBaseline(Signature{}, 3)
	require.ErrorContains(t, err, "baseline: tag 3 has no packets, wanted some of every size")
	_, err = BaselineOf(trace.Run{})
	require.ErrorContains(t, err, "wanted one tag")
	l := synth.Unloaded()
	l.Tag = 3
	var run trace.Run
	summarize(t, l).Store(&run)
	got, err := BaselineOf(run)
	require.NoError(t, err)
	want, err := NewBaseline(Of(run), 3)
	require.NoError(t, err)
	require.Equal(t, want, got)
	run.Classes[0].Tag = 2
	_, err = BaselineOf(run)
	require.ErrorContains(t, err, "packets of tags [2 3], wanted one tag")
}

func TestSameRecordsSameRows(t *testing.T) {
	require.Equal(t, summarize(t, synth.FFT()).Against(baseline(t)), summarize(t, synth.FFT()).Against(baseline(t)))
}

func TestHistogramRows(t *testing.T) {
	rows := Histograms(synth.FFT().Snapshot())
	require.NoError(t, trace.CheckRows(rows))
	var all, kinds int64
	for _, r := range rows {
		if r.Kind == trace.AllKinds {
			all += r.Count
		} else {
			kinds += r.Count
		}
	}
	require.EqualValues(t, 4*56*126, all)
	require.Equal(t, all, kinds)
}

func TestStoreAndOf(t *testing.T) {
	s := summarize(t, synth.FFT())
	s.Warnings = []string{"a", "b"}
	run := trace.Run{Manifest: trace.Manifest{Warnings: []string{"b"}}}
	s.Store(&run)
	require.Equal(t, []string{"b", "a"}, run.Manifest.Warnings)
	require.Equal(t, s.Rows, Of(run).Rows)
}

// TestTopBin: what lies in the open bin is a bound, and said to be.
func TestTopBin(t *testing.T) {
	l := synth.Load{Seed: 1, Nodes: 2, Packets: map[int]int{64: 60}, AddNs: [trace.NumStages]int64{trace.Dest: 100_000_000}}
	r := classRow(t, summarize(t, l), trace.ClassUnder128, trace.Dest)
	require.True(t, r.P50.LowerBound)
	require.True(t, r.P50.Ns.OK)
	require.False(t, r.MaxNs.OK)
	require.Equal(t, trace.SpreadBinsBound, r.Spread)
	require.Contains(t, r.Note, "the interval is too narrow")
	require.InDelta(t, 100e6, r.MeanNs.Value, 20e6, "means come from sums and have no top")
}

func TestDegreesOfFreedom(t *testing.T) {
	s := summarize(t, synth.Unloaded())
	require.EqualValues(t, 119, s.Rows[0].DF)
	require.EqualValues(t, 120, s.Rows[0].Count)
	require.InDelta(t, math.Sqrt(s.Rows[0].VarianceNs2.Value/120), s.Rows[0].SENs.Value, 1e-9)
}

func TestWideningReachesKindsAndBins(t *testing.T) {
	for _, c := range summarize(t, synth.FFT()).Classes {
		if c.Kind != "data" || c.Class != trace.ClassUnder128 || c.Stage != trace.Source {
			continue
		}
		all := classRow(t, summarize(t, synth.FFT()), c.Class, c.Stage)
		require.InEpsilon(t, all.SENs.Value, c.SENs.Value, 1e-9, "all packets under 128 bytes are of this kind")
		return
	}
	t.Fatal("no such row")
}

// TestPairBaselineFollowsItsClasses: pairs that exchange other sizes than the
// run as a whole have a baseline of their own.
func TestPairBaselineFollowsItsClasses(t *testing.T) {
	s := Signature{}
	g := trace.Group{Kind: trace.AllKinds}
	stat := func(n int64) trace.Stat {
		return trace.Stat{Stage: trace.Dest, Measured: trace.Measured{Count: n, MeanNs: trace.Some(1.0)}}
	}
	small, large := trace.Sizes{SizeLoBytes: 0, SizeHiBytes: 32}, trace.Sizes{SizeLoBytes: 4064, SizeHiBytes: 4096}
	s.Rows = []trace.SignatureRow{{Group: g, Sizes: small, Stat: stat(100)}, {Group: g, Sizes: large, Stat: stat(300)}}
	s.Classes = []trace.ClassRow{{Group: g, Class: trace.ClassUnder128, Stat: stat(100)}, {Group: g, Class: trace.Class4096, Stat: stat(300)}}
	for _, x := range []struct {
		class string
		n     int64
	}{{trace.AllSizes, 80}, {trace.ClassUnder128, 60}, {trace.Class4096, 20}} {
		s.Pairs = append(s.Pairs, trace.PairRow{Group: g, Class: x.class, Receiver: 1, Stat: stat(x.n)})
	}
	b := baseline(t)
	lo, _, _ := b.at(trace.Dest, small)
	hi, _, _ := b.at(trace.Dest, large)
	require.InDelta(t, (60*lo.value+20*hi.value)/80, s.Against(b).Pairs[0].BaselineNs.Value, 1e-6)
}
