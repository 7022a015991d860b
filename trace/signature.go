package trace

import (
	"cmp"
	"fmt"
	"slices"
)

// Group identifies the packets of a row.
type Group struct {
	Tag   Tag       `col:"tag" key:"tag" doc:"the program that sent the packets"`
	Kind  string    `col:"kind" key:"kind" doc:"packet kind, or all kinds that carry a host request"`
	First Opt[bool] `col:"first" key:"first" doc:"true: first packets of messages; false: later ones; null: both together"`
}

func (g Group) check() error {
	if g.Kind == AllKinds {
		return nil
	}
	k, err := ParseKind(g.Kind)
	if err != nil {
		return err
	}
	if !k.CarriesRequest() {
		return fmt.Errorf("kind: %q carries no host request, wanted one that does or %q", g.Kind, AllKinds)
	}
	return nil
}

// Where a variance comes from.
const (
	SpreadSquares   = "squares"           // from sums of squares: exact
	SpreadBins      = "bins"              // from latency bins, each assumed uniformly filled
	SpreadBinsBound = "bins, lower bound" // the same, but the open top bin holds packets
	SpreadNone      = ""                  // not known
)

// Where a baseline value comes from.
const (
	BaselineBin     = "bin"          // the same size bin of the baseline run
	BaselineBetween = "interpolated" // linear between the nearest measured bins on either side
	BaselineMixed   = "mixed"        // per size, weighted by the packets' own sizes
	BaselineIdle    = "operations"   // by kind and predecessor, from operations played one at a time
	BaselineNone    = ""             // none; BaselineNote gives the reason
)

// Stat describes one latency of a group of packets: the measured figures, the
// baseline of the same packets, and their comparison.
type Stat struct {
	Stage Stage `col:"stage" doc:"which latency"`
	Measured
	Unloaded
	Judged
}

// Measured holds the recorded figures. MeanNs is null if no packet was recorded,
// VarianceNs2 if fewer than two were or the spread is not known.
type Measured struct {
	Count       int64        `col:"count" range:"0.." key:"count" doc:"packets"`
	MeanNs      Opt[float64] `col:"mean_ns" key:"mean_us" unit:"ns" doc:"mean, from sums"`
	VarianceNs2 Opt[float64] `col:"variance_ns2" range:"0.." unit:"ns^2" doc:"variance of one packet's latency"`
	Spread      string       `col:"spread" doc:"where the variance comes from: squares, bins, or empty; bins that hold packets in the open top bin give a lower bound"`
	SENs        Opt[float64] `col:"se_ns" range:"0.." unit:"ns" doc:"standard error of the mean; wider than sqrt(variance/count) where packets from one node to another are alike"`
	DF          int64        `col:"df" range:"0.." doc:"degrees of freedom of the standard error"`
	MinNs       Opt[int64]   `col:"min_ns" unit:"ns" doc:"smallest latency; lower edge of its bin when taken from bins"`
	MaxNs       Opt[int64]   `col:"max_ns" unit:"ns" doc:"largest latency; upper edge of its bin when taken from bins, null when that is the top bin"`
	P50         Percentile   `col:"p50" key:"p50" doc:"median"`
	P90         Percentile   `col:"p90" key:"p90" doc:"90th percentile"`
	P99         Percentile   `col:"p99" key:"p99" doc:"99th percentile"`
}

// Unloaded is the baseline: the same latency of packets of the same sizes in a run
// without contention.
type Unloaded struct {
	BaselineNs   Opt[float64] `col:"baseline_ns" key:"baseline_us" unit:"ns" doc:"mean of the unloaded run for packets of these sizes and, for programs with operations, kinds and predecessors"`
	BySizeNs     Opt[float64] `col:"baseline_by_size_ns" key:"baseline_by_size_us" unit:"ns" doc:"mean of single messages of these sizes on idle nodes, whatever the kind"`
	BaselineFrom string       `col:"baseline_from" key:"baseline_from" doc:"bin, interpolated, mixed (by the packets' own sizes), operations (by kind and predecessor, of operations played one at a time on two idle nodes), or empty"`
	BaselineNote string       `col:"baseline_note" key:"baseline_note,omit" doc:"why there is no baseline, or what it leaves out"`
}

// Judged compares the measured mean with the baseline. The intervals are at 95 %, and
// null if the spread of the measured latencies is not known.
type Judged struct {
	DeviationNs     Opt[float64] `col:"deviation_ns" key:"deviation_us" unit:"ns" doc:"mean less baseline"`
	CILoNs          Opt[float64] `col:"ci_lo_ns" key:"ci_lo_us" unit:"ns" doc:"95 % confidence interval of the mean, with the uncertainty of the baseline where there is one: lower end"`
	CIHiNs          Opt[float64] `col:"ci_hi_ns" key:"ci_hi_us" unit:"ns" doc:"95 % confidence interval of the mean, with the uncertainty of the baseline where there is one: upper end"`
	DeviationCILoNs Opt[float64] `col:"deviation_ci_lo_ns" key:"deviation_ci_lo_us,omit" unit:"ns" doc:"95 % confidence interval of the deviation, lower end"`
	DeviationCIHiNs Opt[float64] `col:"deviation_ci_hi_ns" key:"deviation_ci_hi_us,omit" unit:"ns" doc:"95 % confidence interval of the deviation, upper end"`
	Weak            bool         `col:"weak" key:"weak,omit" doc:"the mean rests on few packets"`
	Note            string       `col:"note" key:"note,omit" doc:"what makes a value doubtful or missing"`
}

func (s Stat) check() error {
	if s.Stage > NetMinusLANai {
		return fmt.Errorf("stage: %d, wanted one of %v", uint8(s.Stage), Stages())
	}
	return cmp.Or(s.Measured.check(), s.Unloaded.check())
}

func (m Measured) check() error {
	switch {
	case m.Count == 0 && m.MeanNs.OK:
		return fmt.Errorf("mean_ns: %v of no packets, wanted null", m.MeanNs.Value)
	case m.SENs.OK && m.DF < 1:
		return fmt.Errorf("df: %d of a standard error, wanted 1 or more", m.DF)
	case m.MinNs.OK && m.MaxNs.OK && m.MinNs.Value > m.MaxNs.Value:
		return fmt.Errorf("min_ns: %d above max_ns %d", m.MinNs.Value, m.MaxNs.Value)
	}
	return cmp.Or(
		oneOf("spread", m.Spread, SpreadSquares, SpreadBins, SpreadBinsBound, SpreadNone),
		m.checkPercentiles())
}

func (u Unloaded) check() error {
	return cmp.Or(
		oneOf("baseline_from", u.BaselineFrom, BaselineBin, BaselineBetween, BaselineMixed, BaselineIdle, BaselineNone))
}

func (m Measured) checkPercentiles() error {
	for _, p := range []struct {
		name string
		v    Percentile
	}{{"p50", m.P50}, {"p90", m.P90}, {"p99", m.P99}} {
		switch {
		case !p.v.Ns.OK && p.v.Reason == "":
			return fmt.Errorf("%s_ns: null without a reason in %s_reason", p.name, p.name)
		case p.v.Ns.OK && p.v.Reason != "":
			return fmt.Errorf("%s_reason: %q beside a value, wanted nothing", p.name, p.v.Reason)
		case (p.v.LowerBound || p.v.UpperBound) && !p.v.Ns.OK:
			return fmt.Errorf("%s_lower_bound, %s_upper_bound: set, but %s_ns is null", p.name, p.name, p.name)
		}
	}
	for _, p := range [][2]Percentile{{m.P50, m.P90}, {m.P90, m.P99}, {m.P50, m.P99}} {
		if p[0].Ns.OK && p[1].Ns.OK && p[0].Ns.Value > p[1].Ns.Value {
			return fmt.Errorf("percentiles: %d ns of a lower one above %d ns of a higher one", p[0].Ns.Value, p[1].Ns.Value)
		}
	}
	return nil
}

func oneOf(field, got string, want ...string) error {
	if slices.Contains(want, got) {
		return nil
	}
	return fmt.Errorf("%s: %q, wanted one of %q", field, got, want)
}

// Sizes is a bin of payload sizes, (SizeLoBytes, SizeHiBytes]. A bin from 0 also has packets without payload.
type Sizes struct {
	SizeLoBytes int64 `col:"size_lo_bytes" range:"0.." key:"size_lo_bytes" unit:"B" doc:"payload is more than this; from 0 on also packets without payload"`
	SizeHiBytes int64 `col:"size_hi_bytes" key:"size_hi_bytes" unit:"B" doc:"payload is at most this"`
}

// Holds reports whether packets with this payload are in the bin.
func (s Sizes) Holds(bytes int64) bool {
	return (bytes > s.SizeLoBytes || s.SizeLoBytes == 0) && bytes <= s.SizeHiBytes
}

func (s Sizes) check() error {
	if s.SizeHiBytes <= s.SizeLoBytes {
		return fmt.Errorf("size bin: (%d, %d], wanted lo < hi", s.SizeLoBytes, s.SizeHiBytes)
	}
	return nil
}

// SignatureRow is one latency of the packets of one size bin.
type SignatureRow struct {
	Group
	Sizes
	Stat
}

// TableName implements Row.
func (SignatureRow) TableName() string { return "signature" }

// Conditions implements the interface of that name.
func (r SignatureRow) Conditions() error {
	return cmp.Or(r.Group.check(), r.Sizes.check(), r.Stat.check())
}

// AllSizes stands in the class column for packets of all sizes.
const AllSizes = "all"

// Size classes that scripts may rely on.
const (
	ClassUnder128 = "under_128"
	Class128      = "128_to_1023"
	Class1024     = "1024_to_4095"
	Class4096     = "4096"
)

// Classes lists the size classes from small to large.
func Classes() []string { return []string{ClassUnder128, Class128, Class1024, Class4096} }

// ClassRow is one latency of the packets of one size class.
type ClassRow struct {
	Group
	Class string `col:"class" key:"class" doc:"size class"`
	Sizes
	Stat
}

// TableName implements Row.
func (ClassRow) TableName() string { return "classes" }

// Conditions implements the interface of that name.
func (r ClassRow) Conditions() error {
	return cmp.Or(r.Group.check(), oneOf("class", r.Class, Classes()...), r.Sizes.check(), r.Stat.check())
}

// SequenceRow is one latency of the packets of one kind that follow the same predecessor,
// by ranges of sizes within classes. Only kinds that follow packets of their own operation have rows.
type SequenceRow struct {
	Group
	After string `col:"after" named:"yes" key:"after" doc:"kind and size class of the packet before at the sender's interface, of the same operation; or none"`
	Class string `col:"class" key:"class" doc:"size class that holds the sizes"`
	Sizes
	Stat
}

// TableName implements Row.
func (SequenceRow) TableName() string { return "sequences" }

// Conditions implements the interface of that name.
func (r SequenceRow) Conditions() error {
	return cmp.Or(r.Group.check(), oneOf("class", r.Class, Classes()...), r.Sizes.check(), r.Stat.check())
}

// PairRow is one latency of the packets from one node to another.
type PairRow struct {
	Group
	Class    string `col:"class" doc:"size class, or all sizes"`
	Sender   int64  `col:"sender" range:"0.." key:"sender" doc:"node that sent"`
	Receiver int64  `col:"receiver" range:"0.." key:"receiver" doc:"node that received"`
	Stat
}

// TableName implements Row.
func (PairRow) TableName() string { return "pairs" }

// Conditions implements the interface of that name.
func (r PairRow) Conditions() error {
	return cmp.Or(r.Group.check(), oneOf("class", r.Class, append(Classes(), AllSizes)...), r.Stat.check())
}
