package trace

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func logpRow() LogPRow {
	return LogPRow{
		Platform: "ppro", Layer: "gam", Method: "signature", Pattern: "pair", Peers: 1, Quantity: "g",
		ValueNs: Some(8000.), LoNs: Some(7900.), HiNs: Some(8100.),
	}
}

func TestLogPRowsAreChecked(t *testing.T) {
	row := logpRow()
	require.NoError(t, CheckRow(&row))
	for _, c := range []struct {
		change func(*LogPRow)
		want   string // empty: accepted
	}{
		{func(r *LogPRow) { r.Layer = "" }, "layer: empty"},
		{func(r *LogPRow) { r.Peers = 0 }, "peers: 0"},
		{func(r *LogPRow) { r.LoNs = Opt[float64]{} }, "wanted all or none of the three"},
		{func(r *LogPRow) { r.LoNs = Some(8001.) }, "wanted lo <= value <= hi"},
		{func(r *LogPRow) { r.ValueNs = Some(math.NaN()) }, "value_ns: NaN"},
		{func(r *LogPRow) { r.HiNs = Some(math.Inf(1)) }, "hi_ns: +Inf"},
		{func(r *LogPRow) { r.NotIdentifiable = "hidden" }, "wanted one value or a reason"},
		{func(r *LogPRow) { r.ValueNs, r.LoNs, r.HiNs = Opt[float64]{}, Opt[float64]{}, Opt[float64]{} }, "wanted one value or a reason"},
		{func(r *LogPRow) { r.Ratio, r.RatioLo, r.RatioHi = Some(1.), Some(1.), Some(1.) }, "beside 2 values"},
		{func(r *LogPRow) {
			r.ValueNs, r.LoNs, r.HiNs, r.NotIdentifiable = Opt[float64]{}, Opt[float64]{}, Opt[float64]{}, "hidden"
		}, ""},
		{func(r *LogPRow) { r.SizeBytes = Some(int64(-1)) }, "size_bytes: -1"},
		{func(r *LogPRow) { r.M = Some(int64(0)) }, "m: 0"},
		{func(r *LogPRow) { r.DeltaNs = Some(-1.) }, "delta_ns: -1"},
	} {
		r := logpRow()
		c.change(&r)
		if c.want == "" {
			require.NoError(t, CheckRow(&r))
			continue
		}
		require.ErrorContains(t, CheckRow(&r), c.want)
	}
}

func TestBandwidthRowsAreChecked(t *testing.T) {
	good := BandwidthRow{Platform: "ppro", Layer: "vmmc", Test: "pingpong", SizeBytes: 64, MBps: 4.5, OneWayNs: Some(14300.)}
	require.NoError(t, CheckRow(&good))
	for want, change := range map[string]func(*BandwidthRow){
		"test: empty":         func(r *BandwidthRow) { r.Test = "" },
		"size_bytes: -1":      func(r *BandwidthRow) { r.SizeBytes = -1 },
		"bandwidth_mbps: NaN": func(r *BandwidthRow) { r.MBps = math.NaN() },
		"one_way_ns: -1":      func(r *BandwidthRow) { r.OneWayNs = Some(-1.) },
	} {
		r := good
		change(&r)
		require.ErrorContains(t, CheckRow(&r), want)
	}
}

func TestLogPRowsSurviveTheirCells(t *testing.T) {
	unknown := logpRow()
	unknown.ValueNs, unknown.LoNs, unknown.HiNs, unknown.NotIdentifiable = Opt[float64]{}, Opt[float64]{}, Opt[float64]{}, "g:\thidden"
	point := logpRow()
	point.Quantity, point.M, point.DeltaNs, point.Samples, point.SizeBytes = "cost", Some(int64(8)), Some(0.), Some(int64(50)), Some(int64(64))
	rows := []LogPRow{logpRow(), unknown, point}
	for _, r := range rows {
		require.Equal(t, r, again(t, r))
	}
}

func TestVerbsRowsAreChecked(t *testing.T) {
	good := VerbsRow{
		Platform: "cx7", Operation: "write", Measure: "bandwidth", Network: "cable", QueuePairs: 1, Outstanding: 128, Threads: 1, SizeBytes: 64, Iterations: 5000,
		MBps: Some(350.), PerSecond: Some(5.5e6), Listed: Some(340.),
	}
	require.NoError(t, CheckRow(&good))
	for want, change := range map[string]func(*VerbsRow){
		"operation: empty":              func(r *VerbsRow) { r.Operation = "" },
		"queue_pairs: 0":                func(r *VerbsRow) { r.QueuePairs = 0 },
		"size_bytes: -1":                func(r *VerbsRow) { r.SizeBytes = -1 },
		"bandwidth_mbps: NaN":           func(r *VerbsRow) { r.MBps = Some(math.NaN()) },
		"listed: +Inf":                  func(r *VerbsRow) { r.Listed = Some(math.Inf(1)) },
		"typical_ns and bandwidth_mbps": func(r *VerbsRow) { r.TypicalNs = Some(1000.) },
	} {
		r := good
		change(&r)
		require.ErrorContains(t, CheckRow(&r), want)
	}
}
