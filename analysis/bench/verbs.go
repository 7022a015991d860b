package bench

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
)

// Verbs is the result of a test of RDMA verbs over sizes, in the terms of the perftest tools.
type Verbs struct {
	Platform    string       `json:"platform"`
	Digest      string       `json:"platform_digest"`
	Test        string       `json:"test" work:"yes"` // what was measured, in words
	Operation   string       `json:"operation"`       // write, read, send, send-ud, fetch-add or compare-swap
	Measure     string       `json:"measure"`         // latency or bandwidth
	Network     string       `json:"network"`         // cable or switch
	QueuePairs  int64        `json:"queue_pairs"`
	Outstanding int64        `json:"outstanding"`       // operations of a pair under way, or of a thread of a swarm
	Threads     int64        `json:"threads"`           // of each side, which post on pairs of their own
	Swarm       bool         `json:"swarm"`             // threads draw the pair of each operation, and both sides send
	Trust       string       `json:"trust"`             // which of the card's numbers are published, fitted and assumed
	Listing     string       `json:"listing,omitempty"` // file of what is beside the model
	Points      []VerbsPoint `json:"points"`
	Warnings    []string     `json:"warnings"`
}

// VerbsPoint is the result at one size. Invariant: exactly one of latency and rate is set.
type VerbsPoint struct {
	SizeBytes  int64 `json:"size_bytes"`
	Iterations int64 `json:"iterations"`
	*VerbsLatency
	*VerbsRate
	Listed *float64 `json:"listed,omitempty"` // t_typical or BW average of the listing, in their units
}

// VerbsLatency is the latency of an operation: half of a round trip for writes and messages, the whole
// operation for others.
type VerbsLatency struct {
	MinUs       float64 `json:"t_min_us"`
	MaxUs       float64 `json:"t_max_us"`
	TypicalUs   float64 `json:"t_typical_us"` // the median
	AverageUs   float64 `json:"t_avg_us"`
	DeviationUs float64 `json:"t_stdev_us"`
	P99Us       float64 `json:"p99_us"`
	P999Us      float64 `json:"p999_us"`
}

// VerbsRate is the rate of a stream of operations. MiB are 2^20 bytes, as in perftest's listings.
type VerbsRate struct {
	MiBps float64 `json:"bw_average_MiBps"`
	Mpps  float64 `json:"msg_rate_Mpps"`

	ContextMiss float64 `json:"context_miss"` // of both cards, shares of what was looked up, from the beginning on
	PageMiss    float64 `json:"page_miss"`
}

// check returns an error, with the size, for a point that lacks the figures of Measure.
func (x *Verbs) check() error {
	for _, p := range x.Points {
		if (p.VerbsRate != nil) != (x.Measure == "bandwidth") || (p.VerbsLatency == nil) == (p.VerbsRate == nil) {
			return fmt.Errorf("points: %d B: wanted the figures of %s", p.SizeBytes, x.Measure)
		}
	}
	return nil
}

// Figure returns the figure that listings have too: t_typical in µs, or BW average in MiB/s.
func (p VerbsPoint) Figure() float64 {
	if p.VerbsLatency != nil {
		return p.TypicalUs
	}
	return p.MiBps
}

// Apart returns the relative difference of the modelled figure from the listed one. Listed may not be nil.
func (p VerbsPoint) Apart() float64 { return p.Figure()/(*p.Listed) - 1 }

// Describe sets Test: operation and measure, for a bandwidth also queue pairs and operations under way.
func (x *Verbs) Describe() {
	x.Test = x.Operation + " " + x.Measure
	if x.Measure == "bandwidth" {
		x.Test += fmt.Sprintf(", %s, %d outstanding", counted(x.QueuePairs, "queue pair"), x.Outstanding)
		if x.Threads > 1 {
			x.Test += ", " + counted(x.Threads, "thread")
		}
		if x.Swarm {
			x.Test += ", swarm"
		}
	}
}

// counted returns a number with its noun: "1 queue pair", "2 queue pairs".
func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// Place returns the platform of the result, with "verbs" as layer.
func (x *Verbs) Place() Place { return Place{Platform: x.Platform, Layer: "verbs", Digest: x.Digest} }

// VerbsNames returns a name for each result: the platform, the test, or both, as far as results differ.
func VerbsNames(all []Verbs) (names []string) {
	differ := func(of func(*Verbs) string) bool {
		return slices.ContainsFunc(all, func(x Verbs) bool { return of(&x) != of(&all[0]) })
	}
	platforms, tests := differ(func(x *Verbs) string { return x.Platform }), differ(func(x *Verbs) string { return x.Test })
	for _, x := range all {
		switch {
		case platforms && tests:
			names = append(names, x.Platform+", "+x.Test)
		case platforms:
			names = append(names, x.Platform)
		default:
			names = append(names, x.Test)
		}
	}
	return names
}

// VerbsView returns the table of a result as perftest prints it, with the listed figures if there are any.
func VerbsView(x *Verbs) analysis.View {
	number := func(name string, digits int, of func(VerbsPoint) float64) analysis.Col[VerbsPoint] {
		return analysis.Float(name, "", digits, of)
	}
	cols := []analysis.Col[VerbsPoint]{
		number("#bytes", 0, func(p VerbsPoint) float64 { return float64(p.SizeBytes) }),
		number("#iterations", 0, func(p VerbsPoint) float64 { return float64(p.Iterations) }),
	}
	us := func(name string, of func(*VerbsLatency) float64) {
		cols = append(cols, number(name, 2, func(p VerbsPoint) float64 { return of(p.VerbsLatency) }))
	}
	typical := func() { us("t_typical[usec]", func(l *VerbsLatency) float64 { return l.TypicalUs }) }
	switch {
	case x.Measure == "bandwidth":
		cols = append(cols,
			number("BW average[MiB/sec]", 2, func(p VerbsPoint) float64 { return p.MiBps }),
			number("MsgRate[Mpps]", 6, func(p VerbsPoint) float64 { return p.Mpps }))
		percent := func(name string, of func(VerbsPoint) float64) {
			// A pair and a page are missed once, when they are used first.
			if slices.ContainsFunc(x.Points, func(p VerbsPoint) bool { return of(p) > 0.02 }) {
				cols = append(cols, number(name, 1, func(p VerbsPoint) float64 { return 100 * of(p) }))
			}
		}
		percent("ctx miss[%]", func(p VerbsPoint) float64 { return p.ContextMiss })
		percent("page miss[%]", func(p VerbsPoint) float64 { return p.PageMiss })
	case x.Listing != "":
		typical()
	default:
		us("t_min[usec]", func(l *VerbsLatency) float64 { return l.MinUs })
		us("t_max[usec]", func(l *VerbsLatency) float64 { return l.MaxUs })
		typical()
		us("t_avg[usec]", func(l *VerbsLatency) float64 { return l.AverageUs })
		us("t_stdev[usec]", func(l *VerbsLatency) float64 { return l.DeviationUs })
		us("99%[usec]", func(l *VerbsLatency) float64 { return l.P99Us })
		us("99.9%[usec]", func(l *VerbsLatency) float64 { return l.P999Us })
	}
	if x.Listing != "" {
		cols = append(cols, listed("listed", func(p VerbsPoint) string { return fmt.Sprintf("%.2f", *p.Listed) }),
			listed("apart", func(p VerbsPoint) string { return fmt.Sprintf("%+.0f%%", 100*p.Apart()) }))
	}
	v := analysis.Tabulate(x.Points, cols...).Noted(x.note())
	v.Fold = true
	return v
}

// listed makes a column that is empty for sizes that the listing lacks.
func listed(name string, of func(VerbsPoint) string) analysis.Col[VerbsPoint] {
	return analysis.Text(name, func(p VerbsPoint) string {
		if p.Listed == nil {
			return analysis.None
		}
		return of(p)
	})
}

// note returns what the columns mean.
func (x *Verbs) note() string {
	note := "Half of a round trip; t_typical is the median."
	switch {
	case x.Measure == "bandwidth":
		note = "MiB are 2^20 bytes, as in perftest; Mpps are millions of operations per second."
		if x.Swarm {
			note += " Both sides send: the figures are those of one."
		}
	case x.Operation != "write" && x.Operation != "send" && x.Operation != "send-ud":
		note = "The whole time of an operation; t_typical is the median."
	}
	if x.Listing != "" {
		note += " Listed is what " + x.Listing + " has; apart is by how much the model differs from it."
	}
	return note
}

// VerbsDoubts returns the warnings of all results, each once, after its platform.
func VerbsDoubts(all []Verbs) (out []string) {
	for _, x := range all {
		for _, w := range x.Warnings {
			if w = x.Platform + ": " + w; !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// VerbsSummary returns how many of the listed figures the model meets within Near.
func VerbsSummary(x *Verbs) string {
	of, met := 0, 0
	for _, p := range x.Points {
		if p.Listed != nil {
			of++
			if a := p.Apart(); a <= Near && a >= -Near {
				met++
			}
		}
	}
	return fmt.Sprintf("%d of %d listed figures are within %.0f %%.", met, of, 100*Near)
}
