package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
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
packets and no stages.

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
	cmd.Flags().Var(seeds(&many), "seeds", "run with so many seeds, from 1 on, or with these")
	runOutputFlags(cmd.Flags(), &out, &json)
	return cmd
}

// runFlags adds the flags that specify a run.
func (a *app) runFlags(cmd *cobra.Command, spec *experiment.RunSpec) {
	fs := cmd.Flags()
	platformFlags(fs, &spec.Platform, &spec.Seed)
	layerFlag(fs, &spec.Layer)
	fs.Var(nodes(&spec.Nodes), "nodes", "nodes, 2 to 1024 (default: the platform's own)")
	fs.Var(count(&spec.Size), "size", "problem size in the workload's unit, K, M and G allowed (default: the workload's own)")
	grouped(cmd, "What is changed", func() {
		fs.BoolVar(&spec.Gang, "gang", false, "switch between programs at the same instants on all nodes")
		word(cmd, &spec.Detail, "detail", "how finely communication is modelled", string(experiment.DetailFull))
		list(cmd, &spec.Uncontended, "uncontended", "resources with infinite capacity, see sigview help "+topicResources)
		list(cmd, &spec.Policies, "policy", "what acts on findings while the program runs (default: nothing)")
	})
	grouped(cmd, "Monitor", func() { monitorFlags(cmd, spec) })
	grouped(cmd, "Program", func() { programFlags(cmd, spec) })
	grouped(cmd, "Jobs of data centres", func() { jobFlags(cmd, &spec.Job) })
	grouped(cmd, "Clocks", func() {
		clockFlags(cmd, &spec.Clock)
		word(cmd, &spec.Clock.Estimator, "clock-estimator", "estimator of remote clocks")
	})
	grouped(cmd, "Faults", func() { faultFlags(fs, &spec.Faults) })
	a.completePlaces(cmd)
}

// monitorFlags adds the flags for what the monitor records.
func monitorFlags(cmd *cobra.Command, spec *experiment.RunSpec) {
	fs := cmd.Flags()
	word(cmd, &spec.Build, "monitor", "firmware build")
	word(cmd, &spec.Trace, "trace", "record single packets and operations")
	fs.Lookup("trace").NoOptDefVal = string(experiment.TraceAll)
	fs.Var(selection{&spec.Only}, "trace-only", "trace only packets with these properties: "+experiment.SelectionForm)
	mustComplete(cmd, "trace-only", completeSelection)
	fs.Var(count(&spec.Ring.Bytes), "trace-ring", "bytes of interface memory for records of packets, K and M allowed (default: the platform's own)")
	fs.Var(count(&spec.Ring.Batch), "trace-batch", "bytes of records moved to the host at once, when the interface is idle (default: the platform's own)")
	fs.Var(count(&spec.Ring.High), "trace-high", "bytes of waiting records at which the interface moves them although it is not idle (default: the platform's own)")
	fs.Var(span(&spec.Bins), "bins", "also keep histograms with bins of this width in host memory, from drained records of packets")
	fs.BoolVar(&spec.Variance, "variance", false, "also keep sums of squares, which costs the interface cycles")
	fs.StringSliceVar(&spec.Phases, "phases", nil, "record only within these phases of the program, which sigview workloads NAME lists")
}

// programFlags adds the flags of programs on shared memory, of programs that pass
// messages, and of patterns.
func programFlags(cmd *cobra.Command, spec *experiment.RunSpec) {
	fs := cmd.Flags()
	word(cmd, &spec.Memory.Homes, "homes", "homes of shared pages", "the workload's own")
	word(cmd, &spec.Memory.Service, "service", "how a home learns of requests", "the platform's own")
	fs.BoolVar(&spec.Memory.Check, "check-slices", false, "poison slices of shared memory after the next synchronization, to find stale uses")
	word(cmd, &spec.Broadcast, "broadcast", "how a node sends to all others", "separate")
	fs.StringVar(&spec.Schedule.File, "schedule", "", "for goal: file with the schedule")
	fs.Var(count(&spec.Pattern.Bytes), "message-size", "for a pattern: bytes of a message, a multiple of 4 (default: 1024)")
	fs.Var(count(&spec.Pattern.Count), "count", "for a pattern: number of messages, rounds or items, see its description (default: its own)")
	fs.Var(microseconds(&spec.Pattern.GapUs), "gap", "for a pattern: a sender's pause before each message")
	fs.Var(count(&spec.Pattern.Senders), "senders", "for incast: nodes that send (default: all but one)")
	fs.Var(count(&spec.Pattern.Burst), "burst", "for incast: messages of a sender that the receiver asks for at a time (default: all, unasked)")
	fs.Float64Var(&spec.Pattern.Skew, "skew", 0, "for random: exponent of a Zipf law over the receivers; for hotspot: share of messages to node 0")
}

// jobFlags adds the flags of jobs of data centres. Programs have some of them each.
func jobFlags(cmd *cobra.Command, j *experiment.JobSpec) {
	fs := cmd.Flags()
	word(cmd, &j.Algorithm, "algorithm", "for allreduce: the way of the numbers", "ring")
	fs.Var(count(&j.Steps), "steps", "for allreduce and paramserver: sums, one after another (default: 4)")
	fs.Var(count(&j.ChunkBytes), "chunk", "for allreduce and paramserver: bytes of the longest message, K allowed (default: 16K)")
	fs.Var(microseconds(&j.ComputeUs), "compute", "what a node computes before each sum, operation or command")
	fs.Var(count(&j.Servers), "servers", "for paramserver, kv and blocks: servers, the first ones of the nodes (default: 1)")
	fs.Var(count(&j.Items), "items", "for kv: keys (default: 1000); for blocks: blocks of each initiator (default: 256)")
	fs.Var(count(&j.ItemBytes), "item-size", "for kv: bytes of a value (default: 128); for blocks: of a block (default: 4K)")
	fs.Var(count(&j.Reads), "reads", "for kv and blocks: gets or reads relative to other operations (default: 90 or 70)")
	fs.Var(count(&j.Writes), "writes", "for kv and blocks: puts or writes relative to other operations (default: 5 or 30)")
	fs.Var(count(&j.Atomics), "atomics", "for kv: additions to counters relative to other operations (default: 5)")
	fs.Float64Var(&j.Zipf, "zipf", 0, "for kv: exponent of a Zipf law over the keys")
	word(cmd, &j.Access, "access", "for kv: how clients reach the servers' memory", "one-sided where the layer can")
	fs.Var(count(&j.Depth), "depth", "for blocks: commands of an initiator under way (default: 8)")
	fs.Var(microseconds(&j.DeviceUs), "device-latency", "for blocks: latency of a device (default: 80us)")
	fs.Float64Var(&j.DeviceMBps, "device-rate", 0, "for blocks: MB/s that a device moves (default: 3000)")
}

// faultFlags adds the flags for injected faults.
func faultFlags(fs *pflag.FlagSet, f *experiment.FaultSpec) {
	fs.Float64Var(&f.ErrorPerByte, "fault-bit-error", 0, "probability that an error starts at a byte on a link")
	fs.IntVar(&f.BurstBytes, "fault-burst", 0, "bytes that an error replaces; 0 or 1: it flips a single bit")
	fs.Float64Var(&f.DropAck, "fault-drop-ack", 0, "probability that an acknowledgement is lost")
	fs.Var(stalls(&f.Stalls), "fault-stall", "a node's interface accepts no packets for a while, NODE:START:FOR; may be repeated")
	fs.Var(stalls(&f.Outages), "fault-outage", "a node's link is down for a while, NODE:START:FOR; may be repeated")
	fs.Var(stalls(&f.Storms), "fault-storm", "a switch with pause frames pauses a node for a while, NODE:START:FOR; may be repeated")
}

func (a *app) runProgram(ctx context.Context, spec experiment.RunSpec, out string, json bool) error {
	run, err := keepRun(ctx, a, spec, out, spec.Workload, json, experiment.Run)
	if err == nil && !run.Manifest.Verified {
		return &verdictError{exitFailure, "the program's result is wrong: " + run.Manifest.Verification}
	}
	return err
}
