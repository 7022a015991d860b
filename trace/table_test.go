package trace

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func sampleStat(s Stage) Stat {
	return Stat{
		Stage:    s,
		Measured: Measured{Count: 12, MeanNs: Some(9812.5), VarianceNs2: Some(250000.25), Spread: SpreadSquares, SENs: Some(144.25), DF: 11, MinNs: Some[int64](7000), MaxNs: Some[int64](15000), P50: Percentile{Ns: Some[int64](9000)}, P90: Percentile{Ns: Some[int64](14000), LowerBound: true}, P99: NoPercentile("12 packets, wanted 100")},
		Unloaded: Unloaded{BaselineNs: Some(7200.0), BaselineFrom: BaselineBetween},
		Judged:   Judged{DeviationNs: Some(2612.5), CILoNs: Some(9494.0), CIHiNs: Some(10131.0), DeviationCILoNs: Some(2200.0), DeviationCIHiNs: Some(3025.0), Weak: true, Note: "12 packets\tonly \"twelve\"\n"},
	}
}

func sampleRow() SignatureRow {
	return SignatureRow{
		Group: Group{Tag: 255, Kind: "page-reply", First: Some(false)},
		Sizes: Sizes{SizeLoBytes: 4064, SizeHiBytes: 4096}, Stat: sampleStat(NetMinusLANai),
	}
}

func TestColumnsAreWhatFilesPromise(t *testing.T) {
	var got []string
	for _, c := range Columns[SignatureRow]() {
		got = append(got, c.Name)
		// Latencies say their unit twice: at the end of the name and in the field.
		require.Equal(t, strings.HasSuffix(c.Name, "_ns"), c.Unit == "ns", c.Name)
		require.NotEmpty(t, c.Doc, c.Name)
	}
	require.Equal(t, strings.Fields(`tag kind first size_lo_bytes size_hi_bytes stage count mean_ns variance_ns2 spread se_ns df
		min_ns max_ns p50_ns p50_lower_bound p50_upper_bound p50_reason p90_ns p90_lower_bound p90_upper_bound p90_reason
		p99_ns p99_lower_bound p99_upper_bound p99_reason
		baseline_ns baseline_by_size_ns baseline_from baseline_note deviation_ns ci_lo_ns ci_hi_ns deviation_ci_lo_ns deviation_ci_hi_ns weak note`), got)
	require.NotEmpty(t, Columns[ClassRow]())
	require.NotEmpty(t, Columns[PairRow]())
	require.NotEmpty(t, Columns[HistogramRow]())
	require.NotEmpty(t, Columns[ClockRow]())
}

func TestMeansAreFloatsAndLatenciesIntegers(t *testing.T) {
	want := map[string]Type{"mean_ns": Float, "min_ns": Int, "p99_ns": Int, "count": Int, "tag": Int, "stage": Text, "weak": Bool}
	for _, c := range Columns[SignatureRow]() {
		if typ, ok := want[c.Name]; ok {
			require.Equal(t, typ, c.Type, c.Name)
		}
	}
}

func TestGetSetRoundTrip(t *testing.T) {
	for _, r := range []SignatureRow{sampleRow(), {Group: Group{Kind: AllKinds}, Sizes: Sizes{0, 32}, Stat: Stat{
		Measured: Measured{P50: NoPercentile("-"), P90: NoPercentile(`"`), P99: NoPercentile("x")},
	}}} {
		require.Equal(t, r, again(t, r))
	}
}

func TestSetRefuses(t *testing.T) {
	var row SignatureRow
	v := reflect.ValueOf(&row).Elem()
	for _, c := range Columns[SignatureRow]() {
		switch c.Name {
		case "count":
			require.EqualError(t, c.Set(v, Value{Null: true}), "count: null, wanted a value")
		case "tag":
			require.EqualError(t, c.Set(v, Value{I: 256}), "tag: 256, wanted 0 to 255")
			require.EqualError(t, c.Set(v, Value{I: -1}), "tag: -1, wanted 0 to 255")
		case "stage":
			require.ErrorContains(t, c.Set(v, Value{S: "wire"}), `stage: unknown stage "wire"`)
		}
	}
}

type badRow struct{ ClockRow }

type unnamedRow struct {
	ClockRow
	X int64
}

func TestColumnsPanicsOnMistakes(t *testing.T) {
	require.NotPanics(t, func() { Columns[badRow]() })
	require.Panics(t, func() { Columns[unnamedRow]() })
}

// again returns a row as it comes back from its cells.
func again[R Row](t require.TestingT, in R) (out R) {
	for _, c := range Columns[R]() {
		require.NoError(t, c.Set(reflect.ValueOf(&out).Elem(), c.Get(reflect.ValueOf(in))), c.Name)
	}
	require.NoError(t, CheckRow(&out))
	return out
}

func TestRoundTripAnyClockRow(t *testing.T) {
	opt := func(t *rapid.T, name string) Opt[float64] {
		if rapid.Bool().Draw(t, name+"?") {
			return Some(rapid.Float64Range(-1e300, 1e300).Draw(t, name))
		}
		return Opt[float64]{}
	}
	rapid.Check(t, func(t *rapid.T) {
		r := ClockRow{
			Estimator: rapid.StringN(1, 8, -1).Draw(t, "estimator"),
			Round:     rapid.Int64Min(0).Draw(t, "round"), Node: rapid.Int64Min(0).Draw(t, "node"),
			TimeNs: rapid.Int64().Draw(t, "time"), OffsetNs: rapid.Float64Range(-1e300, 1e300).Draw(t, "offset"),
			RatePPB: opt(t, "rate"), ResidualNs: opt(t, "residual"), TrueErrorNs: opt(t, "error"),
		}
		require.Equal(t, r, again(t, r))
	})
}

func TestRowChecks(t *testing.T) {
	change := func(f func(*SignatureRow)) SignatureRow { r := sampleRow(); f(&r); return r }
	for _, c := range []struct {
		row  Row
		want string
	}{
		{change(func(r *SignatureRow) { r.Stage = 5 }), "stage: 5"},
		{change(func(r *SignatureRow) { r.Count = -1 }), "count: -1"},
		{change(func(r *SignatureRow) { r.Count = 0 }), "mean_ns: 9812.5 of no packets"},
		{change(func(r *SignatureRow) { r.VarianceNs2.Value = -1 }), "variance_ns2: -1"},
		{change(func(r *SignatureRow) { r.MinNs = Some[int64](99999) }), "min_ns: 99999 above max_ns 15000"},
		{change(func(r *SignatureRow) { r.Spread = "guess" }), `spread: "guess"`},
		{change(func(r *SignatureRow) { r.BaselineFrom = "guess" }), `baseline_from: "guess"`},
		{change(func(r *SignatureRow) { r.CIHiNs.Value = math.NaN() }), "ci_hi_ns: NaN"},
		{change(func(r *SignatureRow) { r.P99.Reason = "" }), "p99_ns: null without a reason"},
		{change(func(r *SignatureRow) { r.P50.Reason = "x" }), `p50_reason: "x" beside a value`},
		{change(func(r *SignatureRow) { r.P50.Ns.Value = 20000 }), "percentiles: 20000 ns"},
		{change(func(r *SignatureRow) { r.SizeHiBytes = r.SizeLoBytes }), "size bin: (4064, 4064]"},
		{ClassRow{Group: Group{Kind: AllKinds}, Class: "big"}, `class: "big"`},
		{PairRow{Sender: -1}, "sender: -1, wanted at least 0"},
		{PairRow{Group: Group{Kind: AllKinds}}, `class: ""`},
		{change(func(r *SignatureRow) { r.DF = 0 }), "df: 0 of a standard error"},
		{HistogramRow{Group: Group{Kind: AllKinds}, Stage: NetMinusLANai, Count: 1}, "stage: net_minus_lanai"},
		{HistogramRow{Group: Group{Kind: AllKinds}}, "count: 0"},
		{HistogramRow{Group: Group{Kind: AllKinds}, LatencyHiNs: Some[int64](0), Count: 1}, "latency bin: [0, 0)"},
		{ClockRow{}, "estimator: empty"},
		{ClockRow{Estimator: "x", BoundNs: Some(-1.0)}, "bound_ns: -1"},
		{ClockRow{Estimator: "x", OffsetNs: math.Inf(1)}, "offset_ns: +Inf"},
	} {
		require.ErrorContains(t, checked(c.row), c.want)
	}
}

func TestNamesRoundTrip(t *testing.T) {
	for _, s := range Stages() {
		got, err := ParseStage(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
	}
	for k := range NumKinds {
		got, err := ParseKind(k.String())
		require.NoError(t, err)
		require.Equal(t, k, got)
	}
	_, err := ParseKind("")
	require.Error(t, err)
	_, err = ParseKind(AllKinds)
	require.Error(t, err, "no kind may be called %q", AllKinds)
}

// checked checks a row of any type.
func checked(row Row) error {
	switch r := row.(type) {
	case SignatureRow:
		return CheckRow(&r)
	case ClassRow:
		return CheckRow(&r)
	case PairRow:
		return CheckRow(&r)
	case HistogramRow:
		return CheckRow(&r)
	case ClockRow:
		return CheckRow(&r)
	}
	panic("no such row")
}

// BenchmarkCheckRows is the cost of checking a row of the longest table.
func BenchmarkCheckRows(b *testing.B) {
	rows := make([]PacketRow, 1024)
	for i := range rows {
		rows[i] = PacketRow{Kind: PageReply.String(), Receiver: 1, Number: int64(i), T3Ns: Some[int64](5)}
	}
	for b.Loop() {
		if err := CheckRows(rows); err != nil {
			b.Fatal(err)
		}
	}
}
