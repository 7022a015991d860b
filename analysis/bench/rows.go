package bench

import (
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/trace"
)

// LogPRows returns the figures of all results as rows of a table, in ns.
func LogPRows(results []LogP) []trace.LogPRow {
	var t table
	for i := range results {
		t.add(&results[i])
	}
	return t.rows
}

// BandwidthRows returns the figures of all results as rows of a table.
func BandwidthRows(results []Bandwidth) []trace.BandwidthRow {
	var out []trace.BandwidthRow
	for _, b := range results {
		for _, p := range b.Points {
			r := trace.BandwidthRow{Platform: b.Platform, Layer: b.Layer, Test: b.Test, SizeBytes: p.SizeBytes, MBps: p.MBps}
			if p.OneWayUs != nil {
				r.OneWayNs = trace.Some(1000 * *p.OneWayUs)
			}
			out = append(out, r)
		}
	}
	return out
}

// PerturbRows returns a row for each message program and size, and for each application.
func PerturbRows(p *Perturb) (out []trace.PerturbRow) {
	some := func(v *float64, unit float64) (o trace.Opt[float64]) {
		if v != nil {
			o = trace.Some(unit * *v)
		}
		return o
	}
	for _, x := range p.Points {
		out = append(out, trace.PerturbRow{
			Platform: p.Platform, Build: x.Build, Trace: x.Trace, Test: x.Test, SizeBytes: trace.Some(x.SizeBytes),
			OneWayNs: some(x.OneWayUs, 1000), OsNs: some(x.OsUs, 1000), MBps: some(x.MBps, 1),
		})
	}
	for _, x := range p.Applications {
		out = append(out, trace.PerturbRow{
			Platform: p.Platform, Build: x.Build, Trace: x.Trace, Test: x.Workload,
			RunTimeNs: trace.Some(1e9 * x.RunTimeS), NotRecorded: trace.Some(x.NotRecorded),
		})
	}
	return out
}

// InjectionRows returns a row for each mechanism and size.
func InjectionRows(x *Injection) (out []trace.InjectionRow) {
	for _, p := range x.Points {
		out = append(out, trace.InjectionRow{
			Platform: x.Platform, Mechanism: p.Mechanism, SizeBytes: p.SizeBytes, TimeNs: 1000 * p.TimeUs, MBps: p.MBps, Fastest: p.Fastest,
		})
	}
	return out
}

// VerbsRows returns the rows of all results, one result after the other.
func VerbsRows(results []Verbs) (out []trace.VerbsRow) {
	for _, x := range results {
		for _, p := range x.Points {
			r := trace.VerbsRow{
				Platform: x.Platform, Operation: x.Operation, Measure: x.Measure, Network: x.Network,
				QueuePairs: x.QueuePairs, Outstanding: x.Outstanding, Threads: x.Threads, Swarm: x.Swarm, SizeBytes: p.SizeBytes, Iterations: p.Iterations,
			}
			unit := 1000.0
			if l := p.VerbsLatency; l != nil {
				ns := func(us float64) trace.Opt[float64] { return trace.Some(1000 * us) }
				r.MinNs, r.MaxNs, r.TypicalNs, r.MeanNs, r.DeviationNs = ns(l.MinUs), ns(l.MaxUs), ns(l.TypicalUs), ns(l.AverageUs), ns(l.DeviationUs)
				r.P99Ns, r.P999Ns = ns(l.P99Us), ns(l.P999Us)
			}
			if b := p.VerbsRate; b != nil {
				unit = 1 << 20 / 1e6
				r.MBps, r.PerSecond = trace.Some(unit*b.MiBps), trace.Some(1e6*b.Mpps)
			}
			if p.Listed != nil {
				r.Listed = trace.Some(unit * *p.Listed)
			}
			out = append(out, r)
		}
	}
	return out
}

// table collects the rows of LogP results.
type table struct {
	of   trace.LogPRow // what all rows of a result have in common
	rows []trace.LogPRow
}

// add adds all figures of a result.
func (t *table) add(r *LogP) {
	t.of = trace.LogPRow{Platform: r.Platform, Layer: r.Layer, Method: r.Method, Pattern: r.Pattern, Peers: int64(r.Peers)}
	small := trace.Opt[int64]{}
	t.points(small, r.Points)
	t.params(small, r.Parameters)
	t.time("idle", small, r.Idle)
	if r.GapRatio != nil {
		row := t.row("gap_ratio", small, *r.GapRatio)
		row.Ratio, row.RatioLo, row.RatioHi = values(*r.GapRatio, 1)
		t.rows = append(t.rows, row)
	}
	for _, s := range r.Sizes {
		t.size(s)
	}
	if r.Parameterized != nil {
		t.parameterized(r.Parameterized)
	}
}

// parameterized adds the figures of parameterized LogP that LogP.Sizes does not have.
func (t *table) parameterized(p *Parameterized) {
	all := trace.Opt[int64]{}
	t.time("g0", all, p.G0)
	t.time("plogp_L", all, p.L)
	t.time("swapped_g0", all, p.Swapped.G0)
	t.time("swapped_plogp_L", all, p.Swapped.L)
	for _, s := range p.Swapped.Sizes {
		bytes := trace.Some(int64(s.SizeBytes))
		t.time("swapped_os", bytes, s.Os)
		t.time("swapped_or", bytes, s.Or)
		t.time("swapped_g", bytes, s.G)
	}
	if w := p.OneWay; w != nil {
		bytes := trace.Some(int64(w.SizeBytes))
		t.time("way_there", bytes, w.There)
		t.time("way_back", bytes, w.Back)
	}
}

// size adds the figures of one size.
func (t *table) size(s Size) {
	bytes := trace.Some(int64(s.SizeBytes))
	t.points(bytes, s.Points)
	for _, side := range []struct {
		quantity string
		gaps     []logp.Gap
	}{{"sender_gap", s.Sender}, {"receiver_gap", s.Receiver}} {
		for _, g := range side.gaps {
			row := t.mean(side.quantity, g.DeltaUs, g.Gap)
			row.SizeBytes = bytes
			t.rows = append(t.rows, row)
		}
	}
	if s.Params != nil {
		t.params(bytes, *s.Params)
	}
	if s.Saturation != nil {
		t.time("g_saturation", bytes, *s.Saturation)
	}
	if s.Idle != nil {
		t.time("idle", bytes, *s.Idle)
	}
	if s.Bulk != nil {
		t.time("o", bytes, s.O)
		t.time("T", bytes, s.T)
		row := t.row("bandwidth", bytes, s.Bandwidth)
		row.ValueMBps, row.LoMBps, row.HiMBps = values(s.Bandwidth, 1)
		t.rows = append(t.rows, row)
	}
}

// points adds the points of a signature; bytes is unknown for small messages.
func (t *table) points(bytes trace.Opt[int64], points []logp.Point) {
	for _, p := range points {
		row := t.mean("cost", p.DeltaUs, p.Cost)
		row.SizeBytes, row.M = bytes, trace.Some(int64(p.M))
		t.rows = append(t.rows, row)
	}
}

// params adds the LogP parameters of one size.
func (t *table) params(bytes trace.Opt[int64], p logp.Params) {
	t.time("os", bytes, p.Os)
	t.time("or", bytes, p.Or)
	t.time("L", bytes, p.L)
	t.time("g", bytes, p.G)
	t.time("rtt", bytes, p.RTT)
}

// time adds an estimate in µs as a row in ns.
func (t *table) time(quantity string, bytes trace.Opt[int64], e logp.Estimate) {
	row := t.row(quantity, bytes, e)
	row.ValueNs, row.LoNs, row.HiNs = values(e, 1000)
	t.rows = append(t.rows, row)
}

// row returns a row without its value, with the reason if the estimate is not identifiable.
func (t *table) row(quantity string, bytes trace.Opt[int64], e logp.Estimate) trace.LogPRow {
	row := t.of
	row.Quantity, row.SizeBytes, row.NotIdentifiable = quantity, bytes, e.Reason
	return row
}

// mean returns the row of a mean in µs at a delay. A mean without samples becomes one that is not identifiable.
func (t *table) mean(quantity string, deltaUs float64, m logp.Mean) trace.LogPRow {
	row := t.row(quantity, trace.Opt[int64]{}, m.Estimate(quantity))
	row.DeltaNs = trace.Some(1000 * deltaUs)
	if row.ValueNs, row.LoNs, row.HiNs = values(m.Estimate(quantity), 1000); m.N > 0 {
		row.Samples = trace.Some(int64(m.N))
	}
	return row
}

// values returns the value and the interval times unit, unknown if not identifiable.
func values(e logp.Estimate, unit float64) (v, lo, hi trace.Opt[float64]) {
	if !e.OK() {
		return v, lo, hi
	}
	return trace.Some(unit * e.Value), trace.Some(unit * e.Lo), trace.Some(unit * e.Hi)
}
