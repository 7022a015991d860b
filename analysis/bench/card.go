package bench

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Card is a platform with RDMA verbs, of which some numbers are fitted to listings of perftest, with the
// differences between model and listings.
type Card struct {
	Platform   string      `json:"platform"`
	Base       string      `json:"base"` // the platform that has all other numbers
	Listings   []string    `json:"listings"`
	LeftOut    []string    `json:"left_out,omitempty"` // lines of the listings that are not compared, with the reason
	Parameters []Fitted    `json:"parameters"`
	NotTold    []string    `json:"not_told"` // numbers that the listings do not tell, and why
	Points     []CardPoint `json:"points"`
}

// CardPoint is the latency of an operation of one size, listed and modelled.
type CardPoint struct {
	Operation  string  `json:"operation"`
	SizeBytes  int64   `json:"size_bytes"`
	ListedUs   float64 `json:"listed_us"`
	ModelledUs float64 `json:"modelled_us"`
	Use        Use     `json:"use"`
}

// Apart returns the relative difference of the modelled latency from the listed one.
func (p CardPoint) Apart() float64 { return p.ModelledUs/p.ListedUs - 1 }

// Summary returns how many of the latencies that were not fitted are within Near.
func (c *Card) Summary() string {
	held, met := 0, 0
	for _, p := range c.Points {
		if p.Use != Fit {
			held++
			if a := p.Apart(); a <= Near && a >= -Near {
				met++
			}
		}
	}
	text := fmt.Sprintf("%d of %d latencies that were not fitted are within %.0f %%.", met, held, 100*Near)
	if len(c.LeftOut) > 0 {
		text += fmt.Sprintf(" Left out: %s.", strings.Join(c.LeftOut, "; "))
	}
	return text
}

// CardView returns the table of latencies, listed and modelled.
func CardView(c *Card) analysis.View {
	return analysis.Tabulate(c.Points,
		analysis.Text("<operation", func(p CardPoint) string { return p.Operation }),
		analysis.Text("#bytes", func(p CardPoint) string { return fmt.Sprint(p.SizeBytes) }),
		analysis.Text("listed, µs", func(p CardPoint) string { return fmt.Sprintf("%.2f", p.ListedUs) }),
		analysis.Text("model, µs", func(p CardPoint) string { return fmt.Sprintf("%.2f", p.ModelledUs) }),
		analysis.Text("apart", func(p CardPoint) string { return fmt.Sprintf("%+.0f%%", 100*p.Apart()) }),
		analysis.Text("<used as", func(p CardPoint) string { return string(p.Use) }))
}
