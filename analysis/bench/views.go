package bench

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/logp"
)

// Parameter is a LogP parameter with its name and its meaning.
type Parameter struct {
	Name, What string
	logp.Estimate
}

// Parameters returns o_s, o_r, L, g and RTT, in this order.
func Parameters(p *logp.Params) []Parameter {
	return []Parameter{
		{"o_s", "processor time to send", p.Os}, {"o_r", "processor time to receive", p.Or},
		{"L", "latency without both overheads", p.L}, {"g", "gap between messages", p.G}, {"RTT", "round trip", p.RTT},
	}
}

// figure makes a column of estimates.
func figure[T any](name string, of func(T) logp.Estimate) analysis.Col[T] {
	return analysis.Text(name, func(r T) string { return Figure(of(r)) })
}

// maybe returns the estimate, or one with the reason "not measured" for nil.
func maybe(e *logp.Estimate) logp.Estimate {
	if e == nil {
		return logp.Estimate{Reason: "not measured"}
	}
	return *e
}

// ParametersView returns the table of the parameters of one result with their intervals, in µs.
func ParametersView(x *LogP) analysis.View {
	rows := append(Parameters(&x.Parameters), Parameter{"idle", "processor idle per message at the gap", x.Idle})
	if x.GapRatio != nil {
		rows = append(rows, Parameter{"g ratio", "gap relative to that of one pair, no unit", *x.GapRatio})
	}
	return analysis.Tabulate(rows,
		analysis.Text("<", func(f Parameter) string { return f.Name }),
		figure("µs", func(f Parameter) logp.Estimate { return f.Estimate }),
		analysis.Text("<95% interval", func(f Parameter) string {
			if !f.OK() {
				return "not identifiable: " + f.Reason
			}
			return Digits(f.Lo) + " to " + Digits(f.Hi)
		}),
		analysis.Text("<what it is", func(f Parameter) string { return f.What }),
	).Noted("Idle is the processor time that the gap leaves over.")
}

// LogPView returns the table of the parameters of several results, one a row.
func LogPView(results []LogP) analysis.View {
	names := Short(Places(results))
	type row struct {
		LogP
		name string
	}
	var rows []row
	for i, x := range results {
		rows = append(rows, row{x, names[i]})
	}
	cols := []analysis.Col[row]{
		analysis.Text("<", func(r row) string { return r.name }),
		analysis.Text("<method", func(r row) string { return r.Method }),
		analysis.Text("<of a", func(r row) string { return r.Operation }),
	}
	for i, f := range Parameters(&logp.Params{}) {
		cols = append(cols, figure(f.Name, func(r row) logp.Estimate { return Parameters(&r.Parameters)[i].Estimate }))
	}
	cols = append(cols, figure("idle", func(r row) logp.Estimate { return r.Idle }).In(analysis.Never))
	if slices.ContainsFunc(results, func(x LogP) bool { return x.GapRatio != nil }) {
		cols = append(cols, figure("g ratio", func(r row) logp.Estimate { return maybe(r.GapRatio) }))
	}
	return analysis.Tabulate(rows, cols...).Noted("Times in µs of one request with its reply, or of one message by send and receive: they are not comparable; - not identifiable, with the reason below.")
}

// RegimesView returns the table of the regimes of a signature, one curve a row.
func RegimesView(curves []logp.Curve) analysis.View {
	bursts := func(name string, of func(logp.Curve) logp.Range) analysis.Col[logp.Curve] {
		return analysis.Text(name, func(c logp.Curve) string {
			switch r := of(c); {
			case r == logp.Range{}:
				return analysis.None
			case r.From == r.To:
				return strconv.Itoa(r.From)
			default:
				return fmt.Sprintf("%d-%d", r.From, r.To)
			}
		})
	}
	return analysis.Tabulate(curves,
		analysis.Text("delta, µs", func(c logp.Curve) string { return strconv.FormatFloat(c.DeltaUs, 'g', 5, 64) }),
		bursts("send only", func(c logp.Curve) logp.Range { return c.SendOnly }),
		bursts("transition", func(c logp.Curve) logp.Range { return c.Transition }),
		bursts("steady", func(c logp.Curve) logp.Range { return c.Steady }),
		bursts("cost rises", func(c logp.Curve) logp.Range { return c.Knee }),
		figure("asymptote, µs", func(c logp.Curve) logp.Estimate { return c.AsymptoteUs }),
	).Noted("Regimes are ranges of M, the messages in a burst, for each delay delta after a message. The cost begins to rise between the two values of M.")
}

// size makes the column of message sizes in bytes.
func size() analysis.Col[Size] {
	return analysis.Text("size, B", func(s Size) string { return strconv.Itoa(s.SizeBytes) })
}

// SweepView returns the table of the parameters by message size, empty if no size has any.
func SweepView(sizes []Size) analysis.View {
	rows := slices.DeleteFunc(slices.Clone(sizes), func(s Size) bool { return s.Params == nil })
	return analysis.Tabulate(rows, size(),
		figure("o_s", func(s Size) logp.Estimate { return s.Os }),
		figure("o_r", func(s Size) logp.Estimate { return s.Or }),
		figure("L", func(s Size) logp.Estimate { return s.L }),
		figure("g", func(s Size) logp.Estimate { return s.G }),
		figure("RTT/2", func(s Size) logp.Estimate { return logp.Estimate{Value: s.RTT.Value / 2, Reason: s.RTT.Reason} }),
		figure("idle", func(s Size) logp.Estimate { return maybe(s.Idle) }),
	).Noted("Times in µs by message size; - not identifiable.")
}

// BulkView returns the table of bulk transfers by size, empty if no size has any.
func BulkView(sizes []Size) analysis.View {
	rows := slices.DeleteFunc(slices.Clone(sizes), func(s Size) bool { return s.Bulk == nil })
	return analysis.Tabulate(rows, size(),
		figure("o, µs", func(s Size) logp.Estimate { return s.O }),
		figure("T, µs", func(s Size) logp.Estimate { return s.T }),
		figure("MB/s", func(s Size) logp.Estimate { return s.Bandwidth }),
	).Noted("Bulk transfers: the sender's overhead, the time of one transfer with its reply, and bytes over that time.")
}

// AgreementView returns the table of figures that were measured in two ways.
func AgreementView(all []Agreement) analysis.View {
	return analysis.Tabulate(all,
		analysis.Text("<", func(a Agreement) string { return a.Of }),
		analysis.Text("LogP, µs", func(a Agreement) string { return Digits(a.LogPUs) }),
		analysis.Text("inside, µs", func(a Agreement) string { return Digits(a.OtherUs) }),
		analysis.Text("off", func(a Agreement) string { return fmt.Sprintf("%+.1f%%", a.OffPct) }),
		analysis.Text("<instrument", func(a Agreement) string { return a.From }),
	).Noted("off is how far the inside figure lies above LogP's, in percent.")
}

// BandwidthView returns the table of bandwidths by size, a column for each result. One pingpong result also has
// the one-way time.
func BandwidthView(results []Bandwidth) analysis.View {
	var sizes []int64
	for _, x := range results {
		for _, p := range x.Points {
			sizes = append(sizes, p.SizeBytes)
		}
	}
	slices.Sort(sizes)
	column := func(name string, x Bandwidth, of func(BandwidthPoint) string) analysis.Col[int64] {
		return analysis.Text(name, func(n int64) string {
			if i := slices.IndexFunc(x.Points, func(p BandwidthPoint) bool { return p.SizeBytes == n }); i >= 0 {
				return of(x.Points[i])
			}
			return analysis.None
		})
	}
	rate := func(p BandwidthPoint) string { return Digits(p.MBps) }
	cols := []analysis.Col[int64]{analysis.Text("size, B", func(n int64) string { return strconv.FormatInt(n, 10) })}
	note := "Millions of bytes per second; - not measured."
	if len(results) == 1 {
		note = "MB/s is millions of bytes per second."
		cols = append(cols, column("MB/s", results[0], rate))
		if results[0].Test == "pingpong" {
			cols = append(cols, column("RTT/2, µs", results[0], func(p BandwidthPoint) string {
				if p.OneWayUs == nil {
					return analysis.None
				}
				return Digits(*p.OneWayUs)
			}))
		}
	} else {
		for i, name := range Short(Places(results)) {
			cols = append(cols, column(name, results[i], rate))
		}
	}
	v := analysis.Tabulate(slices.Compact(sizes), cols...)
	v.Note, v.Fold = note, true
	return v
}
