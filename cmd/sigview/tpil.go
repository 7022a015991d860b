package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) tpilCommand() *cobra.Command {
	spec := experiment.DefaultTPIL()
	cmd := &cobra.Command{
		Use:   "tpil",
		Short: "Find the fastest way from a host's memory into its card, per size",
		Long: `Measures every mechanism that the host has for injections of each size: stores
by words, combined lines, MMX blocks and SSE, and DMA that the host starts, with
one copy, with two buffers, and from the user's pages. Sources are not in the
cache. The plan is what the library takes after it has tuned itself.

-o writes the figures as JSON and Arrow, with plots.`,
		Example: `  sigview tpil
  sigview tpil --platform grim-p4-lanai9 --size 1K,4K,8K,64K
  sigview tpil --platform grim-p4-lanai9 -o wide; sigview report wide --format html -o wide.html`,
	}
	fs := cmd.Flags()
	platformFlags(fs, &spec.Platform, &spec.Seed)
	fs.Var(flags.Counts(&spec.Sizes), "size", "sizes of injections in bytes, K and M allowed (default: 4 B to 2 MB)")
	return measuring(a, cmd, &spec, experiment.TPIL, func(x *bench.Injection) measured { return measuredInjection(spec.Seed, x) })
}

// measuredInjection is the output for injections.
func measuredInjection(seed uint64, x *bench.Injection) measured {
	return measured{
		name: "tpil",
		document: struct {
			stamp
			*bench.Injection
		}{stamp{SchemaVersion: measuredSchema, ToolVersion: version.Tool(), Seed: seed}, x},
		report: report.Injection{Seed: seed, Injection: x},
		charts: report.InjectionCharts(x),
		table:  func(w io.Writer) error { return rundir.Encode(w, bench.InjectionRows(x), toolLabels(seed)...) },
	}
}
