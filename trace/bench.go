package trace

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// LogPRow is one figure of a LogP measurement, in long form: a point of a
// signature, a gap of a sweep, or a parameter. Of the three kinds of values the
// one that fits the quantity is set; none is when it is not identifiable.
type LogPRow struct {
	Platform string `col:"platform" doc:"hardware profile"`
	Layer    string `col:"layer" doc:"communication layer"`
	Method   string `col:"method" doc:"signature, sweep or plogp"`
	Pattern  string `col:"pattern" doc:"who sends to whom"`
	Peers    int64  `col:"peers" doc:"peers of the one node, or pairs"`

	Quantity  string       `col:"quantity" doc:"cost, sender_gap, receiver_gap (measured); os, or, L, g, rtt, idle, o, T, bandwidth, gap_ratio (parameters); g_saturation, g0, plogp_L, swapped_os, swapped_or, swapped_g, swapped_g0, swapped_plogp_L, way_there, way_back (of plogp)"`
	SizeBytes Opt[int64]   `col:"size_bytes" unit:"B" doc:"message size; null for small messages of a signature"`
	M         Opt[int64]   `col:"m" doc:"messages in the burst"`
	DeltaNs   Opt[float64] `col:"delta_ns" unit:"ns" doc:"spin after each message"`
	Samples   Opt[int64]   `col:"samples" doc:"samples of a measured mean"`

	ValueNs   Opt[float64] `col:"value_ns" unit:"ns" doc:"a time"`
	LoNs      Opt[float64] `col:"lo_ns" unit:"ns" doc:"95 % confidence interval, lower end"`
	HiNs      Opt[float64] `col:"hi_ns" unit:"ns" doc:"95 % confidence interval, upper end"`
	ValueMBps Opt[float64] `col:"value_mbps" unit:"1e6 B/s" doc:"a bandwidth"`
	LoMBps    Opt[float64] `col:"lo_mbps" unit:"1e6 B/s" doc:"95 % confidence interval, lower end"`
	HiMBps    Opt[float64] `col:"hi_mbps" unit:"1e6 B/s" doc:"95 % confidence interval, upper end"`
	Ratio     Opt[float64] `col:"ratio" doc:"a ratio"`
	RatioLo   Opt[float64] `col:"ratio_lo" doc:"95 % confidence interval, lower end"`
	RatioHi   Opt[float64] `col:"ratio_hi" doc:"95 % confidence interval, upper end"`

	NotIdentifiable string `col:"not_identifiable" doc:"why a parameter has no value; empty when it has"`
}

// TableName implements Row.
func (LogPRow) TableName() string { return "logp" }

// Check implements Row.
func (r LogPRow) Check() error {
	if err := named([]string{"platform", "layer", "method", "pattern", "quantity"}, r.Platform, r.Layer, r.Method, r.Pattern, r.Quantity); err != nil {
		return err
	}
	if r.Peers < 1 {
		return fmt.Errorf("peers: %d, wanted 1 or more", r.Peers)
	}
	values := 0
	for _, t := range []struct {
		name      string
		v, lo, hi Opt[float64]
	}{
		{"value_ns", r.ValueNs, r.LoNs, r.HiNs}, {"value_mbps", r.ValueMBps, r.LoMBps, r.HiMBps}, {"ratio", r.Ratio, r.RatioLo, r.RatioHi},
	} {
		switch {
		case t.v.OK != t.lo.OK || t.v.OK != t.hi.OK:
			return fmt.Errorf("%s: value and interval, wanted all or none of the three", t.name)
		case !t.v.OK:
			continue
		case !(0 <= t.lo.Value && t.lo.Value <= t.v.Value && t.v.Value <= t.hi.Value):
			return fmt.Errorf("%s: %v in [%v, %v], wanted 0 <= lo <= value <= hi", t.name, t.v.Value, t.lo.Value, t.hi.Value)
		}
		if err := finite(t.name, t.hi.Value); err != nil {
			return err
		}
		values++
	}
	if (values == 1) != (r.NotIdentifiable == "") || values > 1 {
		return fmt.Errorf("not_identifiable: %q beside %d values, wanted one value or a reason", r.NotIdentifiable, values)
	}
	for _, n := range []struct {
		name string
		v    Opt[int64]
		min  int64
	}{{"size_bytes", r.SizeBytes, 0}, {"m", r.M, 1}, {"samples", r.Samples, 1}} {
		if n.v.OK && n.v.Value < n.min {
			return fmt.Errorf("%s: %d, wanted %d or more", n.name, n.v.Value, n.min)
		}
	}
	if r.DeltaNs.OK && !(r.DeltaNs.Value >= 0) {
		return fmt.Errorf("delta_ns: %v, wanted 0 or more", r.DeltaNs.Value)
	}
	return finite("delta_ns", r.DeltaNs.Value)
}

// BandwidthRow is the bandwidth of one message size.
type BandwidthRow struct {
	Platform  string       `col:"platform" doc:"hardware profile"`
	Layer     string       `col:"layer" doc:"communication layer"`
	Test      string       `col:"test" doc:"pingpong, unidirectional, or simultaneous (both directions together)"`
	SizeBytes int64        `col:"size_bytes" unit:"B" doc:"message size"`
	MBps      float64      `col:"bandwidth_mbps" unit:"1e6 B/s" doc:"bandwidth"`
	OneWayNs  Opt[float64] `col:"one_way_ns" unit:"ns" doc:"half of the round trip; null in tests other than pingpong"`
}

// TableName implements Row.
func (BandwidthRow) TableName() string { return "bandwidth" }

// Check implements Row.
func (r BandwidthRow) Check() error {
	if err := named([]string{"platform", "layer", "test"}, r.Platform, r.Layer, r.Test); err != nil {
		return err
	}
	switch {
	case r.SizeBytes < 0:
		return fmt.Errorf("size_bytes: %d, wanted 0 or more", r.SizeBytes)
	case !(r.MBps >= 0):
		return fmt.Errorf("bandwidth_mbps: %v, wanted 0 or more", r.MBps)
	case r.OneWayNs.OK && !(r.OneWayNs.Value >= 0):
		return fmt.Errorf("one_way_ns: %v, wanted 0 or more", r.OneWayNs.Value)
	}
	return cmp.Or(finite("bandwidth_mbps", r.MBps), finite("one_way_ns", r.OneWayNs.Value))
}

// PerturbRow is a figure of a monitor's cost.
type PerturbRow struct {
	Platform  string       `col:"platform" doc:"hardware profile"`
	Build     string       `col:"build" doc:"build of the firmware: off, full, send, recv or clock"`
	Trace     string       `col:"trace" doc:"what is traced beside it; empty: nothing"`
	Test      string       `col:"test" doc:"stream, pingpong, simultaneous (both directions together), or an application"`
	SizeBytes Opt[int64]   `col:"size_bytes" unit:"B" doc:"message size; null for an application"`
	OneWayNs  Opt[float64] `col:"one_way_ns" unit:"ns" doc:"half of the round trip of pingpong"`
	OsNs      Opt[float64] `col:"os_ns" unit:"ns" doc:"time inside send while the request queue has room, of stream"`
	MBps      Opt[float64] `col:"bandwidth_mbps" unit:"1e6 B/s" doc:"bandwidth"`
	RunTimeNs Opt[float64] `col:"run_time_ns" unit:"ns" doc:"run time of an application"`

	NotRecorded Opt[int64] `col:"not_recorded" doc:"samples of an application that the monitor had no time for"`
}

// TableName implements Row.
func (PerturbRow) TableName() string { return "perturb" }

// Check implements Row.
func (r PerturbRow) Check() error {
	if err := named([]string{"platform", "build", "test"}, r.Platform, r.Build, r.Test); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		v    Opt[float64]
	}{{"one_way_ns", r.OneWayNs}, {"os_ns", r.OsNs}, {"bandwidth_mbps", r.MBps}, {"run_time_ns", r.RunTimeNs}} {
		if c.v.OK && !(c.v.Value >= 0 && c.v.Value < math.Inf(1)) {
			return fmt.Errorf("%s: %v, wanted 0 or more", c.name, c.v.Value)
		}
	}
	if r.SizeBytes.OK && r.SizeBytes.Value < 1 {
		return fmt.Errorf("size_bytes: %d, wanted 1 or more", r.SizeBytes.Value)
	}
	return nil
}

// InjectionRow is the time of injections of a size by a mechanism.
type InjectionRow struct {
	Platform  string  `col:"platform" doc:"hardware profile"`
	Mechanism string  `col:"mechanism" doc:"word, combining, mmx, sse, one-copy, double-buffered or zero-copy"`
	SizeBytes int64   `col:"size_bytes" unit:"B" doc:"bytes of an injection"`
	TimeNs    float64 `col:"time_ns" unit:"ns" doc:"median time of an injection"`
	MBps      float64 `col:"bandwidth_mbps" unit:"1e6 B/s" doc:"bandwidth"`
	Fastest   bool    `col:"fastest" doc:"the fastest mechanism of the size, of those that plans take"`
}

// TableName implements Row.
func (InjectionRow) TableName() string { return "tpil" }

// Check implements Row.
func (r InjectionRow) Check() error {
	if err := named([]string{"platform", "mechanism"}, r.Platform, r.Mechanism); err != nil {
		return err
	}
	switch {
	case r.SizeBytes < 1:
		return fmt.Errorf("size_bytes: %d, wanted 1 or more", r.SizeBytes)
	case !(r.TimeNs > 0 && r.TimeNs < math.Inf(1)):
		return fmt.Errorf("time_ns: %v, wanted more than 0", r.TimeNs)
	case !(r.MBps > 0 && r.MBps < math.Inf(1)):
		return fmt.Errorf("bandwidth_mbps: %v, wanted more than 0", r.MBps)
	}
	return nil
}

// VerbsRow is a test of RDMA verbs with one size: a latency or a rate.
type VerbsRow struct {
	Platform    string       `col:"platform" doc:"hardware profile"`
	Operation   string       `col:"operation" doc:"write, read, send, fetch-add or compare-swap"`
	Measure     string       `col:"measure" doc:"latency or bandwidth"`
	Network     string       `col:"network" doc:"between the cards: cable or switch"`
	QueuePairs  int64        `col:"queue_pairs" doc:"queue pairs"`
	Outstanding int64        `col:"outstanding" doc:"operations of a queue pair under way"`
	SizeBytes   int64        `col:"size_bytes" unit:"B" doc:"bytes of an operation"`
	Iterations  int64        `col:"iterations" doc:"operations, or round trips, that were measured"`
	MinNs       Opt[float64] `col:"min_ns" unit:"ns" doc:"shortest latency; this and the next are null for bandwidth"`
	MaxNs       Opt[float64] `col:"max_ns" unit:"ns" doc:"longest latency"`
	TypicalNs   Opt[float64] `col:"typical_ns" unit:"ns" doc:"median latency"`
	MeanNs      Opt[float64] `col:"mean_ns" unit:"ns" doc:"mean latency"`
	DeviationNs Opt[float64] `col:"stdev_ns" unit:"ns" doc:"standard deviation of latencies"`
	P99Ns       Opt[float64] `col:"p99_ns" unit:"ns" doc:"99th percentile of latencies"`
	P999Ns      Opt[float64] `col:"p999_ns" unit:"ns" doc:"99.9th percentile of latencies"`
	MBps        Opt[float64] `col:"bandwidth_mbps" unit:"1e6 B/s" doc:"bandwidth; this and the next are null for latency"`
	PerSecond   Opt[float64] `col:"per_second" unit:"1/s" doc:"operations per second"`
	Listed      Opt[float64] `col:"listed" doc:"what a listing has, in the unit of typical_ns or bandwidth_mbps; null without one"`
}

// TableName implements Row.
func (VerbsRow) TableName() string { return "verbs" }

// Check implements Row.
func (r VerbsRow) Check() error {
	if err := named([]string{"platform", "operation", "measure", "network"}, r.Platform, r.Operation, r.Measure, r.Network); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		v    int64
	}{{"queue_pairs", r.QueuePairs}, {"outstanding", r.Outstanding}, {"size_bytes", r.SizeBytes}, {"iterations", r.Iterations}} {
		if c.v < 1 {
			return fmt.Errorf("%s: %d, wanted 1 or more", c.name, c.v)
		}
	}
	for _, c := range []struct {
		name string
		v    Opt[float64]
	}{
		{"min_ns", r.MinNs}, {"max_ns", r.MaxNs}, {"typical_ns", r.TypicalNs}, {"mean_ns", r.MeanNs}, {"stdev_ns", r.DeviationNs},
		{"p99_ns", r.P99Ns}, {"p999_ns", r.P999Ns}, {"bandwidth_mbps", r.MBps}, {"per_second", r.PerSecond}, {"listed", r.Listed},
	} {
		if c.v.OK && !(c.v.Value >= 0 && c.v.Value < math.Inf(1)) {
			return fmt.Errorf("%s: %v, wanted 0 or more", c.name, c.v.Value)
		}
	}
	if r.TypicalNs.OK == r.MBps.OK {
		return errors.New("typical_ns and bandwidth_mbps: wanted one of the two")
	}
	return nil
}

// named reports the first name that is empty.
func named(columns []string, values ...string) error {
	for i, v := range values {
		if v == "" {
			return fmt.Errorf("%s: empty, wanted a name", columns[i])
		}
	}
	return nil
}
