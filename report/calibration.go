package report

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
)

// Calibration is the report of a platform that was fitted to real hosts.
type Calibration struct{ *bench.Calibration }

func (r Calibration) title() string {
	return fmt.Sprintf("Platform %s, fitted to %s", r.Platform, r.Run)
}

func (r Calibration) blocks(bool) []block {
	out := []block{heading(1, r.title()), para("Measured: " + r.Hosts + "."), view(bench.FittedView(r.Parameters))}
	out = append(out, heading(2, "What the measurements do not tell"), bullets(r.Assumed))
	out = append(out, heading(2, "Stages of the run"), view(bench.StagesView(r.Stages)))
	out = append(out, missed(r.Stages, nil)...)
	if len(r.Costs) > 0 {
		out = append(out, heading(2, "LogP parameters"), view(bench.CalibratedCostsView(r.Costs)))
	}
	for _, c := range r.Checks {
		out = append(out, heading(2, fmt.Sprintf("Predicted: %s, %s", c.Run, c.How)), view(bench.StagesView(c.Stages)))
		out = append(out, missed(c.Stages, c.Differs)...)
	}
	return out
}

// Card is the report of a card that was fitted to listings.
type Card struct{ *bench.Card }

func (r Card) title() string {
	return fmt.Sprintf("Platform %s, fitted to %s", r.Platform, strings.Join(r.Listings, ", "))
}

func (r Card) blocks(bool) []block {
	out := []block{heading(1, r.title()), view(bench.FittedView(r.Parameters)), para("Everything else is as in the platform " + r.Base + ".")}
	for _, x := range r.NotTold {
		out = append(out, para(x+"."))
	}
	return append(out, heading(2, "Latencies"), view(bench.CardView(r.Card)), para(r.Summary()))
}

// missed names the stages that the model does not meet, and in what a run differs from the fitted one.
func missed(all []bench.StageFit, differs []string) []block {
	met := 0
	for _, f := range all {
		if f.Met() {
			met++
		}
	}
	out := []block{para(fmt.Sprintf("%d of %d stages are within %.0f %% of the median.", met, len(all), 100*bench.Near))}
	if met == len(all) {
		return out
	}
	items := bench.Missed(all)
	if len(differs) > 0 {
		items = append(items, "The run differs from the fitted one in "+strings.Join(differs, ", and in ")+". What depends on that the fit has not seen.")
	}
	return append(out, bullets(items))
}
