package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/trace"
)

// BesideSpec asks how far fast runs depart from those of the full model.
type BesideSpec struct {
	Platform string       `json:"platform"`
	Layer    string       `json:"layer"` // "": the platform's own
	Nodes    int          `json:"nodes"` // 0: the platform's own
	Seeds    Seeds        `json:"seeds"`
	Only     string       `json:"only"` // a program; "": all
	Schedule ScheduleSpec `json:"schedule"`
}

// Beside is one program in both details, as means over seeds.
type Beside struct {
	Workload string  `json:"workload"`
	Nodes    int     `json:"nodes"`
	Packets  int64   `json:"packets"`  // of the full run with the first seed
	Messages int64   `json:"messages"` // of the fast run: deposits
	FullUs   float64 `json:"full_us"`  // run time
	FastUs   float64 `json:"fast_us"`
	Percent  float64 `json:"departure_percent"`
	Least    float64 `json:"departure_least_percent"` // of the seeds
	Most     float64 `json:"departure_most_percent"`
	WaitsUs  float64 `json:"waits_us"` // of a packet in the full run: mean time beyond that on idle nodes
	Where    string  `json:"where"`    // the stage with most of it, "" for none
}

// Besides has the programs that ran, and the reasons why others did not.
type Besides struct {
	Rows    []Beside `json:"rows"`
	Refused []string `json:"refused"`
}

// besideMessages are the messages of patterns that are compared: small ones, for which the work of
// interfaces counts most, and longer ones.
var besideMessages = []int{64, 1024}

// variants returns the runs of a program that are compared, with what tells them apart.
func (s BesideSpec) variants(name string) (runs []RunSpec, labels []string) {
	spec := DefaultRun(name)
	spec.Platform, spec.Layer, spec.Nodes = s.Platform, s.Layer, s.Nodes
	add := func(what string) {
		runs, labels = append(runs, spec), append(labels, name+what)
	}
	_, passes := messageWorkloads[name]
	switch {
	case spec.IsPattern():
		for _, spec.Pattern.Bytes = range besideMessages {
			add(fmt.Sprintf(", %d B", spec.Pattern.Bytes))
		}
	case name == GOAL:
		spec.Schedule = s.Schedule
		add("")
	case passes:
		for _, way := range []nx.Broadcast{nx.Separate, nx.Tree} {
			spec.Broadcast = BroadcastName(way.String())
			add(", " + way.String())
		}
	default:
		add("")
	}
	return runs, labels
}

// RunBesides runs programs in both details.
func RunBesides(ctx context.Context, s BesideSpec, watch Watch) (*Besides, error) {
	names := ownPrograms()
	if s.Schedule.File != "" {
		names = append(names, GOAL)
	}
	if s.Only != "" {
		names = []string{s.Only}
	}
	out := &Besides{Rows: []Beside{}, Refused: []string{}}
	var jobs []Job
	var refusal error
	for _, name := range names {
		runs, labels := s.variants(name)
		for i, spec := range runs {
			if _, _, err := spec.Resolved(); err != nil {
				refusal = err
				out.Refused = append(out.Refused, fmt.Sprintf("%s: %v", labels[i], err))
				continue
			}
			for _, spec.Seed = range s.Seeds.All() {
				for _, spec.Detail = range []Detail{DetailFull, DetailFast} {
					jobs = append(jobs, Job{Spec: spec, Label: labels[i]})
				}
			}
		}
	}
	if len(jobs) == 0 {
		return nil, refusal
	}
	runs := make([]*trace.Run, len(jobs))
	err := RunMany(ctx, jobs, watch, func(i int, run *trace.Run, err error) error {
		runs[i] = run
		return err
	})
	if err != nil {
		return nil, err
	}
	for each := 2 * s.Seeds.N; len(runs) > 0; runs, jobs = runs[each:], jobs[each:] {
		out.Rows = append(out.Rows, beside(jobs[0].Label, runs[:each]))
	}
	return out, nil
}

// beside compares runs of one program: those in full detail, each followed by a fast one.
func beside(label string, runs []*trace.Run) Beside {
	full, fast := runs[0].Manifest, runs[1].Manifest
	b := Beside{Workload: label, Nodes: full.Nodes, Packets: full.Packets, Messages: fast.Packets}
	var departures []float64
	share := 2 / float64(len(runs))
	for pair := range slices.Chunk(runs, 2) {
		full, fast := float64(pair[0].Manifest.RunTimeNs())/1000, float64(pair[1].Manifest.RunTimeNs())/1000
		b.FullUs += float64(full * share)
		b.FastUs += float64(fast * share)
		departures = append(departures, 100*(fast/full-1))
		b.Percent += float64(departures[len(departures)-1] * share)
	}
	b.Least, b.Most = slices.Min(departures), slices.Max(departures)
	b.WaitsUs, b.Where = waiting(runs[0])
	return b
}

// waiting returns the mean time of a run's packets beyond that on idle nodes, and the stage that
// has most of it.
func waiting(run *trace.Run) (us float64, where string) {
	waits := map[trace.Stage]float64{}
	all, most := 0.0, 0.0
	for _, f := range analysis.Diagnose(analysis.Of(*run), analysis.FactsOf(*run)).Findings {
		if f.Level != analysis.Above || f.Stage == trace.NetMinusLANai {
			continue
		}
		sum := float64(f.DiffNs.Value * float64(f.CountB))
		all += sum
		if waits[f.Stage] += sum; waits[f.Stage] > most {
			most, where = waits[f.Stage], analysis.StageName(f.Stage, analysis.Modelled)
		}
	}
	return all / 1000 / float64(max(1, run.Manifest.Packets)), where
}
