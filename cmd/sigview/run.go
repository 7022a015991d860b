package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
)

func (a *app) runCommand() *cobra.Command {
	spec := experiment.DefaultRun("")
	var out string
	var json bool
	var many experiment.Seeds
	cmd := &cobra.Command{
		Use:   "run WORKLOAD",
		Short: "Run a program under the monitor and show its performance signature",
		Long: `Runs a program on the modelled cluster with the monitor in the interface
firmware, checks the program's result, prints the signature beside the unloaded
baseline and leaves a run directory (-o, or the next sigview-runs/WORKLOAD-NNN).

--trace also records single packets with their six instants, and operations of
several packets with their steps. It costs the program a few per cent.

--seeds runs the program with each of several seeds, on all cores, into
DIR/seed-0001 and so on, and prints the means of the runs with intervals over
runs. report, view, diff and why take such a directory as they take a run. The
same command again adds the runs that are missing.

--policy acts on what is found while the program runs: homes gives pages of shared
memory the node that alone writes them as home, throttle keeps fewer packets in
flight to a port that is swamped (layer vmmc), gang lets nodes switch between
programs at the same instants if programs wait for each other's nodes. The report
lists what was found and done.

--detail fast replaces interfaces, firmware and network by the costs of messages (LogGP:
o_s, o_r, g and L by size), which the full model measures once for a layer on a
platform and keeps in the user's cache directory. The program runs unchanged; there are no
packets and no stages. --detail full:10% has a tenth of the messages in full, in
windows, and the others fast: run time and latencies have 95 % intervals over the windows.

--uncontended gives resources infinite capacity. If a latency then falls to its
baseline, contention for that resource had raised it. sigview why does so for each.`,
		Example: `  sigview run fft
  sigview run fft --nodes 16 --size 64K --seed 7 -o fft16
  sigview run fft --seeds 5 -o before
  sigview run fft --uncontended pci,membus
  sigview run fft --nodes 64 --detail fast
  sigview run fft --trace --phases start
  sigview run ocean --homes single --policy homes
  sigview run fft --trace --trace-only kind=page-reply,node=0..3,every=4
  sigview run gauss --broadcast firmware
  sigview run goal --schedule fft.goal --nodes 8
  sigview run hotspot --nodes 64 --message-size 256 --count 1K --gap 20us --skew 0.3
  sigview run incast --nodes 9 --burst 16 --message-size 4K
  sigview run allreduce --nodes 16 --size 1M --algorithm trees
  sigview run kv --nodes 16 --servers 2 --reads 50 --writes 50 --zipf 0.99
  sigview run fft --fault-bit-error 1e-6 --fault-stall 3:10ms:60ms`,
		Args:              exactly("WORKLOAD"),
		ValidArgsFunction: a.complete(workloads),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Workload = args[0]
			if many.N > 0 {
				if cmd.Flags().Changed("seed") {
					return usagef("--seed and --seeds are given, want one of them")
				}
				return a.runSeeds(cmd.Context(), spec, many, out, json)
			}
			return a.runProgram(cmd.Context(), spec, out, json)
		},
	}
	a.runFlags(cmd, &spec)
	mustComplete(cmd, "phases", inList(a.completePhases))
	cmd.Flags().Var(flags.Seeds(&many), "seeds", "run with so many seeds, from 1 on, or with these")
	runOutputFlags(cmd.Flags(), &out, &json)
	return cmd
}

// runFlags adds the flags that specify a run.
func (a *app) runFlags(cmd *cobra.Command, spec *experiment.RunSpec) {
	specFlags(cmd, spec)
	mustComplete(cmd, "trace-only", completeSelection)
	a.completePlaces(cmd)
}

func (a *app) runProgram(ctx context.Context, spec experiment.RunSpec, out string, json bool) error {
	run, err := keepRun(ctx, a, spec, out, spec.Workload, json, experiment.Run)
	if err == nil && !run.Manifest.Verified {
		return &verdictError{exitFailure, "the program's result is wrong: " + run.Manifest.Verification}
	}
	return err
}
