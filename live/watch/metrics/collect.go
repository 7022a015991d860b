package metrics

import (
	"fmt"
	"math"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/portable"
	"github.com/sigview/sigview/live/watch"
)

const prefix = "sigview_watch_"

var (
	stageSeconds  = prometheus.NewDesc(prefix+"stage_seconds", "Latencies of stages of messages.", []string{"program", "protocol", "direction", "size", "stage"}, nil)
	messages      = prometheus.NewDesc(prefix+"messages_total", "Messages that were followed.", nil, nil)
	followed      = prometheus.NewDesc(prefix+"followed_seconds_total", "Time in which messages were followed, without breaks.", nil, nil)
	measured      = prometheus.NewDesc(prefix+"measured_total", "Messages in the histograms, by the stages that they have.", []string{"stages"}, nil)
	notAttributed = prometheus.NewDesc(prefix+"not_attributed_total", "Messages in no histogram, by reason.", []string{"reason"}, nil)
)

// collector reads a watch.
type collector struct{ look *watch.Look }

func (collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{stageSeconds, messages, followed, measured, notAttributed} {
		out <- d
	}
}

// Collect sends what the watch has counted. When it has ended the scrape fails.
func (c collector) Collect(out chan<- prometheus.Metric) {
	t, err := c.look.Totals()
	if err != nil {
		out <- prometheus.NewInvalidMetric(stageSeconds, err)
		return
	}
	count := func(d *prometheus.Desc, n float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, n, labels...)
	}
	count(messages, float64(t.Messages))
	count(followed, t.Followed.Seconds())
	for _, f := range t.Measured {
		count(measured, float64(f.Count), f.Name)
	}
	for _, f := range t.Missing {
		count(notAttributed, float64(f.Count), f.Name)
	}
	for i := range t.Series {
		out <- series{&t.Series[i]}
	}
}

// series is a histogram with native and classic buckets.
type series struct{ *watch.Series }

func (series) Desc() *prometheus.Desc { return stageSeconds }

func (s series) Write(m *dto.Metric) error {
	protocol, direction := "tcp", "to-client"
	if s.UDP {
		protocol = "udp"
	}
	if s.ToServer {
		direction = "to-server"
	}
	m.Label = prometheus.MakeLabelPairs(stageSeconds, []string{s.Program, protocol, direction, fmt.Sprintf("%d-%d", s.Least, s.Most), analysis.StageName(s.Stage, true)})
	sum := float64(s.Sum) / 1e9
	m.Histogram = &dto.Histogram{SampleCount: &s.Count, SampleSum: &sum, Bucket: s.classic()}
	s.native(m.Histogram)
	return nil
}

// Classic buckets end at 2^leastBits ns, 1 µs, and at each power of two up to 2^mostBits ns, 17 s.
const leastBits, mostBits = 10, 34

// classic returns cumulative counts.
func (s series) classic() (out []*dto.Bucket) {
	for bits := leastBits; bits <= mostBits; bits++ {
		out = append(out, &dto.Bucket{CumulativeCount: new(uint64), UpperBound: new(float64(int64(1)<<bits) / 1e9)})
	}
	s.Bins(func(_, high int64, n uint64) {
		for i, b := range out {
			if high <= 1<<(leastBits+i) {
				*b.CumulativeCount += n
			}
		}
	})
	return out
}

// schema is that of native buckets: 2^schema to a doubling.
const schema = 3

// native fills in counts of native buckets. Bucket i ends at 2^(i/8) s.
func (s series) native(h *dto.Histogram) {
	h.Schema, h.ZeroThreshold, h.ZeroCount = new(int32(schema)), new(1e-9), new(uint64)
	next, before := int32(0), int64(0)
	s.Bins(func(low, high int64, n uint64) {
		if low == 0 {
			*h.ZeroCount += n
			return
		}
		i := int32(math.Ceil(portable.Log2(float64(low+high)/2e9) * (1 << schema)))
		last := len(h.PositiveSpan) - 1
		switch {
		case last >= 0 && i == next-1: // the bucket of the bin before
			h.PositiveDelta[len(h.PositiveDelta)-1] += int64(n)
			before += int64(n)
			return
		case last >= 0 && i == next:
			*h.PositiveSpan[last].Length++
		default:
			h.PositiveSpan = append(h.PositiveSpan, &dto.BucketSpan{Offset: new(i - next), Length: new(uint32(1))})
		}
		h.PositiveDelta = append(h.PositiveDelta, int64(n)-before)
		next, before = i+1, int64(n)
	})
}
