package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
)

// perturbSchema is the version of perturb's JSON document.
const perturbSchema = 1

func (a *app) perturbCommand() *cobra.Command {
	spec := experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: experiment.DefaultSeed}
	var json bool
	cmd := &cobra.Command{
		Use:   "perturb",
		Short: "Measure the monitor's own cost: five firmware builds side by side",
		Long: `Runs a stream, a ping-pong and a simultaneous exchange over all message sizes,
and the applications, under five firmware builds: without the monitor, with all
of it, and with its sending, receiving and clock part alone.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measurePerturbation(cmd.Context(), spec, json) },
	}
	fs := cmd.Flags()
	platformFlags(fs, &spec.Platform, &spec.Seed)
	fs.Var((*counts)(&spec.Sizes), "size", "message sizes in bytes, K, M and G allowed (default: 4 B to 4 MB)")
	fs.StringSliceVar(&spec.Programs, "workload", nil, "applications to time (default: all)")
	jsonFlag(fs, &json)
	a.completePlaces(cmd)
	return cmd
}

func (a *app) measurePerturbation(ctx context.Context, spec experiment.PerturbSpec, json bool) error {
	p, err := measure(ctx, a, spec, "", a.lab.perturb)
	if err != nil {
		return err
	}
	return a.print(json, newPerturbDocument(p), func(w io.Writer) error { return writePerturbation(w, p) })
}

// perturbDocument is perturb's JSON document.
type perturbDocument struct {
	judge.Stamp
	Builds       []string                        `json:"builds"`
	Tests        []string                        `json:"tests"`
	Points       []experiment.PerturbPoint       `json:"points"`
	Applications []experiment.PerturbApplication `json:"applications"`
	Remarks      []string                        `json:"remarks"`
}

func newPerturbDocument(p *experiment.Perturbation) perturbDocument {
	return perturbDocument{
		Stamp:  platformStamp(perturbSchema, p.Seed, p.Platform),
		Builds: experiment.Builds(), Tests: experiment.PerturbTests(),
		Points: listed(p.Points), Applications: listed(p.Applications), Remarks: listed(p.Remarks),
	}
}

// perturbTable is one figure: a quantity of a test, with builds as columns.
type perturbTable struct {
	test, title string
	value       func(experiment.PerturbPoint) *float64
}

var perturbTables = []perturbTable{
	{"stream", "stream: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
	{"stream", "stream: time inside send while the request queue has room, µs", func(p experiment.PerturbPoint) *float64 { return p.OsUs }},
	{"pingpong", "pingpong: one-way time (RTT/2), µs", func(p experiment.PerturbPoint) *float64 { return p.OneWayUs }},
	{"pingpong", "pingpong: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
	{"simultaneous", "simultaneous: bandwidth, MB/s", func(p experiment.PerturbPoint) *float64 { return p.BandwidthMBps }},
}

func writePerturbation(w io.Writer, p *experiment.Perturbation) error {
	fmt.Fprintf(w, "The monitor's own cost on %s, seed %d\n", p.Platform, p.Seed)
	for _, t := range perturbTables {
		t.write(w, p.Points)
	}
	writeApplications(w, p.Applications)
	for _, r := range p.Remarks {
		fmt.Fprintf(w, "\n%s\n", r)
	}
	return nil
}

func (t perturbTable) write(w io.Writer, points []experiment.PerturbPoint) {
	var sizes []int64
	cells := map[int64]map[experiment.Build]float64{}
	for _, p := range points {
		v := t.value(p)
		if p.Test != t.test || v == nil {
			continue
		}
		if cells[p.SizeBytes] == nil {
			cells[p.SizeBytes] = map[experiment.Build]float64{}
			sizes = append(sizes, p.SizeBytes)
		}
		cells[p.SizeBytes][p.Build] = *v
	}
	if len(sizes) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n%10s", t.title, "bytes")
	for _, b := range experiment.Builds() {
		fmt.Fprintf(w, " %9s", b)
	}
	fmt.Fprintf(w, " %12s\n", "full-off")
	for _, size := range sizes {
		fmt.Fprintf(w, "%10d", size)
		for _, b := range experiment.Builds() {
			if v, ok := cells[size][experiment.Build(b)]; ok {
				fmt.Fprintf(w, " %9.3f", v)
			} else {
				fmt.Fprintf(w, " %9s", "-")
			}
		}
		off, ok1 := cells[size][experiment.BuildOff]
		full, ok2 := cells[size][experiment.BuildFull]
		if ok1 && ok2 && off != 0 {
			fmt.Fprintf(w, " %+10.2f %%", 100*(full-off)/off)
		}
		fmt.Fprintln(w)
	}
}

func writeApplications(w io.Writer, apps []experiment.PerturbApplication) {
	if len(apps) == 0 {
		return
	}
	fmt.Fprintf(w, "\nrun time of applications, s\n")
	for _, app := range apps {
		fmt.Fprintf(w, "%10s %-6s %9.4f", app.Workload, app.Build, app.RunTimeS)
		for _, s := range app.Shares {
			pct := 0.0
			if app.RunTimeS > 0 {
				pct = 100 * s.S / app.RunTimeS
			}
			fmt.Fprintf(w, "  %s %.1f %%", s.Name, pct)
		}
		fmt.Fprintln(w)
	}
}
