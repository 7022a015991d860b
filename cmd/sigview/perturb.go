package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
)

// perturbSchema is the version of perturb's JSON document.
const perturbSchema = 1

func (a *app) perturbCommand() *cobra.Command {
	spec := experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: experiment.DefaultSeed, Traced: true}
	var json bool
	cmd := &cobra.Command{
		Use:   "perturb",
		Short: "Measure the monitor's own cost: five firmware builds and a trace side by side",
		Long: `Runs a stream, a ping-pong and a simultaneous exchange over all message sizes,
and the applications, under five firmware builds: without the monitor, with all
of it, and with its sending, receiving and clock part alone. Trace is the full
monitor that also records every packet and operation.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, _, err := measure(cmd.Context(), a, spec, "", "", a.lab.perturb)
			if err != nil {
				return err
			}
			return a.print(json, perturbDocument{platformStamp(perturbSchema, p.Seed, p.Platform), experiment.Builds(), experiment.PerturbTests(), p}, perturbTables(p))
		},
	}
	fs := cmd.Flags()
	platformFlags(fs, &spec.Platform, &spec.Seed)
	fs.Var(counts(&spec.Sizes), "size", "message sizes in bytes, K, M and G allowed (default: 4 B to 4 MB)")
	fs.StringSliceVar(&spec.Programs, "workload", nil, "applications to time (default: all)")
	jsonFlag(fs, &json)
	a.completePlaces(cmd)
	return cmd
}

// perturbDocument is perturb's JSON document.
type perturbDocument struct {
	judge.Stamp
	Builds []experiment.Build `json:"builds"`
	Tests  []string           `json:"tests"`
	*experiment.Perturbation
}

// perturbed lists the quantities that are shown.
var perturbed = []struct {
	test, title string
	value       func(experiment.PerturbPoint) *float64
}{
	{"stream", "stream: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
	{"stream", "stream: time inside send while the request queue has room, µs", func(p experiment.PerturbPoint) *float64 { return p.OsUs }},
	{"pingpong", "pingpong: one-way time (RTT/2), µs", func(p experiment.PerturbPoint) *float64 { return p.OneWayUs }},
	{"pingpong", "pingpong: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
	{"simultaneous", "simultaneous: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
}

func perturbTables(p *experiment.Perturbation) report.Tables {
	t := report.Tables{Title: fmt.Sprintf("The monitor's own cost on %s, seed %d", p.Platform, p.Seed), Remarks: p.Remarks}
	for _, q := range perturbed {
		if v := buildsView(p, q.test, q.value); len(v.Rows) > 0 {
			v.Title = q.title
			t.Views = append(t.Views, v)
		}
	}
	if len(p.Applications) > 0 {
		t.Views = append(t.Views, applicationsView(p.Applications))
	}
	return t
}

// buildsView shows one quantity by size, with a column for each build.
func buildsView(all *experiment.Perturbation, test string, value func(experiment.PerturbPoint) *float64) analysis.View {
	var sizes []int64
	for _, p := range all.Points {
		if p.Test == test && value(p) != nil && !slices.Contains(sizes, p.SizeBytes) {
			sizes = append(sizes, p.SizeBytes)
		}
	}
	figure := func(p *experiment.PerturbPoint) *float64 {
		if p == nil {
			return nil
		}
		return value(*p)
	}
	of := func(size int64, build experiment.Build) *float64 { return figure(all.Find(build, test, size)) }
	column := func(name string, of func(size int64) *float64) analysis.Col[int64] {
		return analysis.Text(name, func(n int64) string {
			if v := of(n); v != nil {
				return strconv.FormatFloat(*v, 'f', 3, 64)
			}
			return analysis.None
		})
	}
	cols := []analysis.Col[int64]{analysis.Text("size, B", func(n int64) string { return strconv.FormatInt(n, 10) })}
	for _, b := range experiment.Builds() {
		cols = append(cols, column(b.String(), func(n int64) *float64 { return of(n, b) }))
	}
	cols = append(cols, column("trace", func(n int64) *float64 { return figure(all.FindTraced(test, n)) }))
	cols = append(cols, analysis.Text("full-off", func(n int64) string {
		off, full := of(n, experiment.BuildOff), of(n, experiment.BuildFull)
		if off == nil || full == nil || *off == 0 {
			return analysis.None
		}
		return fmt.Sprintf("%+.2f%%", 100*(*full-*off) / *off)
	}))
	return analysis.Tabulate(sizes, cols...)
}

// applicationsView shows the run times of programs under each build, with their shares.
func applicationsView(apps []experiment.PerturbApplication) analysis.View {
	type app = experiment.PerturbApplication
	cols := []analysis.Col[app]{
		analysis.Text("<build", func(a app) string {
			if a.Trace != "" {
				return a.Workload + " trace"
			}
			return a.Workload + " " + a.Build.String()
		}),
		analysis.Text("time, s", func(a app) string { return strconv.FormatFloat(a.RunTimeS, 'f', 4, 64) }),
	}
	var names []string
	for _, a := range apps {
		for _, s := range a.Shares {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	for _, name := range names {
		cols = append(cols, analysis.Text(name, func(a app) string {
			for _, s := range a.Shares {
				if s.Name == name && a.RunTimeS > 0 {
					return strconv.FormatFloat(100*s.S/a.RunTimeS, 'f', 1, 64)
				}
			}
			return analysis.None
		}))
	}
	v := analysis.Tabulate(apps, cols...).Noted("The named parts are in percent of the run time.")
	v.Title, v.Fold = "run time of applications", true
	return v
}
