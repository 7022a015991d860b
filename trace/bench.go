package trace

import (
	"errors"
	"fmt"
)

// LogPRow is one figure of a LogP measurement, in long form: a point of a
// signature, a gap of a sweep, or a parameter. Of the three kinds of values the
// one that fits the quantity is set; none is when it is not identifiable.
type LogPRow struct {
	Platform string `col:"platform" named:"yes" doc:"hardware profile"`
	Layer    string `col:"layer" named:"yes" doc:"communication layer"`
	Method   string `col:"method" named:"yes" doc:"signature, sweep or plogp"`
	Pattern  string `col:"pattern" named:"yes" doc:"who sends to whom"`
	Peers    int64  `col:"peers" range:"1.." doc:"peers of the one node, or pairs"`

	Quantity  string       `col:"quantity" named:"yes" doc:"cost, sender_gap, receiver_gap (measured); os, or, L, g, rtt, idle, o, T, bandwidth, gap_ratio (parameters); g_saturation, g0, plogp_L, swapped_os, swapped_or, swapped_g, swapped_g0, swapped_plogp_L, way_there, way_back (of plogp)"`
	SizeBytes Opt[int64]   `col:"size_bytes" range:"0.." unit:"B" doc:"message size; null for small messages of a signature"`
	M         Opt[int64]   `col:"m" range:"1.." doc:"messages in the burst"`
	DeltaNs   Opt[float64] `col:"delta_ns" range:"0.." unit:"ns" doc:"spin after each message"`
	Samples   Opt[int64]   `col:"samples" range:"1.." doc:"samples of a measured mean"`

	ValueNs   Opt[float64] `col:"value_ns" range:"0.." unit:"ns" doc:"a time"`
	LoNs      Opt[float64] `col:"lo_ns" range:"0.." unit:"ns" doc:"95 % confidence interval, lower end"`
	HiNs      Opt[float64] `col:"hi_ns" range:"0.." unit:"ns" doc:"95 % confidence interval, upper end"`
	ValueMBps Opt[float64] `col:"value_mbps" range:"0.." unit:"1e6 B/s" doc:"a bandwidth"`
	LoMBps    Opt[float64] `col:"lo_mbps" range:"0.." unit:"1e6 B/s" doc:"95 % confidence interval, lower end"`
	HiMBps    Opt[float64] `col:"hi_mbps" range:"0.." unit:"1e6 B/s" doc:"95 % confidence interval, upper end"`
	Ratio     Opt[float64] `col:"ratio" range:"0.." doc:"a ratio"`
	RatioLo   Opt[float64] `col:"ratio_lo" range:"0.." doc:"95 % confidence interval, lower end"`
	RatioHi   Opt[float64] `col:"ratio_hi" range:"0.." doc:"95 % confidence interval, upper end"`

	NotIdentifiable string `col:"not_identifiable" doc:"why a parameter has no value; empty when it has"`
}

// TableName implements Row.
func (LogPRow) TableName() string { return "logp" }

// Conditions implements the interface of that name.
func (r LogPRow) Conditions() error {
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
		case t.lo.Value > t.v.Value || t.v.Value > t.hi.Value:
			return fmt.Errorf("%s: %v in [%v, %v], wanted lo <= value <= hi", t.name, t.v.Value, t.lo.Value, t.hi.Value)
		}
		values++
	}
	if (values == 1) != (r.NotIdentifiable == "") || values > 1 {
		return fmt.Errorf("not_identifiable: %q beside %d values, wanted one value or a reason", r.NotIdentifiable, values)
	}
	return nil
}

// BandwidthRow is the bandwidth of one message size.
type BandwidthRow struct {
	Platform  string       `col:"platform" named:"yes" doc:"hardware profile"`
	Layer     string       `col:"layer" named:"yes" doc:"communication layer"`
	Test      string       `col:"test" named:"yes" doc:"pingpong, unidirectional, or simultaneous (both directions together)"`
	SizeBytes int64        `col:"size_bytes" range:"0.." unit:"B" doc:"message size"`
	MBps      float64      `col:"bandwidth_mbps" range:"0.." unit:"1e6 B/s" doc:"bandwidth"`
	OneWayNs  Opt[float64] `col:"one_way_ns" range:"0.." unit:"ns" doc:"half of the round trip; null in tests other than pingpong"`
}

// TableName implements Row.
func (BandwidthRow) TableName() string { return "bandwidth" }

// PerturbRow is a figure of a monitor's cost.
type PerturbRow struct {
	Platform  string       `col:"platform" named:"yes" doc:"hardware profile"`
	Build     string       `col:"build" named:"yes" doc:"build of the firmware: off, full, send, recv or clock"`
	Trace     string       `col:"trace" doc:"what is traced beside it; empty: nothing"`
	Test      string       `col:"test" named:"yes" doc:"stream, pingpong, simultaneous (both directions together), or an application"`
	SizeBytes Opt[int64]   `col:"size_bytes" range:"1.." unit:"B" doc:"message size; null for an application"`
	OneWayNs  Opt[float64] `col:"one_way_ns" range:"0.." unit:"ns" doc:"half of the round trip of pingpong"`
	OsNs      Opt[float64] `col:"os_ns" range:"0.." unit:"ns" doc:"time inside send while the request queue has room, of stream"`
	MBps      Opt[float64] `col:"bandwidth_mbps" range:"0.." unit:"1e6 B/s" doc:"bandwidth"`
	RunTimeNs Opt[float64] `col:"run_time_ns" range:"0.." unit:"ns" doc:"run time of an application"`

	NotRecorded Opt[int64] `col:"not_recorded" doc:"samples of an application that the monitor had no time for"`
}

// TableName implements Row.
func (PerturbRow) TableName() string { return "perturb" }

// InjectionRow is the time of injections of a size by a mechanism.
type InjectionRow struct {
	Platform  string  `col:"platform" named:"yes" doc:"hardware profile"`
	Mechanism string  `col:"mechanism" named:"yes" doc:"word, combining, mmx, sse, one-copy, double-buffered or zero-copy"`
	SizeBytes int64   `col:"size_bytes" range:"1.." unit:"B" doc:"bytes of an injection"`
	TimeNs    float64 `col:"time_ns" range:"0<.." unit:"ns" doc:"median time of an injection"`
	MBps      float64 `col:"bandwidth_mbps" range:"0<.." unit:"1e6 B/s" doc:"bandwidth"`
	Fastest   bool    `col:"fastest" doc:"the fastest mechanism of the size, of those that plans take"`
}

// TableName implements Row.
func (InjectionRow) TableName() string { return "tpil" }

// VerbsRow is a test of RDMA verbs with one size: a latency or a rate.
type VerbsRow struct {
	Platform    string       `col:"platform" named:"yes" doc:"hardware profile"`
	Operation   string       `col:"operation" named:"yes" doc:"write, read, send, fetch-add or compare-swap"`
	Measure     string       `col:"measure" named:"yes" doc:"latency or bandwidth"`
	Network     string       `col:"network" named:"yes" doc:"between the cards: cable or switch"`
	QueuePairs  int64        `col:"queue_pairs" range:"1.." doc:"queue pairs"`
	Outstanding int64        `col:"outstanding" range:"1.." doc:"operations under way of a queue pair, or of a thread of a swarm"`
	Threads     int64        `col:"threads" range:"1.." doc:"threads of each side, with queue pairs of their own"`
	Swarm       bool         `col:"swarm" doc:"threads draw the queue pair of each operation, and both sides send"`
	SizeBytes   int64        `col:"size_bytes" range:"1.." unit:"B" doc:"bytes of an operation"`
	Iterations  int64        `col:"iterations" range:"1.." doc:"operations, or round trips, that were measured"`
	MinNs       Opt[float64] `col:"min_ns" range:"0.." unit:"ns" doc:"shortest latency; this and the next are null for bandwidth"`
	MaxNs       Opt[float64] `col:"max_ns" range:"0.." unit:"ns" doc:"longest latency"`
	TypicalNs   Opt[float64] `col:"typical_ns" range:"0.." unit:"ns" doc:"median latency"`
	MeanNs      Opt[float64] `col:"mean_ns" range:"0.." unit:"ns" doc:"mean latency"`
	DeviationNs Opt[float64] `col:"stdev_ns" range:"0.." unit:"ns" doc:"standard deviation of latencies"`
	P99Ns       Opt[float64] `col:"p99_ns" range:"0.." unit:"ns" doc:"99th percentile of latencies"`
	P999Ns      Opt[float64] `col:"p999_ns" range:"0.." unit:"ns" doc:"99.9th percentile of latencies"`
	MBps        Opt[float64] `col:"bandwidth_mbps" range:"0.." unit:"1e6 B/s" doc:"bandwidth; this and the next are null for latency"`
	PerSecond   Opt[float64] `col:"per_second" range:"0.." unit:"1/s" doc:"operations per second"`
	Listed      Opt[float64] `col:"listed" range:"0.." doc:"what a listing has, in the unit of typical_ns or bandwidth_mbps; null without one"`
}

// TableName implements Row.
func (VerbsRow) TableName() string { return "verbs" }

// Conditions implements the interface of that name.
func (r VerbsRow) Conditions() error {
	if r.TypicalNs.OK == r.MBps.OK {
		return errors.New("typical_ns and bandwidth_mbps: wanted one of the two")
	}
	return nil
}
