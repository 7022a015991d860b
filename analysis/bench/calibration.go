package bench

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis"
)

// Calibration is a platform that was fitted to measurements of real hosts, with the differences between model
// and measurements.
type Calibration struct {
	Platform   string   `json:"platform"`
	Run        string   `json:"run"`            // directory of the run that is fitted
	Hosts      string   `json:"hosts"`          // that were measured
	LogP       string   `json:"logp,omitempty"` // directory of the measurement that is fitted too
	Parameters []Fitted `json:"parameters"`
	// Assumed lists the numbers that no measurement gives, and what was assumed for each.
	Assumed []string     `json:"assumed"`
	Stages  []StageFit   `json:"stages"`
	Costs   []CostFit    `json:"costs"` // LogP parameters
	Checks  []Prediction `json:"checks"`
}

// Fitted is one fitted number of the platform's profile, in the unit of its field.
type Fitted struct {
	Field string  `json:"field"` // of the profile
	Value float64 `json:"value"`
	From  string  `json:"from"` // what it is taken from
	// Interval has the two ends of the 95 % interval. It is empty where there is none.
	Interval []float64 `json:"interval,omitempty"`
}

// Use is the part that a measured figure has in the fit.
type Use string

// The uses.
const (
	Fit   Use = "fit"
	Held  Use = "held out" // measured in the same run, at a size that the fit did not see
	Other Use = "other run"

	OtherListing Use = "other listing"
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

// Apart returns the relative difference of the modelled latency from the measured median.
func (f StageFit) Apart() float64 { return f.ModelledUs/f.MedianUs - 1 }

// Near is the largest relative difference at which a modelled figure counts as met.
const Near = 0.15

// Met reports whether the modelled latency is within Near of the measured median.
func (f StageFit) Met() bool { return f.Apart() <= Near && f.Apart() >= -Near }

// CostFit is a LogP parameter, measured with its 95 % interval and modelled.
type CostFit struct {
	SizeBytes  int     `json:"size_bytes"`
	Parameter  string  `json:"parameter"`
	MeasuredUs float64 `json:"measured_us"`
	LowUs      float64 `json:"low_us"`
	HighUs     float64 `json:"high_us"`
	ModelledUs float64 `json:"modelled_us"`
	Use        Use     `json:"use"`
}

// Prediction is a run that was not fitted, measured and modelled.
type Prediction struct {
	Run     string     `json:"run"`
	How     string     `json:"how"` // pattern and rate
	Stages  []StageFit `json:"stages"`
	Differs []string   `json:"differs"` // from the run that was fitted
}

// Missed returns for each stage the sizes at which the model misses the median, with the relative difference.
// It also says where the modelled latency is within the middle half of the messages.
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

// FittedView returns the table of the fitted numbers.
func FittedView(all []Fitted) analysis.View {
	columns := []analysis.Col[Fitted]{
		analysis.Word("parameter", "field", func(f Fitted) string { return f.Field }),
		analysis.Text("value", func(f Fitted) string { return fmt.Sprintf("%.5g", f.Value) }),
	}
	if slices.ContainsFunc(all, func(f Fitted) bool { return f.Interval != nil }) {
		columns = append(columns, analysis.Text("95 % interval", func(f Fitted) string {
			if f.Interval == nil {
				return ""
			}
			return fmt.Sprintf("%.5g to %.5g", f.Interval[0], f.Interval[1])
		}))
	}
	return analysis.Tabulate(all, append(columns, analysis.Text("<from", func(f Fitted) string { return f.From }))...)
}

// StagesView returns the table of the stages, measured and modelled, in µs.
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

// CalibratedCostsView returns the table of the LogP parameters, measured and modelled, in µs.
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
