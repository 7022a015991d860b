package report

import (
	"fmt"
	"path"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/sweep"
	"github.com/sigview/sigview/trace"
)

// Sweep is what a report of many runs shows.
type Sweep struct {
	sweep.Sweep
	// Lead leads from a combination on a page to its runs, by the name of their directory. nil: none.
	Lead func(runs string) Lead
}

// SweepOf makes the report of a sweep.
func SweepOf(m trace.SweepManifest, runs []trace.SweepRun) Sweep {
	return Sweep{Sweep: sweep.Of(m, runs)}
}

func (s Sweep) title() string { return "Sweep " + s.Name }

// manyCells is the number of combinations from which on they are listed only in full reports.
const manyCells = 60

func (s Sweep) blocks(full bool) []block {
	out := []block{heading(1, s.title())}
	summary := s.Summary()
	out = append(out, para(summary[0]), bullets(summary[1:]))
	best := s.Best()
	if len(best) > 0 {
		out = append(out, heading(2, "Best layer by size"))
	}
	for len(best) > 0 {
		n := 1
		for n < len(best) && best[n].Group() == best[0].Group() {
			n++
		}
		v := sweep.BestBySize(best[:n])
		if n < len(best) {
			v.Note = "" // the same for all
		}
		out = append(out, para(v.Title+":"), view(v))
		best = best[n:]
	}
	for _, p := range SweepPictures(s.Sweep) {
		out = append(out, heading(2, p.Title))
		for _, row := range p.Rows {
			out = append(out, figure(row...))
		}
	}
	lists := s.lists()
	if !full && len(s.Cells) >= manyCells {
		for i := range lists {
			lists[i].Rich = true
		}
		out = append(out, block{Heading: "All combinations", Level: 2, Plain: true},
			block{Para: fmt.Sprintf("There are %d combinations: sigview report --full lists them.", len(s.Cells)), Plain: true})
	}
	return append(append(out, lists...), s.rest()...)
}

// lists are tables with a row for each combination.
func (s Sweep) lists() (out []block) {
	if freed := s.Freed(); len(freed) > 0 {
		out = append(out, heading(2, "What free resources save"), view(sweep.FreedView(freed)))
	}
	if best := s.Best(); len(best) > 0 {
		out = append(out, heading(2, "Best layer of each combination"), view(sweep.BestView(best)))
	}
	all := view(s.CellsView())
	if s.Lead != nil {
		for _, c := range s.Cells {
			var lead Lead // of a combination whose runs failed
			if len(c.Runs) > 0 {
				lead = s.Lead(path.Dir(c.Runs[0].Run))
			}
			all.Leads = append(all.Leads, lead)
		}
	}
	return append(out, heading(2, "All combinations"), all)
}

// rest are the runs that failed and the combinations that were skipped.
func (s Sweep) rest() (out []block) {
	if len(s.Failed) > 0 {
		var lines []string
		for _, f := range s.Failed {
			lines = append(lines, f.Title+": "+f.Error)
		}
		out = append(out, heading(2, "Runs that failed"), bullets(lines))
	}
	if len(s.Skipped) > 0 {
		var lines []string
		for _, k := range s.Skipped {
			lines = append(lines, k.String())
		}
		out = append(out, heading(2, "Combinations that cannot work"), bullets(lines))
	}
	return append(out, para(fmt.Sprintf("Made by sigview %s. Seeds %s.", s.ToolVersion, trace.SeedsText(s.Seeds))))
}

type sweepDoc struct {
	SchemaVersion int                  `json:"schema_version"`
	ToolVersion   string               `json:"tool_version"`
	Name          string               `json:"name"`
	Seeds         []uint64             `json:"seeds"`
	Runs          int64                `json:"runs"`
	Failed        []trace.SweepFailure `json:"failed"`
	Skipped       []trace.SweepSkip    `json:"skipped"`
	Summary       []string             `json:"summary"`
	Best          analysis.View        `json:"best"`
	Freed         analysis.View        `json:"freed"`
	Combinations  analysis.View        `json:"combinations"`
}

// sweepSchema is the version of the JSON document of a sweep.
const sweepSchema = 1

// SweepJSON returns the results of a sweep as one JSON document.
func SweepJSON(s Sweep) ([]byte, error) {
	return encode(sweepDoc{
		SchemaVersion: sweepSchema, ToolVersion: s.ToolVersion, Name: s.Name, Seeds: s.Seeds, Runs: s.Runs,
		Failed: list(s.Failed), Skipped: list(s.Skipped), Summary: s.Summary(),
		Best: sweep.BestView(s.Best()), Freed: sweep.FreedView(s.Freed()), Combinations: s.CellsView(),
	})
}
