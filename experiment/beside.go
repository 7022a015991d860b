package experiment

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// BesideSpec asks how far fast runs depart from those of the full model.
type BesideSpec struct {
	Platform string `json:"platform"`
	Layer    string `json:"layer"` // "": the platform's own
	Seed     uint64 `json:"seed" range:"0.."`
	Only     string `json:"only"` // a program; "": all that need no file
}

// Beside is one program in both details.
type Beside struct {
	Workload string  `json:"workload"`
	Nodes    int     `json:"nodes"`
	Packets  int64   `json:"packets"`  // of the full run
	Messages int64   `json:"messages"` // of the fast run: deposits
	FullUs   float64 `json:"full_us"`  // run time
	FastUs   float64 `json:"fast_us"`
	Percent  float64 `json:"departure_percent"`
	WaitsUs  float64 `json:"waits_us"` // of a packet in the full run: mean time beyond that on idle nodes
	Where    string  `json:"where"`    // the stage with most of it, "" for none
}

// besideMessages are the messages of patterns that are compared: small ones, for which the work of
// interfaces counts most, and longer ones.
var besideMessages = []int{64, 1024}

// Besides runs programs in both details.
func Besides(ctx context.Context, s BesideSpec, watch Watch) ([]Beside, error) {
	var jobs []Job
	for _, name := range ownPrograms() {
		if s.Only != "" && s.Only != name {
			continue
		}
		sizes := []int{0}
		if _, is := patternWorkloads[name]; is {
			sizes = besideMessages
		}
		for _, bytes := range sizes {
			for _, d := range []Detail{DetailFull, DetailFast} {
				spec := DefaultRun(name)
				spec.Platform, spec.Layer, spec.Seed, spec.Detail, spec.Pattern.Bytes = s.Platform, s.Layer, s.Seed, d, bytes
				label := name
				if bytes > 0 {
					label = fmt.Sprintf("%s, %d B", name, bytes)
				}
				jobs = append(jobs, Job{Spec: spec, Label: label})
			}
		}
	}
	if len(jobs) == 0 {
		return nil, DefaultRun(s.Only).Validate(Known())
	}
	runs := make([]*trace.Run, len(jobs))
	err := RunMany(ctx, jobs, watch, func(i int, run *trace.Run, err error) error {
		runs[i] = run
		return err
	})
	if err != nil {
		return nil, err
	}
	var out []Beside
	for i := 0; i < len(runs); i += 2 {
		out = append(out, beside(jobs[i].Label, runs[i], runs[i+1]))
	}
	return out, nil
}

func beside(label string, full, fast *trace.Run) Beside {
	b := Beside{
		Workload: label, Nodes: full.Manifest.Nodes, Packets: full.Manifest.Packets, Messages: fast.Manifest.Packets,
		FullUs: float64(full.Manifest.RunTimeNs()) / 1000, FastUs: float64(fast.Manifest.RunTimeNs()) / 1000,
	}
	b.Percent = 100 * (b.FastUs/b.FullUs - 1)
	waits := map[trace.Stage]float64{}
	all, most := 0.0, 0.0
	for _, f := range analysis.Diagnose(analysis.Of(*full), analysis.FactsOf(*full)).Findings {
		if f.Level != analysis.Above || f.Stage == trace.NetMinusLANai {
			continue
		}
		sum := f.DiffNs.Value * float64(f.CountB)
		all += sum
		if waits[f.Stage] += sum; waits[f.Stage] > most {
			most, b.Where = waits[f.Stage], analysis.StageName(f.Stage)
		}
	}
	b.WaitsUs = all / 1000 / float64(max(1, full.Manifest.Packets))
	return b
}
