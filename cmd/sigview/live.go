package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) liveCommand() *cobra.Command {
	spec := live.Default()
	var out string
	var json bool
	runs := 1
	var method live.Method
	var peers []string
	var key string
	cmd := &cobra.Command{
		Use:   "live",
		Short: "Measure messages between real hosts and show their performance signature",
		Long: `Sends messages between real hosts, takes the stamps of their kernels, and leaves a
run directory like sigview run: report, view, diff and export read it. Without
further flags both ends are on this host and use its loopback interface. With
--peers the other nodes are hosts on which sigview agent runs; this one is node 0.
It needs Linux and no privileges.

Source is the call of send until the queueing discipline, NI that and the
driver, Net the cards, the wire and the receiver's interrupt, Dest the wait until
the program has the message. The report says which stamps there were, and what
stamping costs.

pingpong sends each message after the answer to the one before. stream (from one
node to another) and alltoall send at a given rate, whatever becomes of the
messages: what a stall delays counts as late.

--replay sends the messages of another run again, at its times: of one of the model that
--trace has recorded, of real hosts, or of captured traffic. Node k of that run is node k
modulo the number of nodes here.

--logp measures LogP parameters instead, like sigview logp: sweep by loops of sends
and of receives for each size, plogp by trains and round trips of sizes that it
chooses. With --peers they are those between this host and the one named.

--runs measures several times, one after the other, into DIR/seed-0001 and so on. diff
of two such directories tells what has changed from what one run differs from the next.`,
		Example: `  sigview live
  sigview live --protocol tcp --wait spin
  sigview live --pattern stream --rate 20000 --message-sizes 64,1K
  sigview live --peers 192.0.2.7,192.0.2.8 --key sigview.key --pattern alltoall
  sigview live --replay sigview-runs/fft-001 --stretch 10
  sigview live --logp sweep --protocol tcp -o tcp
  sigview live --logp sweep --peers 192.0.2.7 --key sigview.key
  sigview live --runs 5 -o before; sigview live --runs 5 -o after; sigview diff before after`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := replaying(cmd, &spec); err != nil {
				return err
			}
			if method != "" {
				if runs > 1 {
					return usagef("--logp and --runs are given, want one of them")
				}
				if len(peers) > 1 {
					return usagef("--peers has %d hosts, want one: LogP parameters are those between two", len(peers))
				}
				return a.measureLiveLogP(cmd.Context(), liveLogP{liveSpec{Spec: spec, peers: peers, key: key}, method}, out, json)
			}
			if runs > 1 {
				return a.liveRuns(cmd.Context(), liveSpec{Spec: spec, peers: peers, key: key}, runs, out, json)
			}
			run, err := keepRun(cmd.Context(), a, liveSpec{Spec: spec, peers: peers, key: key}, out, "live-"+string(spec.Pattern), json, runLive)
			if err == nil && !run.Manifest.Verified {
				return &verdictError{exitFailure, "the measurement is spoilt: " + run.Manifest.Verification}
			}
			return err
		},
	}
	fs := cmd.Flags()
	word(cmd, &spec.Pattern, "pattern", "how nodes exchange messages")
	word(cmd, &spec.Protocol, "protocol", "transport of the messages")
	fs.Var(flags.Counts(&spec.Sizes), "message-sizes", "bytes of messages, 16 to 60000 (default: 64,512,1K,4K)")
	fs.Var(flags.Count(&spec.Count), "count", "round trips of each size, or messages from each sender to each receiver")
	fs.Float64Var(&spec.Rate, "rate", spec.Rate, "messages a second that each sender sends, in stream and alltoall")
	fs.StringVar(&spec.Replayed, "replay", "", "run directory with the messages to send (--pattern replay)")
	fs.Float64Var(&spec.Stretch, "stretch", 1, "how many times as long the times of --replay are to be")
	word(cmd, &spec.Wait, "wait", "how receivers wait: in the kernel or in a loop")
	fs.Var(flags.Count(&spec.Every), "stamp-every", "stamp and record one message in so many")
	fs.IntSliceVar(&spec.CPUs, "cpus", nil, "processors of the ends, by node (default: any)")
	fs.StringVar(&spec.Congestion, "congestion", "", "congestion control of TCP (default: the host's own)")
	fs.StringSliceVar(&peers, "peers", nil, "hosts with agents, HOST or HOST:PORT, separated by commas (default: none, loopback)")
	agentKeyFlag(fs, &key)
	fs.Var(flags.Count(&runs), "runs", "measure so many times")
	word(cmd, &method, "logp", "measure LogP parameters, by this method", "no")
	runOutputFlags(fs, &out, &json)
	return cmd
}

// replaying lets --replay choose the pattern, and refuses flags that say something else.
func replaying(cmd *cobra.Command, spec *live.Spec) error {
	fs := cmd.Flags()
	if spec.Replayed == "" && spec.Pattern != live.Replay {
		if fs.Changed("stretch") {
			return usagef("--stretch is given, want it with --replay")
		}
		spec.Stretch = 0
		return nil
	}
	for _, other := range []string{"message-sizes", "count", "rate", "logp"} {
		if fs.Changed(other) {
			return usagef("--replay and --%s are given, want one of them", other)
		}
	}
	if !fs.Changed("pattern") {
		spec.Pattern = live.Replay
	}
	return nil
}

// liveRuns measures several times into a directory of runs, and prints their means.
func (a *app) liveRuns(ctx context.Context, spec liveSpec, runs int, dir string, json bool) error {
	if err := a.ready(spec); err != nil {
		return err
	}
	t, err := a.newTarget(dir, "live-"+string(spec.Pattern))
	if err != nil {
		return err
	}
	watch, done := a.watchInto(t.dir)
	defer done()
	if err := os.MkdirAll(t.dir, 0o755); err != nil {
		return t.unwritten(err)
	}
	for i := range runs {
		spec.Seed = uint64(i + 1)
		run, err := runLive(ctx, spec, watch)
		if err == nil && !run.Manifest.Verified {
			err = errors.New("the measurement is spoilt: " + run.Manifest.Verification)
		}
		if err == nil {
			err = rundir.WriteRun(ctx, rundir.SeedDir(t.dir, spec.Seed), *run)
		}
		if err != nil {
			done()
			_ = os.Remove(t.dir) // only if it is empty
			t.abandon()
			return fmt.Errorf("run %d of %d: %w", i+1, runs, err)
		}
	}
	return a.showSet(t.dir, runs, json)
}

func (a *app) measureLiveLogP(ctx context.Context, spec liveLogP, out string, json bool) error {
	return measureAndKeep(ctx, a, spec, out, json, runLiveLogP, func(r *bench.LogP) measured { return measuredLogP(spec.Seed, []bench.LogP{*r}) })
}
