package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

const (
	burstAxis = "messages in a burst, M"
	sizeAxis  = "message size, B"
	costChart = "cost"
)

// CostChart is a signature: message cost against M for each Δ, with the
// regimes of Δ = 0.
func CostChart(x *bench.LogP) Chart {
	c := costs(x.Points, x.Curves)
	c.Name, c.Title = costName(x.Place), "Cost per message of "+placeName(x.Place)
	return c
}

// storeChart is the same of bulk transfers.
func storeChart(x *bench.LogP, s *bench.Size) Chart {
	c := costs(s.Points, s.Curves)
	c.Name = fmt.Sprintf("%s-%d", costName(x.Place), s.SizeBytes)
	c.Title = fmt.Sprintf("Cost per transfer of %d B of %s", s.SizeBytes, placeName(x.Place))
	return c
}

// costName is part of a file's name, whatever a profile is called.
func costName(p bench.Place) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, fmt.Sprintf("%s-%s-%s", costChart, p.Platform, p.Layer))
}

func costs(points []logp.Point, curves []logp.Curve) Chart {
	c := Chart{XName: burstAxis, YName: "µs"}
	for _, k := range curves {
		c.Curves = append(c.Curves, Curve{Name: "Δ = " + strconv.FormatFloat(k.DeltaUs, 'g', 5, 64) + " µs", Dots: costDots(points, k.DeltaUs)})
		if k.DeltaUs == 0 {
			c.Bands = regimeBands(k)
		}
	}
	return c
}

func regimeBands(k logp.Curve) []Band {
	var out []Band
	for _, b := range []struct {
		name string
		r    logp.Range
	}{{"send only", k.SendOnly}, {"transition", k.Transition}, {"steady", k.Steady}} {
		if b.r != (logp.Range{}) {
			out = append(out, Band{b.name, float64(b.r.From), float64(b.r.To)})
		}
	}
	return out
}

func costDots(points []logp.Point, deltaUs float64) []Dot {
	var out []Dot
	for _, p := range points {
		if p.DeltaUs == deltaUs && p.Cost.N > 0 {
			out = append(out, Dot{float64(p.M), p.Cost.Value, p.Cost.Lo, p.Cost.Hi})
		}
	}
	return out
}

// LogPCharts are the charts of results: each signature, the signatures without
// delay in one, and each parameter against size with a curve per result.
func LogPCharts(results []bench.LogP) []Chart {
	var out []Chart
	both := Chart{Name: costChart, Title: "Cost per message without delay", XName: burstAxis, YName: "µs"}
	var places []bench.Place
	for _, x := range results {
		places = append(places, x.Place)
	}
	names := shortNames(places)
	for i := range results {
		if x := &results[i]; len(x.Curves) > 0 {
			out = append(out, CostChart(x))
			both.Curves = append(both.Curves, Curve{names[i], costDots(x.Points, 0)})
			for k := range x.Sizes {
				if s := &x.Sizes[k]; len(s.Curves) > 0 {
					out = append(out, storeChart(x, s))
				}
			}
		}
	}
	if len(both.Curves) > 1 {
		out = append(out, both)
	}
	for _, q := range bySizeOf {
		c := Chart{Name: q.name, Title: strings.ToUpper(q.title[:1]) + q.title[1:], XName: sizeAxis, YName: q.unit, LogY: q.unit == "µs"}
		for i, x := range results {
			if dots := sizeDots(x.Sizes, q.value); len(dots) > 0 {
				c.Curves = append(c.Curves, Curve{names[i], dots})
			}
		}
		if !c.empty() {
			out = append(out, c)
		}
	}
	return out
}

// sizesChart is all parameters of a sweep against size.
func sizesChart(x *bench.LogP) Chart {
	c := Chart{Name: "parameters", Title: "LogP parameters of " + placeName(x.Place), XName: sizeAxis, YName: "µs", LogY: true}
	for _, q := range bySizeOf[:4] {
		c.Curves = append(c.Curves, Curve{q.title, sizeDots(x.Sizes, q.value)})
	}
	return c
}

// bySizeOf are the figures that are drawn against message size.
var bySizeOf = []struct {
	name, title, unit string
	value             func(bench.Size) (logp.Estimate, bool)
}{
	{"os", "send overhead o_s", "µs", ofParams(func(p *logp.Params) logp.Estimate { return p.Os })},
	{"or", "receive overhead o_r", "µs", ofParams(func(p *logp.Params) logp.Estimate { return p.Or })},
	{"latency", "latency L", "µs", ofParams(func(p *logp.Params) logp.Estimate { return p.L })},
	{"gap", "gap g", "µs", ofParams(func(p *logp.Params) logp.Estimate { return p.G })},
	{"bulk-overhead", "send overhead of bulk transfers", "µs", ofBulk(func(b *bench.Bulk) logp.Estimate { return b.O })},
	{"bulk-bandwidth", "bandwidth of bulk transfers", "MB/s", ofBulk(func(b *bench.Bulk) logp.Estimate { return b.Bandwidth })},
}

func ofParams(f func(*logp.Params) logp.Estimate) func(bench.Size) (logp.Estimate, bool) {
	return func(s bench.Size) (logp.Estimate, bool) {
		if s.Params == nil {
			return logp.Estimate{}, false
		}
		return f(s.Params), true
	}
}

func ofBulk(f func(*bench.Bulk) logp.Estimate) func(bench.Size) (logp.Estimate, bool) {
	return func(s bench.Size) (logp.Estimate, bool) {
		if s.Bulk == nil {
			return logp.Estimate{}, false
		}
		return f(s.Bulk), true
	}
}

func sizeDots(sizes []bench.Size, f func(bench.Size) (logp.Estimate, bool)) []Dot {
	var out []Dot
	for _, s := range sizes {
		if e, ok := f(s); ok && e.OK() {
			out = append(out, Dot{float64(s.SizeBytes), e.Value, e.Lo, e.Hi})
		}
	}
	return out
}
