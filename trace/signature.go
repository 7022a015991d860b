package trace

import (
	"fmt"
	"math"
)

// Group says which packets a row is about.
type Group struct {
	Tag   Tag       `col:"tag" doc:"the program that sent the packets"`
	Kind  string    `col:"kind" doc:"packet kind, or all kinds that carry a host request"`
	First Opt[bool] `col:"first" doc:"true: first packets of messages; false: later ones; null: both together"`
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
	SpreadBins      = "bins"              // from latency bins, each taken as uniformly filled
	SpreadBinsBound = "bins, lower bound" // the same, but the open top bin holds packets
	SpreadNone      = ""                  // not known
)

// Where a baseline value comes from.
const (
	BaselineBin     = "bin"          // the same size bin of the baseline run
	BaselineBetween = "interpolated" // straight line between the nearest measured bins on either side
	BaselineMixed   = "mixed"        // per size, weighted by the packets' own sizes
	BaselineNone    = ""             // none; BaselineNote says why
)

// Stat describes one latency of a group of packets. MeanNs is null when no
// packet was recorded, VarianceNs2 and the intervals when fewer than two were
// or the spread is not known. The intervals are at 95 %.
type Stat struct {
	Stage       Stage        `col:"stage" doc:"which latency"`
	Count       int64        `col:"count" doc:"packets"`
	MeanNs      Opt[float64] `col:"mean_ns" unit:"ns" doc:"mean, from sums"`
	VarianceNs2 Opt[float64] `col:"variance_ns2" unit:"ns^2" doc:"variance of one packet's latency"`
	Spread      string       `col:"spread" doc:"where the variance comes from: squares, bins, or empty; bins that hold packets in the open top bin give a lower bound"`
	SENs        Opt[float64] `col:"se_ns" unit:"ns" doc:"standard error of the mean; wider than sqrt(variance/count) where packets from one node to another are alike"`
	DF          int64        `col:"df" doc:"degrees of freedom of the standard error"`
	MinNs       Opt[int64]   `col:"min_ns" unit:"ns" doc:"smallest latency; lower edge of its bin when taken from bins"`
	MaxNs       Opt[int64]   `col:"max_ns" unit:"ns" doc:"largest latency; upper edge of its bin when taken from bins, null when that is the top bin"`
	P50         Percentile   `col:"p50" doc:"median"`
	P90         Percentile   `col:"p90" doc:"90th percentile"`
	P99         Percentile   `col:"p99" doc:"99th percentile"`

	BaselineNs      Opt[float64] `col:"baseline_ns" unit:"ns" doc:"mean of the unloaded run for packets of these sizes"`
	BaselineFrom    string       `col:"baseline_from" doc:"bin, interpolated, mixed (by the packets' own sizes), or empty"`
	BaselineNote    string       `col:"baseline_note" doc:"why there is no baseline, or what it leaves out"`
	DeviationNs     Opt[float64] `col:"deviation_ns" unit:"ns" doc:"mean less baseline"`
	CILoNs          Opt[float64] `col:"ci_lo_ns" unit:"ns" doc:"95 % confidence interval of the mean, with the doubt of the baseline where there is one: lower end"`
	CIHiNs          Opt[float64] `col:"ci_hi_ns" unit:"ns" doc:"95 % confidence interval of the mean, with the doubt of the baseline where there is one: upper end"`
	DeviationCILoNs Opt[float64] `col:"deviation_ci_lo_ns" unit:"ns" doc:"95 % confidence interval of the deviation, lower end"`
	DeviationCIHiNs Opt[float64] `col:"deviation_ci_hi_ns" unit:"ns" doc:"95 % confidence interval of the deviation, upper end"`
	Weak            bool         `col:"weak" doc:"the mean rests on few packets"`
	Note            string       `col:"note" doc:"what makes a value doubtful or missing"`
}

func (s Stat) check() error {
	switch {
	case s.Stage > NetMinusLANai:
		return fmt.Errorf("stage: %d, wanted one of %v", uint8(s.Stage), Stages())
	case s.Count < 0:
		return fmt.Errorf("count: %d, wanted 0 or more", s.Count)
	case s.Count == 0 && s.MeanNs.OK:
		return fmt.Errorf("mean_ns: %v of no packets, wanted null", s.MeanNs.Value)
	case s.DF < 0 || s.SENs.OK && (s.DF < 1 || s.SENs.Value < 0):
		return fmt.Errorf("se_ns, df: %v, %d, wanted 0 or more and 1 or more", s.SENs.Value, s.DF)
	case s.VarianceNs2.OK && s.VarianceNs2.Value < 0:
		return fmt.Errorf("variance_ns2: %v, wanted 0 or more", s.VarianceNs2.Value)
	case s.MinNs.OK && s.MaxNs.OK && s.MinNs.Value > s.MaxNs.Value:
		return fmt.Errorf("min_ns: %d above max_ns %d", s.MinNs.Value, s.MaxNs.Value)
	}
	if err := oneOf("spread", s.Spread, SpreadSquares, SpreadBins, SpreadBinsBound, SpreadNone); err != nil {
		return err
	}
	if err := oneOf("baseline_from", s.BaselineFrom, BaselineBin, BaselineBetween, BaselineMixed, BaselineNone); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		v    Opt[float64]
	}{
		{"mean_ns", s.MeanNs}, {"variance_ns2", s.VarianceNs2}, {"se_ns", s.SENs},
		{"baseline_ns", s.BaselineNs}, {"deviation_ns", s.DeviationNs},
		{"ci_lo_ns", s.CILoNs}, {"ci_hi_ns", s.CIHiNs},
		{"deviation_ci_lo_ns", s.DeviationCILoNs}, {"deviation_ci_hi_ns", s.DeviationCIHiNs},
	} {
		if err := finite(f.name, f.v.Value); err != nil {
			return err
		}
	}
	return s.checkPercentiles()
}

func (s Stat) checkPercentiles() error {
	for _, p := range []struct {
		name string
		v    Percentile
	}{{"p50", s.P50}, {"p90", s.P90}, {"p99", s.P99}} {
		switch {
		case !p.v.Ns.OK && p.v.Reason == "":
			return fmt.Errorf("%s_ns: null without a reason in %s_reason", p.name, p.name)
		case p.v.Ns.OK && p.v.Reason != "":
			return fmt.Errorf("%s_reason: %q beside a value, wanted nothing", p.name, p.v.Reason)
		case (p.v.LowerBound || p.v.UpperBound) && !p.v.Ns.OK:
			return fmt.Errorf("%s_lower_bound, %s_upper_bound: set, but %s_ns is null", p.name, p.name, p.name)
		}
	}
	for _, p := range [][2]Percentile{{s.P50, s.P90}, {s.P90, s.P99}, {s.P50, s.P99}} {
		if p[0].Ns.OK && p[1].Ns.OK && p[0].Ns.Value > p[1].Ns.Value {
			return fmt.Errorf("percentiles: %d ns of a lower one above %d ns of a higher one", p[0].Ns.Value, p[1].Ns.Value)
		}
	}
	return nil
}

func oneOf(field, got string, want ...string) error {
	for _, w := range want {
		if got == w {
			return nil
		}
	}
	return fmt.Errorf("%s: %q, wanted one of %q", field, got, want)
}

func finite(field string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s: %v, wanted a finite number or null", field, v)
	}
	return nil
}

// Sizes is a bin of payload sizes, (SizeLoBytes, SizeHiBytes].
type Sizes struct {
	SizeLoBytes int64 `col:"size_lo_bytes" unit:"B" doc:"payload is more than this"`
	SizeHiBytes int64 `col:"size_hi_bytes" unit:"B" doc:"payload is at most this"`
}

func (s Sizes) check() error {
	if s.SizeLoBytes < 0 || s.SizeHiBytes <= s.SizeLoBytes {
		return fmt.Errorf("size bin: (%d, %d], wanted 0 <= lo < hi", s.SizeLoBytes, s.SizeHiBytes)
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

// Check implements Row.
func (r SignatureRow) Check() error { return first(r.Group.check, r.Sizes.check, r.Stat.check) }

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
	Class string `col:"class" doc:"size class"`
	Sizes
	Stat
}

// TableName implements Row.
func (ClassRow) TableName() string { return "classes" }

// Check implements Row.
func (r ClassRow) Check() error {
	return first(r.Group.check, func() error { return oneOf("class", r.Class, Classes()...) }, r.Sizes.check, r.Stat.check)
}

// PairRow is one latency of the packets from one node to another.
type PairRow struct {
	Group
	Class    string `col:"class" doc:"size class, or all sizes"`
	Sender   int64  `col:"sender" doc:"node that sent"`
	Receiver int64  `col:"receiver" doc:"node that received"`
	Stat
}

// TableName implements Row.
func (PairRow) TableName() string { return "pairs" }

// Check implements Row.
func (r PairRow) Check() error {
	if r.Sender < 0 || r.Receiver < 0 {
		return fmt.Errorf("sender, receiver: %d, %d, wanted 0 or more", r.Sender, r.Receiver)
	}
	return first(r.Group.check, func() error { return oneOf("class", r.Class, append(Classes(), AllSizes)...) }, r.Stat.check)
}

func first(checks ...func() error) error {
	for _, c := range checks {
		if err := c(); err != nil {
			return err
		}
	}
	return nil
}
