package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// runFlags are the flags of run that need a translation into a RunSpec.
type runFlags struct {
	size        count
	nodes       nodes
	monitor     string
	trace       choice
	uncontended []string
	estimator   string
	round       span
	message     count
	messages    count
	gap         span
	stalls      stalls
	out         string
	json        bool
}

func (a *app) runCommand() *cobra.Command {
	spec := experiment.DefaultRun("")
	f := runFlags{monitor: string(spec.Monitor), trace: choice{known: experiment.Traces()}, estimator: string(spec.Clock.Estimator)}
	cmd := &cobra.Command{
		Use:   "run WORKLOAD",
		Short: "Run a program under the monitor and show its performance signature",
		Long: `Runs a program on the modelled cluster with the monitor in the interface
firmware, checks the program's result, prints the signature beside the unloaded
baseline and leaves a run directory (-o, or the next sigview-runs/WORKLOAD-NNN).

--trace also records single packets with their six instants, and operations of
several packets with their stages; it costs the program a few percent.

--uncontended gives resources infinite capacity; a latency that falls back to
its baseline without a resource was due to it.`,
		Example: `  sigview run fft
  sigview run fft --nodes 16 --size 64K --seed 7 -o fft16
  sigview run fft --uncontended pci,membus
  sigview run fft --trace --phases start
  sigview run gauss --broadcast firmware
  sigview run hotspot --nodes 64 --message-size 256 --count 1K --gap 20us --skew 0.3
  sigview run fft --fault-bit-error 1e-6 --fault-stall 3:10ms:60ms`,
		Args:              exactly("WORKLOAD"),
		ValidArgsFunction: a.complete(func(c experiment.Catalogue) []experiment.Entry { return c.Workloads }),
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Workload = args[0]
			f.fill(&spec)
			return a.runProgram(cmd.Context(), spec, f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Platform, "platform", spec.Platform, "hardware profile: a name or a .toml file")
	fs.StringVar(&spec.Layer, "layer", "", "communication layer (default: the platform's own)")
	fs.Var(&f.nodes, "nodes", "nodes, 2 to 1024 (default: the platform's own)")
	fs.Var(&f.size, "size", "problem size in the workload's unit, K, M and G allowed (default: the workload's own)")
	fs.Uint64Var(&spec.Seed, "seed", spec.Seed, "seed of everything random")
	fs.StringVar(&f.monitor, "monitor", f.monitor, "firmware build: "+strings.Join(experiment.Builds(), ", "))
	fs.BoolVar(&spec.Gang, "gang", false, "let all nodes change between programs at the same instants")
	fs.BoolVar(&spec.Variance, "variance", false, "let the monitor keep sums of squares, with their own cycles")
	fs.StringSliceVar(&spec.Phases, "phases", nil, "record only within these phases of the program")
	fs.Var(&f.trace, "trace", "record single packets and operations: "+strings.Join(experiment.Traces(), ", "))
	fs.Lookup("trace").NoOptDefVal = string(experiment.TraceAll)
	fs.StringSliceVar(&f.uncontended, "uncontended", nil, "resources without limit: "+strings.Join(experiment.Resources(), ", "))
	fs.StringVar(&spec.Memory.Homes, "homes", "", "homes of shared pages: "+strings.Join(experiment.HomePolicies(), ", ")+" (default: the workload's own)")
	fs.StringVar(&spec.Memory.Service, "service", "", "how a home learns of requests: "+strings.Join(experiment.ServiceModes(), ", ")+" (default: the platform's own)")
	fs.BoolVar(&spec.Memory.Check, "check-slices", false, "poison slices of shared memory that are used too long")
	fs.StringVar(&spec.Broadcast, "broadcast", "", "how messages go to everybody: "+strings.Join(experiment.Broadcasts(), ", ")+" (default: separate)")
	fs.Var(&f.message, "message-size", "of a pattern: bytes in a message, a multiple of 4 (default: 1024)")
	fs.Var(&f.messages, "count", "of a pattern: how many messages, as its description says (default: its own)")
	fs.Var(&f.gap, "gap", "of a pattern: a sender's pause before each message")
	fs.Float64Var(&spec.Pattern.Skew, "skew", 0, "of random: exponent of a Zipf law over the receivers; of hotspot: share of node 0")
	fs.StringVar(&f.estimator, "clock-estimator", f.estimator, "how global time is kept: "+strings.Join(experiment.Estimators(), ", "))
	fs.StringVar(&spec.Clock.Oscillators, "clock-oscillators", spec.Clock.Oscillators, "clock drift: "+strings.Join(experiment.OscillatorSets(), ", "))
	fs.Var(&f.round, "clock-round", "time between global clock rounds (default: the platform's own)")
	fs.BoolVar(&spec.Clock.NoPriority, "no-clock-priority", false, "serve clock packets in the order of all others")
	fs.BoolVar(&spec.Clock.NoInlineChecks, "no-inline-checks", false, "no checks for events inside long firmware operations")
	fs.Float64Var(&spec.Faults.BitError, "fault-bit-error", 0, "probability that an error starts at a byte on a link")
	fs.IntVar(&spec.Faults.BurstBytes, "fault-burst", 0, "bytes that an error replaces; 0 or 1: it flips a single bit")
	fs.Float64Var(&spec.Faults.DropAck, "fault-drop-ack", 0, "probability that an acknowledgement is lost")
	fs.Var(&f.stalls, "fault-stall", "a node takes nothing off its link for a while, NODE:START:FOR; may be repeated")
	fs.StringVarP(&f.out, "output", "o", "", "run directory, new or empty")
	fs.BoolVar(&f.json, "json", false, "print one JSON document instead of text")
	a.completePlaces(cmd)
	completeWords(cmd, "monitor", experiment.Builds())
	completeWords(cmd, "trace", experiment.Traces())
	completeWords(cmd, "uncontended", experiment.Resources())
	completeWords(cmd, "clock-estimator", experiment.Estimators())
	completeWords(cmd, "clock-oscillators", experiment.OscillatorSets())
	completeWords(cmd, "homes", experiment.HomePolicies())
	completeWords(cmd, "service", experiment.ServiceModes())
	completeWords(cmd, "broadcast", experiment.Broadcasts())
	return cmd
}

func (f runFlags) fill(spec *experiment.RunSpec) {
	spec.Size = int64(f.size)
	spec.Nodes = int(f.nodes)
	spec.Monitor = experiment.Build(f.monitor)
	spec.Trace = experiment.Trace(f.trace.value)
	spec.Clock.Estimator = experiment.Estimator(f.estimator)
	spec.Clock.Round = sim.Duration(f.round)
	spec.Pattern.MessageBytes = int(f.message)
	spec.Pattern.Count = int(f.messages)
	spec.Pattern.GapUs = float64(f.gap) / float64(sim.Microsecond)
	spec.Faults.Stalls = f.stalls
	for _, r := range f.uncontended {
		spec.Uncontended = append(spec.Uncontended, experiment.Resource(r))
	}
}

func (a *app) runProgram(ctx context.Context, spec experiment.RunSpec, f runFlags) error {
	if err := spec.Validate(a.lab.known()); err != nil {
		return err
	}
	t, err := a.newTarget(f.out, spec.Workload)
	if err != nil {
		return err
	}
	watch, done := a.watch()
	run, err := a.lab.run(ctx, spec, watch)
	done()
	if err != nil {
		return t.unwritten(err)
	}
	if err := a.keep(ctx, t, run, f.json); err != nil {
		return err
	}
	if !run.Manifest.Verified {
		return &verdictError{exitFailure, "the program's result is wrong: " + run.Manifest.Verification}
	}
	return nil
}

// keep writes a run's directory, then prints the run.
func (a *app) keep(ctx context.Context, t target, run *trace.Run, json bool) error {
	if err := a.lab.write(ctx, t.dir, *run); err != nil {
		t.abandon()
		return err
	}
	format := formatText
	if json {
		format = formatJSON
	}
	if err := a.data("", func(w io.Writer) error { return a.lab.printRun(w, run, format, a.style()) }); err != nil {
		return err
	}
	a.say("run directory: %s", t.dir)
	return nil
}
