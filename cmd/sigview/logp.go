package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) logpCommand() *cobra.Command {
	spec := experiment.DefaultLogP()
	cmd := &cobra.Command{
		Use:   "logp",
		Short: "Measure the LogP parameters of communication layers",
		Long: `Measures what a message costs: send overhead o_s, receive overhead o_r, latency L
and gap g, each with its confidence interval, or the reason why it is not
identifiable.

The method signature sends bursts of requests with a delay after each and reads
the parameters from the cost over burst length and delay. It needs a layer with
requests and replies. Sizes add bulk transfers. The method sweep times loops of
sends and of receives for each message size and works for every layer.

The method plogp gives o_s, o_r and g as functions of message size, which it chooses
itself: trains of empty messages give g(0), and two kinds of round trips per size the
rest. Beside it stand the gap by saturation, what both cost in simulated time and
messages, the figures with the roles of the nodes swapped, and the one-way time by the
monitors' global clock. --plogp sets its constants.

A signature is of requests of four words with their replies, a sweep of messages
by send and receive: their times are not comparable. By default the two nodes are
those of the platform with the most switches between them, as published figures
are; --pair takes others.

In patterns other than pair several nodes send requests or reply at once.
One-to-many and many-to-one show by how much the gap differs from that of a pair.

With the monitor, its latencies of the same packets are compared with L and the
overheads. Several layers, or several platforms, are measured side by side. -o
writes the figures as JSON and Arrow, with plots.`,
		Example: `  sigview logp --platform ppro --layer gam
  sigview logp --platform ppro --layer all --method sweep --size 4,64,1K,64K -o layers
  sigview logp --platform ppro --layer gam --size 1K,4K --monitor full --json
  sigview logp --platform shrimp --pair 0,7 --method sweep
  sigview logp --platform ppro --layer vmmc --method plogp
  sigview logp --layer all --method plogp --plogp epsilon=0.02,exponent=12
  sigview logp --platform ppro --layer gam --noise ticks,misses`,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("peers") && spec.Peers == 0 {
				return usagef("--peers is 0, want at least 1")
			}
			return nil
		},
	}
	layerFlags(cmd, &spec.PlacesSpec)
	fs := cmd.Flags()
	fs.Lookup("size").Usage += " (default: 4 B to 64 KB for a sweep, none for a signature)"
	word(cmd, &spec.Method, "method", "method of measurement", "signature for layers with requests and replies, else sweep")
	word(cmd, &spec.Pattern, "pattern", "who sends requests to whom")
	fs.Var(flags.Pair(&spec.Pair), "pair", "the two nodes of the pattern pair (default: node 0 and the first of those most switches away)")
	fs.IntVar(&spec.Peers, "peers", 0, "number of peers, or of pairs (default: 3; for all-pairs, all nodes)")
	word(cmd, &spec.Monitor, "monitor", "firmware build")
	fs.Var(flags.Settings[experiment.PLogPSpec]{To: &spec.PLogP}, "plogp", "constants of the method plogp (default: the published ones)")
	list(cmd, &spec.Noise, "noise", "sources of noise on the hosts, separated by commas")
	return measuring(a, cmd, &spec, experiment.LogP, func(r []bench.LogP) measured { return measuredLogP(spec.Seed, r) })
}

// measuredLogP is the output for results of any number of layers. It repeats
// measuredBandwidth, because a document embeds its result and Go cannot embed a type
// parameter.
func measuredLogP(seed uint64, results []bench.LogP) measured {
	return measured{
		name: "logp", document: document(seed, results, func(s stamp, one bench.LogP) any {
			return struct {
				stamp
				bench.LogP
			}{s, one}
		}),
		report: report.LogP{Seed: seed, Results: results},
		charts: report.LogPCharts(results),
		table:  func(w io.Writer) error { return rundir.Encode(w, bench.LogPRows(results), toolLabels(seed)...) },
	}
}
