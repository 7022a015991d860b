package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/rundir"
)

// logpSchema is the version of logp's JSON document.
const logpSchema = 1

func (a *app) logpCommand() *cobra.Command {
	spec := experiment.DefaultLogP()
	var sizes byteSizes
	var out, monitor string
	var json bool
	cmd := &cobra.Command{
		Use:   "logp",
		Short: "Measure the LogP parameters of communication layers",
		Long: `Measures what a message costs: send overhead o_s, receive overhead o_r, latency L
and gap g, each with its confidence interval, or why it cannot be told.

The method signature sends bursts of requests with a delay after each and reads
the parameters from the cost over burst length and delay; it takes a layer whose
requests are answered. Sizes add bulk transfers. The method sweep times loops of
sends and of receives for each message size and works for every layer.

Patterns other than pair let several nodes ask or answer at once; one-to-many and
many-to-one tell by how much the gap differs from that of one pair.

With the monitor, what it saw of the same packets is held against L and the
overheads. Several layers, or several platforms, are measured side by side. -o
leaves the figures as JSON and Arrow, with plots.`,
		Example: `  sigview logp --platform ppro --layer gam
  sigview logp --platform ppro --layer all --method sweep --size 4,64,1K,64K -o layers
  sigview logp --platform ppro --layer gam --size 1K,4K --monitor full --json
  sigview logp --platform ppro --layer gam --noise ticks,misses`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("peers") && spec.Peers == 0 {
				return usagef("--peers is 0, want at least 1")
			}
			spec.Sizes, spec.Monitor = sizes, experiment.Build(monitor)
			return a.measureLogP(cmd.Context(), spec, out, json)
		},
	}
	layerFlags(cmd, &spec.PlacesSpec, &sizes, &out, &json)
	fs := cmd.Flags()
	fs.Lookup("size").Usage += " (default: of a sweep, 4 B to 64 KB; beside a signature, none)"
	fs.StringVar(&spec.Method, "method", "", "how: "+strings.Join(experiment.Methods(), ", ")+" (default: signature where requests are answered, else sweep)")
	fs.StringVar(&spec.Pattern, "pattern", spec.Pattern, "who asks whom: "+strings.Join(experiment.Patterns(), ", "))
	fs.IntVar(&spec.Peers, "peers", 0, "nodes that answer or ask the one, or pairs (default: 3; of all-pairs, all nodes)")
	fs.StringVar(&monitor, "monitor", string(spec.Monitor), "firmware build: "+strings.Join(experiment.Builds(), ", "))
	fs.StringSliceVar(&spec.Noise, "noise", nil, "what disturbs the hosts, separated by commas: "+strings.Join(experiment.Noises(), ", "))
	a.completePlaces(cmd)
	completeWords(cmd, "method", experiment.Methods())
	completeWords(cmd, "pattern", experiment.Patterns())
	completeWords(cmd, "monitor", experiment.Builds())
	mustComplete(cmd, "noise", inList(cobra.FixedCompletions(experiment.Noises(), cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

func (a *app) measureLogP(ctx context.Context, spec experiment.LogPSpec, out string, json bool) error {
	results, err := measure(ctx, a, spec, out, a.lab.logp)
	if err != nil {
		return err
	}
	r := report.LogP{Seed: spec.Seed, Results: results}
	return a.deliver(ctx, measured{
		name: "logp", document: newLogPDocument(r),
		report: r,
		charts: report.LogPCharts(results),
		table:  func(w io.Writer) error { return rundir.Encode(w, bench.LogPRows(results)) },
	}, out, json)
}

// newLogPDocument is one result, or several in a list.
func newLogPDocument(r report.LogP) any {
	s := newStamp(logpSchema, r.Seed)
	if len(r.Results) == 1 {
		return struct {
			stamp
			bench.LogP
		}{s, r.Results[0]}
	}
	return listDocument[bench.LogP]{s, r.Results}
}
