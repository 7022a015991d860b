package histo

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"

	_ "github.com/sigview/sigview/check/testlong" // more cases in make test-long
)

func exampleSnapshot(t *testing.T) *Snapshot {
	s := published(2, 4)
	b := New(mustPlan(t, s))
	for i := range 200 {
		b.Record(Packet{Kind: trace.PageReply, Bytes: 4096, Peer: 1}, trace.Net, int64(33*(20+i%10)))
		b.Record(Packet{Tag: 1, Kind: trace.Data, Bytes: 16, Peer: 2}, trace.Source, int64(33*i))
	}
	b.Record(Packet{Kind: trace.PageRequest, Bytes: 32, Peer: 1}, trace.Net, -7)
	return b.Snapshot(0)
}

func TestLatencies(t *testing.T) {
	list := exampleSnapshot(t).Latencies()
	var labels []string
	for _, h := range list {
		labels = append(labels, h.Label())
		require.Equal(t, h.Label(), h.Hist.Tag())
	}
	require.Equal(t, []string{
		"tag0.all.net", "tag0.page-request.net", "tag0.page-reply.net", "tag1.all.source", "tag1.data.source",
	}, labels)
	require.EqualValues(t, 200, list[0].Hist.TotalCount())
	require.EqualValues(t, 1, list[0].Underflow)
	require.InEpsilon(t, 21_000, list[0].Hist.Min(), 0.001)
	require.Zero(t, list[1].Hist.TotalCount(), "the one of its kind was negative")

	top := list[4]
	bins, _ := exampleSnapshot(t).Layout().LatencyBins(trace.Source)
	above := 0
	for i := range 200 {
		if i >= bins-1 {
			above++
		}
	}
	require.EqualValues(t, above, top.Top)
	require.Positive(t, above)
	require.Equal(t, "tag0.page-reply.net: 200 packets, p50 25.0 µs, p90 29.0 µs, p99 29.0 µs, max 29.0 µs", list[2].String())
	require.Contains(t, top.String(), "p99 ≥ ")
	require.NotContains(t, top.String(), "p50 ≥ ")
}

// TestHDRKeepsBins: every bin of a distribution comes back from its
// HdrHistogram, whatever their number.
func TestHDRKeepsBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.Int64Range(2, 5000).Draw(t, "width")
		bins := rapid.IntRange(2, 16384).Draw(t, "bins")
		d := &Distribution{Counts: make([]uint64, bins), WidthNs: width}
		for range rapid.IntRange(1, 20).Draw(t, "n") {
			i := rapid.IntRange(0, bins-1).Draw(t, "bin")
			n := uint64(rapid.Uint32Range(1, math.MaxUint32).Draw(t, "count"))
			d.Counts[i] += n
			d.Count += n
		}
		got := make([]uint64, bins)
		for _, bar := range d.HDR().Distribution() {
			if bar.Count > 0 {
				mid := bar.From + (bar.To-bar.From)/2
				got[min(mid/width, int64(bins-1))] += uint64(bar.Count)
			}
		}
		// The open bin stands at its lower end, where the histogram may round
		// it into the last closed one.
		last := bins - 1
		if got[last] != d.Counts[last] {
			got[last-1] -= d.Counts[last] - got[last]
			got[last] = d.Counts[last]
		}
		require.Equal(t, d.Counts, got)
	})
}

// requireLog reads a log with the library's own reader, which keeps times in
// whole milliseconds only; their text has to be exact.
func requireLog(t require.TestingT, want []Interval, log string) {
	r := hdrhistogram.NewHistogramLogReader(strings.NewReader(log))
	var lines []string
	for line := range strings.Lines(log) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, `"`) {
			lines = append(lines, line)
		}
	}
	require.Len(t, lines, len(want))
	for i, v := range want {
		h, err := r.NextIntervalHistogram()
		require.NoError(t, err)
		require.True(t, v.Hist.Equals(h), "histogram %d", i)
		line := lines[i]
		if v.Tag != "" {
			require.Equal(t, v.Tag, h.Tag())
			_, line, _ = strings.Cut(line, ",")
		}
		cells := strings.Split(line, ",")
		require.Len(t, cells, 4)
		for k, ns := range []int64{v.StartNs, v.LengthNs} {
			text, ok := new(big.Rat).SetString(cells[k])
			require.True(t, ok, cells[k])
			require.Zero(t, text.Cmp(big.NewRat(ns, 1e9)), "%s s of %d ns", cells[k], ns)
		}
	}
	h, err := r.NextIntervalHistogram()
	require.NoError(t, err)
	require.Nil(t, h)
}

func TestLogRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Interval
		for range rapid.IntRange(0, 4).Draw(t, "intervals") {
			h := hdrhistogram.New(1, rapid.Int64Range(2, 1<<30).Draw(t, "highest"), rapid.IntRange(1, 4).Draw(t, "digits"))
			for range rapid.IntRange(0, 10).Draw(t, "values") {
				v := rapid.Int64Range(0, h.HighestTrackableValue()).Draw(t, "value")
				require.NoError(t, h.RecordValues(v, rapid.Int64Range(1, 1<<40).Draw(t, "count")))
			}
			list = append(list, Interval{
				Tag:      rapid.StringMatching(`[a-zA-Z0-9._=-]{0,12}`).Draw(t, "tag"),
				StartNs:  rapid.Int64Range(0, 1<<60).Draw(t, "start"),
				LengthNs: rapid.Int64Range(0, 1<<60).Draw(t, "length"),
				Hist:     h,
			})
		}
		var b bytes.Buffer
		require.NoError(t, WriteLog(&b, time.Time{}, list, "a comment"))
		requireLog(t, list, b.String())
		got, err := ReadLog(b.Bytes())
		require.NoError(t, err)
		require.Len(t, got, len(list))
		for i, v := range got {
			require.True(t, v.Hist.Equals(list[i].Hist), "histogram %d", i)
			v.Hist = list[i].Hist
			require.Equal(t, list[i], v)
		}
	})
}

// TestLogBegins: the header has the time at which the run began.
func TestLogBegins(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, time.Unix(1_700_000_000, 250_000_000), nil))
	require.Contains(t, b.String(), "#[StartTime: 1700000000.250 (seconds since epoch), 2023-11-14T22:13:20Z]\n#[BaseTime: 1700000000.250 (seconds since epoch)]\n")
}

func TestReadLogRefuses(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, time.Time{}, []Interval{{Tag: "a", LengthNs: 7, Hist: hdrhistogram.New(1, 1000, 3)}}))
	for _, c := range []struct{ from, to, want string }{
		{"Tag=a,", "Tag=a,1,", "line 5: 5 fields after the tag, wanted 4"},
		{"0.000000007", "0.07", `line 5: time "0.07": wanted seconds with nine decimals`},
		{"0.000000007", "-1.000000007", "wanted seconds"},
		{",HIST", ",HEST", "line 5: histogram: "},
	} {
		_, err := ReadLog([]byte(strings.Replace(b.String(), c.from, c.to, 1)))
		require.ErrorContains(t, err, c.want)
	}
}

func FuzzReadLog(f *testing.F) {
	var b bytes.Buffer
	h := hdrhistogram.New(1, 1000, 3)
	require.NoError(f, h.RecordValues(17, 3))
	require.NoError(f, WriteLog(&b, time.Time{}, []Interval{{Tag: "a", LengthNs: 7, Hist: h}}, "comment"))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadLog(data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, WriteLog(&again, time.Time{}, list), "what is read can be written")
	})
}

func TestLogOfARun(t *testing.T) {
	var list []Interval
	for _, h := range exampleSnapshot(t).Latencies() {
		list = append(list, Interval{Tag: h.Label(), StartNs: 1_500_000_000, LengthNs: 250, Hist: h.Hist})
	}
	var b bytes.Buffer
	require.NoError(t, WriteLog(&b, time.Time{}, list, "times are simulated"))
	lines := strings.Split(b.String(), "\n")
	require.Equal(t, []string{
		"#times are simulated",
		"#[Histogram log format version 1.3]",
		"#[StartTime: 0.000 (seconds since epoch), 1970-01-01T00:00:00Z]",
		"#[BaseTime: 0.000 (seconds since epoch)]",
		`"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"`,
	}, lines[:5])
	require.True(t, strings.HasPrefix(lines[5], "Tag=tag0.all.net,1.500000000,0.000000250,0.029"), lines[5])
	requireLog(t, list, b.String())
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteLogRefuses(t *testing.T) {
	h := hdrhistogram.New(1, 1000, 3)
	for _, c := range []struct {
		v    Interval
		want string
	}{
		{Interval{Tag: "a b", Hist: h}, "interval 0: tag: \"a b\", want no comma"},
		{Interval{Tag: "a,b", Hist: h}, "want no comma"},
		{Interval{Tag: "a\nb", Hist: h}, "want no comma"},
		{Interval{Tag: "a"}, "no histogram"},
		{Interval{StartNs: -1, Hist: h}, "neither negative"},
	} {
		require.ErrorContains(t, WriteLog(&bytes.Buffer{}, time.Time{}, []Interval{c.v}), c.want)
	}
	require.ErrorContains(t, WriteLog(&bytes.Buffer{}, time.Time{}, nil, "a\nb"), "log comment")
	require.ErrorContains(t, WriteLog(&bytes.Buffer{}, time.Time{}, nil, "[StartTime: 3"), "log comment")
	require.ErrorContains(t, WriteLog(failingWriter{}, time.Time{}, nil), "disk full")
}
