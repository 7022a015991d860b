package metrics

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os/exec"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/live/watch"
)

// TestListen: what has no host is of the loopback.
func TestListen(t *testing.T) {
	for address, want := range map[string]string{"0": "127.0.0.1", ":0": "127.0.0.1", "127.0.0.2:0": "127.0.0.2", "[::1]:0": "::1"} {
		l, err := Listen(address)
		require.NoError(t, err, address)
		require.Equal(t, want, l.Addr().(*net.TCPAddr).IP.String(), address)
		require.NoError(t, l.Close())
	}
	for _, address := range []string{"x", "1:2:3", "127.0.0.1:70000"} {
		_, err := Listen(address)
		require.Error(t, err, address)
	}
}

// scraped returns what an address serves in a format, by names.
func scraped(t *testing.T, at string, format expfmt.FormatType) (raw []byte, out map[string]*dto.MetricFamily) {
	t.Helper()
	ask, err := http.NewRequest(http.MethodGet, "http://"+at+"/metrics", nil)
	require.NoError(t, err)
	ask.Header.Set("Accept", string(expfmt.NewFormat(format)))
	answer, err := http.DefaultClient.Do(ask)
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode)
	raw, err = io.ReadAll(answer.Body)
	require.NoError(t, err)
	out = map[string]*dto.MetricFamily{}
	decoder := expfmt.NewDecoder(bytes.NewReader(raw), expfmt.ResponseFormat(answer.Header))
	for {
		f := new(dto.MetricFamily)
		if err := decoder.Decode(f); errors.Is(err, io.EOF) {
			return raw, out
		}
		require.NoError(t, err)
		out[f.GetName()] = f
	}
}

// label returns that of a metric.
func label(m *dto.Metric, name string) string {
	for _, l := range m.Label {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}

// TestScrapesHaveEveryMessage: histograms have each message once in each stage, in classic and in native buckets that agree.
func TestScrapesHaveEveryMessage(t *testing.T) {
	for _, n := range watch.Check() {
		if !n.There {
			testnet.Skip(t, "nothing can be watched here without "+n.Name+": "+n.Costs)
		}
	}
	const messages, size = 500, 300
	traffic, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer traffic.Close()
	l, err := Listen("0")
	require.NoError(t, err)
	defer l.Close()
	spec := watch.Default()
	spec.Ports, spec.Budget = []int{traffic.Addr().(*net.TCPAddr).Port}, 0
	ctx, end := context.WithCancel(t.Context())
	_, err = watch.Run(ctx, spec, func(look *watch.Look) error {
		defer end()
		go Serve(l, look) //nolint:errcheck // it ends with the listener
		for round := 1; round <= 2; round++ {
			if err := testnet.Exchange(traffic, messages, size, 0, nil); err != nil {
				return err
			}
			text, all := scraped(t, l.Addr().String(), expfmt.TypeTextPlain)
			problems, err := promlint.New(bytes.NewReader(text)).Lint()
			require.NoError(t, err)
			require.Empty(t, problems)
			if promtool, err := exec.LookPath("promtool"); err == nil {
				c := exec.Command(promtool, "check", "metrics")
				c.Stdin = bytes.NewReader(text)
				said, err := c.CombinedOutput()
				require.NoError(t, err, string(said))
			}
			require.EqualValues(t, round*2*messages, all["sigview_watch_messages_total"].Metric[0].Counter.GetValue())
			require.Positive(t, all["sigview_watch_followed_seconds_total"].Metric[0].Counter.GetValue())
			_, native := scraped(t, l.Addr().String(), expfmt.TypeProtoDelim)
			stages := native["sigview_watch_stage_seconds"].Metric
			require.Len(t, stages, 2*4)
			for _, m := range stages {
				require.Equal(t, "256-511", label(m, "size"))
				require.EqualValues(t, round*messages, m.Histogram.GetSampleCount())
				agree(t, m.Histogram)
			}
		}
		return nil
	})
	require.NoError(t, err)
	answer, err := http.Get("http://" + l.Addr().String() + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusInternalServerError, answer.StatusCode, "the watch has ended")
}

// agree requires that native buckets have all latencies, at the places of the classic ones but for one bucket, and that
// their sum lies where they are.
func agree(t *testing.T, h *dto.Histogram) {
	count, at, total, least, most := int64(0), int32(0), h.GetZeroCount(), 0.0, 0.0
	upTo := func(i int32) float64 { return math.Exp2(float64(i) / (1 << schema)) }
	spans := h.PositiveSpan
	deltas := h.PositiveDelta
	for _, s := range spans {
		at += s.GetOffset()
		for range s.GetLength() {
			count += deltas[0]
			deltas = deltas[1:]
			total += uint64(count)
			least += float64(count) * upTo(at-2)
			most += float64(count) * upTo(at+1)
			for _, b := range h.Bucket {
				if upTo(at+1) <= b.GetUpperBound() {
					require.GreaterOrEqual(t, b.GetCumulativeCount(), total)
				}
			}
			at++
		}
	}
	require.Empty(t, deltas)
	require.Equal(t, h.GetSampleCount(), total)
	require.LessOrEqual(t, least, h.GetSampleSum())
	require.GreaterOrEqual(t, most, h.GetSampleSum())
}
