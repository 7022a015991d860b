package bench

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Calibration is a platform of the model whose numbers follow from measurements of real hosts, and how
// well it meets them.
type Calibration struct {
	Platform   string   `json:"platform"`
	Run        string   `json:"run"`            // directory of the run that is fitted
	Hosts      string   `json:"hosts"`          // that were measured
	LogP       string   `json:"logp,omitempty"` // directory of the measurement that is fitted too
	Parameters []Fitted `json:"parameters"`
	// Assumed says what the measurements do not tell, and what was taken instead.
	Assumed []string     `json:"assumed"`
	Stages  []StageFit   `json:"stages"`
	Costs   []CostFit    `json:"costs"` // LogP parameters
	Checks  []Prediction `json:"checks"`
}

// Fitted is a number of the platform.
type Fitted struct {
	Field string  `json:"field"` // of the profile
	Value float64 `json:"value"`
	From  string  `json:"from"` // what it is taken from
}

// Use is what a measured figure was used for.
type Use string

// The uses.
const (
	Fit   Use = "fit"
	Held  Use = "held out" // measured in the same run, at a size that the fit did not see
	Other Use = "other run"
)

// StageFit is a stage of messages of one size, measured and modelled.
type StageFit struct {
	SizeBytes  int64   `json:"size_bytes"`
	Stage      string  `json:"stage"`
	Messages   int     `json:"messages"`
	MedianUs   float64 `json:"median_us"` // this and the next are measured
	LowUs      float64 `json:"low_us"`    // a quarter of the messages are below
	HighUs     float64 `json:"high_us"`   // and a quarter above
	MeanUs     float64 `json:"mean_us"`
	ModelledUs float64 `json:"modelled_us"`
	Use        Use     `json:"use"`
}

// Apart returns by which part of the measured median the modelled latency differs from it.
func (f StageFit) Apart() float64 { return f.ModelledUs/f.MedianUs - 1 }

// Near is the largest part by which a modelled figure may differ from the measured one.
const Near = 0.15

// Met reports whether the model meets the measured median.
func (f StageFit) Met() bool { return f.Apart() <= Near && f.Apart() >= -Near }

// CostFit is a LogP parameter, measured and modelled. The measured one has an interval.
type CostFit struct {
	SizeBytes  int     `json:"size_bytes"`
	Parameter  string  `json:"parameter"`
	MeasuredUs float64 `json:"measured_us"`
	LowUs      float64 `json:"low_us"`
	HighUs     float64 `json:"high_us"`
	ModelledUs float64 `json:"modelled_us"`
	Use        Use     `json:"use"`
}

// Prediction is another run, measured and modelled.
type Prediction struct {
	Run     string     `json:"run"`
	How     string     `json:"how"` // pattern and rate
	Stages  []StageFit `json:"stages"`
	Differs []string   `json:"differs"` // from the run that was fitted
}

// Missed says which stages the model does not meet, at which sizes and by how much, and whether the messages
// themselves vary as much.
func Missed(all []StageFit) (out []string) {
	var stages []string
	of := map[string][]StageFit{}
	for _, f := range all {
		if f.Met() {
			continue
		}
		if of[f.Stage] == nil {
			stages = append(stages, f.Stage)
		}
		of[f.Stage] = append(of[f.Stage], f)
	}
	for _, stage := range stages {
		var sizes []string
		for _, f := range of[stage] {
			within := ""
			if f.ModelledUs >= f.LowUs && f.ModelledUs <= f.HighUs {
				within = ", within the middle half of the messages"
			}
			sizes = append(sizes, fmt.Sprintf("%d B (%+.0f %%%s)", f.SizeBytes, 100*f.Apart(), within))
		}
		out = append(out, stage+" is missed at "+strings.Join(sizes, ", "))
	}
	return out
}

// FittedView shows the numbers of a platform.
func FittedView(all []Fitted) analysis.View {
	return analysis.Tabulate(all,
		analysis.Word("parameter", "field", func(f Fitted) string { return f.Field }),
		analysis.Text("value", func(f Fitted) string { return fmt.Sprintf("%.5g", f.Value) }),
		analysis.Text("<from", func(f Fitted) string { return f.From }))
}

// StagesView shows stages, measured and modelled.
func StagesView(all []StageFit) analysis.View {
	us := func(name string, of func(StageFit) float64) analysis.Col[StageFit] {
		return analysis.Text(name, func(f StageFit) string { return Digits(of(f)) })
	}
	v := analysis.Tabulate(all,
		analysis.Text("size, B", func(f StageFit) string { return fmt.Sprint(f.SizeBytes) }),
		analysis.Text("<stage", func(f StageFit) string { return f.Stage }),
		us("median", func(f StageFit) float64 { return f.MedianUs }),
		us("lower", func(f StageFit) float64 { return f.LowUs }),
		us("upper", func(f StageFit) float64 { return f.HighUs }),
		us("mean", func(f StageFit) float64 { return f.MeanUs }),
		us("model", func(f StageFit) float64 { return f.ModelledUs }),
		analysis.Text("apart", func(f StageFit) string { return fmt.Sprintf("%+.0f%%", 100*f.Apart()) }),
		analysis.Text("<used as", func(f StageFit) string { return string(f.Use) }))
	v.Columns[0].Once = true
	return v.Noted("Times in µs. Half of the messages are between lower and upper. The model is beside the median, because it has no tails; apart is by how much it differs.")
}

// CalibratedCostsView shows LogP parameters, measured and modelled.
func CalibratedCostsView(all []CostFit) analysis.View {
	v := analysis.Tabulate(all,
		analysis.Text("size, B", func(f CostFit) string { return fmt.Sprint(f.SizeBytes) }),
		analysis.Text("<parameter", func(f CostFit) string { return f.Parameter }),
		analysis.Text("measured", func(f CostFit) string { return Digits(f.MeasuredUs) }),
		analysis.Text("interval", func(f CostFit) string { return Digits(f.LowUs) + " to " + Digits(f.HighUs) }),
		analysis.Text("model", func(f CostFit) string { return Digits(f.ModelledUs) }),
		analysis.Text("apart", func(f CostFit) string { return fmt.Sprintf("%+.0f%%", 100*(f.ModelledUs/f.MeasuredUs-1)) }),
		analysis.Text("<used as", func(f CostFit) string { return string(f.Use) }))
	v.Columns[0].Once = true
	return v.Noted("Times in µs, of messages without stamps.")
}
