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

func (a *app) verbsCommand() *cobra.Command {
	spec := experiment.DefaultVerbs()
	var cable bool
	cmd := &cobra.Command{
		Use:   "verbs",
		Short: "Measure RDMA verbs on a modelled card as the perftest tools do",
		Long: `Measures what the perftest tools (ib_write_lat, ib_write_bw, ib_read_lat, …) measure
on a card, with their loops, between two modelled cards, and prints their columns.
Latency of write, send and send-ud (a datagram) is half of a round trip; that of
read, fetch-add and compare-swap is the whole time. Bandwidth is in MiB (2^20 bytes) a second.

Several platforms, operations, queue pairs and operations under way are measured
side by side. --beside lays a listing of a real card beside the model: operation,
sizes, queue pairs and depth are then those of the listing, where it says them.

-o writes the figures as JSON and Arrow, with plots.`,
		Example: `  sigview verbs --platform cx6-hdr
  sigview verbs --platform cx6-hdr --measure bandwidth --operation write,read --queue-pairs 1,2 -o pairs
  sigview verbs --platform cib --operation read --size 32 --queue-pairs 154,1386 --threads 14 --swarm --outstanding 8 --switch
  sigview verbs --platform cx6-hdr --beside ib_write_lat.txt`,
		PreRunE: func(*cobra.Command, []string) error {
			if cable && spec.Switch {
				return usagef("--cable is given with --switch, want one of them")
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&spec.Platforms, "platform", spec.Platforms, "hardware profiles with the layer verbs, separated by commas: names or .toml files")
	list(cmd, &spec.Operations, "operation", "what is measured, separated by commas (default: the listing's, or write)")
	word(cmd, &spec.Measure, "measure", "what of it", "the listing's, or latency")
	fs.Var(flags.Counts(&spec.Sizes), "size", "sizes in bytes, K and M allowed (default: the listing's, or 2 B to 8 MB in powers of two)")
	fs.Var(flags.Counts(&spec.QueuePairs), "queue-pairs", "of bandwidth: queue pairs (default: the listing's, or 1)")
	fs.Var(flags.Counts(&spec.Outstanding), "outstanding", "of bandwidth: operations of a queue pair under way (default: the listing's, or 128)")
	fs.Int64Var(&spec.Threads, "threads", spec.Threads, "of bandwidth: threads of each side, which post on queue pairs of their own")
	fs.BoolVar(&spec.Swarm, "swarm", false, "of bandwidth: as rc-swarm of rdma_bench, threads draw the queue pair of each operation, --outstanding is of a thread, and both sides send")
	fs.Var(flags.Count(&spec.Count), "count", "operations or round trips per size (default: 1,000 of latency and 5,000 of bandwidth, fewer of large sizes)")
	fs.BoolVar(&cable, "cable", false, "a cable between the two cards (the default)")
	fs.BoolVar(&spec.Switch, "switch", false, "the platform's switch between the two cards")
	fs.StringVar(&spec.Beside, "beside", "", "file with a listing that a perftest tool has printed")
	seedFlag(fs, &spec.Seed)
	return measuring(a, cmd, &spec, experiment.Verbs, func(r []bench.Verbs) measured { return measuredVerbs(spec.Seed, r) })
}

// measuredVerbs is the output for any number of results.
func measuredVerbs(seed uint64, results []bench.Verbs) measured {
	return measured{
		name: "verbs", document: document(seed, results, func(s stamp, one bench.Verbs) any {
			return struct {
				stamp
				bench.Verbs
			}{s, one}
		}),
		report: report.Verbs{Seed: seed, Results: results},
		charts: report.VerbsCharts(results),
		table:  func(w io.Writer) error { return rundir.Encode(w, bench.VerbsRows(results), toolLabels(seed)...) },
	}
}
