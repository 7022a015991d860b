package bench

import (
	"slices"
	"strconv"

	"github.com/sigview/sigview/analysis"
)

// Injection is the rate at which a host moves data into its card, by mechanism and size.
type Injection struct {
	Platform   string     `json:"platform"`
	Digest     string     `json:"platform_digest"`
	Mechanisms []string   `json:"mechanisms"` // that the host has
	Absent     []string   `json:"absent"`     // that it does not have
	Points     []Injected `json:"points"`
	Plan       []Choice   `json:"plan"`
}

// Injected is one mechanism at one size. TimeUs is the median of single injections from memory that is not in
// the cache. MBps is in 10⁶ bytes per second.
type Injected struct {
	SizeBytes int64   `json:"size_bytes"`
	Mechanism string  `json:"mechanism"`
	TimeUs    float64 `json:"time_us"`
	MBps      float64 `json:"bandwidth_MBps"`
	Fastest   bool    `json:"fastest"` // of the size, of those that plans take
}

// Choice is one step of a plan: Mechanism is used from FromBytes up to the next step.
type Choice struct {
	FromBytes int64  `json:"from_bytes"`
	Mechanism string `json:"mechanism"`
}

// Sizes returns the measured sizes in ascending order.
func (x *Injection) Sizes() (sizes []int64) {
	for _, p := range x.Points {
		sizes = append(sizes, p.SizeBytes)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// At returns the measurement of a mechanism at a size, nil if there is none.
func (x *Injection) At(mechanism string, size int64) *Injected {
	i := slices.IndexFunc(x.Points, func(p Injected) bool { return p.Mechanism == mechanism && p.SizeBytes == size })
	if i < 0 {
		return nil
	}
	return &x.Points[i]
}

// InjectionView shows the rates by size, with a column for each mechanism.
func InjectionView(x *Injection) analysis.View {
	cols := []analysis.Col[int64]{analysis.Text("size, B", func(n int64) string { return strconv.FormatInt(n, 10) })}
	for _, m := range x.Mechanisms {
		cols = append(cols, analysis.Text(m, func(n int64) string {
			if p := x.At(m, n); p != nil {
				return Digits(p.MBps)
			}
			return analysis.None
		}))
	}
	cols = append(cols,
		analysis.Text("fastest, µs", func(n int64) string {
			if p := x.fastest(n); p != nil {
				return Digits(p.TimeUs)
			}
			return analysis.None
		}),
		analysis.Text("<fastest", func(n int64) string {
			if p := x.fastest(n); p != nil {
				return p.Mechanism
			}
			return analysis.None
		}))
	v := analysis.Tabulate(x.Sizes(), cols...).Noted("Millions of bytes per second, from memory that is not in the cache. Fastest is the fastest of those that plans take.")
	v.Fold = true
	return v
}

// fastest returns the fastest mechanism at a size of those that plans use, nil if there is none.
func (x *Injection) fastest(size int64) *Injected {
	i := slices.IndexFunc(x.Points, func(p Injected) bool { return p.Fastest && p.SizeBytes == size })
	if i < 0 {
		return nil
	}
	return &x.Points[i]
}

// PlanView returns the table of the plan: the mechanism from each size on.
func PlanView(x *Injection) analysis.View {
	return analysis.Tabulate(x.Plan,
		analysis.Text("from, B", func(c Choice) string { return strconv.FormatInt(c.FromBytes, 10) }),
		analysis.Text("<mechanism", func(c Choice) string { return c.Mechanism }))
}
