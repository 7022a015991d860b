package bench

import (
	"fmt"

	"github.com/sigview/sigview/analysis/logp"
)

// Fragmented fills in the results of code fragments, one for each size. Parameters are those of the first size.
func (l *LogP) Fragmented(all []logp.Fragments) {
	l.Sizes = make([]Size, len(all))
	for i, f := range all {
		r := f.Extract()
		l.Sizes[i] = Size{
			SizeBytes: f.SizeBytes, Params: &r.Params, Idle: &r.Idle, Sender: f.Sender, Receiver: f.Receiver, Warnings: r.Warnings,
		}
		if i == 0 {
			l.Operation = MessageOf(f.SizeBytes)
			l.Parameters, l.Idle, l.Residuals = r.Params, r.Idle, append(l.Residuals, r.Residuals...)
		}
	}
	l.Warnings = append(l.Warnings, SizeWarnings(l.Sizes)...)
}

// SizeWarnings returns each warning once, after the sizes that have it in bytes.
func SizeWarnings(sizes []Size) []string {
	var warnings []string
	of := map[string]string{}
	for _, z := range sizes {
		for _, w := range z.Warnings {
			if of[w] == "" {
				warnings = append(warnings, w)
			}
			of[w] += fmt.Sprintf(", %d", z.SizeBytes)
		}
	}
	for i, w := range warnings {
		warnings[i] = of[w][2:] + " B: " + w
	}
	return warnings
}

// Searched fills in the results of parameterized LogP. Parameters are those of the shortest message that is not
// empty.
func (l *LogP) Searched(constants logp.Search, p *logp.Parameterized) {
	l.Operation = MessageOf(p.Sizes[min(1, len(p.Sizes)-1)].Bytes)
	l.Parameters, l.Idle = p.LogP(), logp.Estimate{Reason: "not measured by this method"}
	l.Sizes = SizesOf(p)
	l.Warnings = append(l.Warnings, p.Warnings...)
	last := p.Sizes[len(p.Sizes)-1]
	bytes := float64(last.Bytes)
	l.Parameterized = &Parameterized{
		Constants: constants, G0: p.G0, L: p.L, Trains: p.Trains,
		Bandwidth: logp.Ratio("bandwidth", logp.Estimate{Value: bytes, Lo: bytes, Hi: bytes}, last.G),
	}
}

// SizesOf returns the parameters of all sizes.
func SizesOf(p *logp.Parameterized) (out []Size) {
	params := p.Params()
	for i, z := range p.Sizes {
		out = append(out, Size{SizeBytes: z.Bytes, Params: &params[i], Rounds: z.Rounds})
	}
	return out
}
