package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) bandwidthCommand() *cobra.Command {
	spec := experiment.DefaultBandwidth()
	cmd := &cobra.Command{
		Use:   "bandwidth",
		Short: "Measure the bandwidth of communication layers over message sizes",
		Long: `Measures bandwidth between two nodes by one of three tests: pingpong (size over
half of the round trip), unidirectional (a stream one way) and simultaneous (two
opposite streams, both directions together).

Several layers, or several platforms, are measured side by side. -o writes the
figures as JSON and Arrow, with plots.`,
		Example: `  sigview bandwidth --platform ppro
  sigview bandwidth --platform ppro --layer all --test unidirectional -o streams
  sigview bandwidth --platform ppro,shrimp --layer vmmc --test simultaneous --size 64,1K,64K --json`,
	}
	layerFlags(cmd, &spec.PlacesSpec)
	cmd.Flags().Lookup("size").Usage += " (default: 4 B to 4 MB)"
	word(cmd, &spec.Test, "test", "bandwidth test")
	return measuring(a, cmd, &spec, experiment.Bandwidth, func(r []bench.Bandwidth) measured { return measuredBandwidth(spec.Seed, r) })
}

// measuredBandwidth is the output for results of any number of layers.
func measuredBandwidth(seed uint64, results []bench.Bandwidth) measured {
	return measured{
		name: "bandwidth", document: document(seed, results, func(s stamp, one bench.Bandwidth) any {
			return struct {
				stamp
				bench.Bandwidth
			}{s, one}
		}),
		report: report.Bandwidth{Seed: seed, Results: results},
		charts: report.BandwidthCharts(results),
		table:  func(w io.Writer) error { return rundir.Encode(w, bench.BandwidthRows(results), toolLabels(seed)...) },
	}
}
