package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/live/watch"
	"github.com/sigview/sigview/live/watch/metrics"
)

func (a *app) watchCommand() *cobra.Command {
	spec := watch.Default()
	var out, address string
	var json, check bool
	cmd := &cobra.Command{
		Use:   "watch [PROGRAM...] [-- COMMAND ARGS...]",
		Short: "Watch programs as they are and show the performance signature of their messages",
		Long: `Watches the TCP messages of programs that know nothing of it, on this Linux host, and
leaves a run directory like sigview run: report, view, diff and export read it. It
watches until it is interrupted, for a time (--for), or as long as COMMAND runs.

Source is the call of send until the queueing discipline, NI that and the driver,
Net the way until the receiver's kernel has the message, Dest the wait until its program
has read it. Messages between programs of this host have all four; of those to and from
other hosts the stages of this one are measured. A message is what one call sends.

Without PROGRAM, --pid, --port and COMMAND all TCP of the host is watched. A message is
watched if either of its ends is one of the programs.

It takes CAP_BPF and CAP_PERFMON, and reads headers and lengths, never what a message
says. --check says what this host gives. Nothing stays in the kernel when it ends.`,
		Example: `  sigview watch --for 10s
  sigview watch redis-server --for 10s -o before
  sigview watch --port 5432 -- pgbench -T 10 bench
  sigview watch --check
  sigview watch nginx -o before; sigview watch nginx -o after; sigview diff before after`,
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Programs = append(spec.Programs, args...)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				spec.Programs, spec.Command = spec.Programs[:len(spec.Programs)-len(args)+n], args[n:]
			}
			if check {
				return a.checkWatch(json)
			}
			return a.watchPrograms(cmd.Context(), spec, address, out, json)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&spec.Programs, "comm", nil, "names of programs, like PROGRAM")
	fs.IntSliceVarP(&spec.PIDs, "pid", "p", nil, "processes to watch, with the children that they start")
	fs.IntSliceVar(&spec.Ports, "port", nil, "watch messages from or to these ports only")
	fs.DurationVar(&spec.For, "for", 0, "how long to watch, such as 10s (default: until it is interrupted)")
	fs.Var(flags.Count(&spec.Every), "sample-every", "of the messages that are followed one in so many is a row of the table of packets; all count in the histograms")
	fs.IntVar(&spec.Budget, "budget", spec.Budget, "messages a second that are followed at most, on average: it takes breaks if there are more; 0: all")
	fs.StringVar(&address, "metrics", "", "serve what is counted for Prometheus at [HOST:]PORT/metrics meanwhile (default: not; HOST: 127.0.0.1)")
	fs.BoolVar(&check, "check", false, "say what this host gives, and end")
	runOutputFlags(fs, &out, &json)
	return cmd
}

// watchPrograms watches, keeps what was seen also after an interrupt, and prints it.
func (a *app) watchPrograms(ctx context.Context, spec watch.Spec, address, dir string, json bool) error {
	if err := spec.Validate(); err != nil {
		return err
	}
	if err := a.begin(spec); err != nil {
		return err
	}
	serve, closed, err := served(address)
	if err != nil {
		return err
	}
	defer closed()
	var t target
	run, err := watch.Run(ctx, spec, func(look *watch.Look) (err error) {
		if a.giveUp != nil {
			if err := a.giveUp(len(spec.Command) > 0); err != nil {
				return err
			}
		}
		serve(look)
		// What is written is written without rights, and belongs to who has asked for it.
		if t, err = a.newTarget(dir, "watch"); err == nil && spec.For == 0 && len(spec.Command) == 0 {
			a.say("watching; an interrupt ends it")
		}
		return err
	})
	if err != nil {
		return t.unwritten(err)
	}
	return a.keep(context.WithoutCancel(ctx), t, run, json)
}

// served opens an address for metrics, if there is one. It returns what serves a watch there, and what closes it.
func served(address string) (serve func(*watch.Look), closed func(), err error) {
	if address == "" {
		return func(*watch.Look) {}, func() {}, nil
	}
	l, err := metrics.Listen(address)
	if err != nil {
		return nil, nil, usagef("--metrics is %q, want [HOST:]PORT where nothing else listens: %v", address, err)
	}
	serve = func(look *watch.Look) {
		go func() { _ = metrics.Serve(l, look) }() // until it is closed
	}
	return serve, func() { _ = l.Close() }, nil
}

// checkWatch prints what a watch needs. It is a failure if something is missing.
func (a *app) checkWatch(json bool) error {
	if err := a.begin(nil); err != nil {
		return err
	}
	needs := watch.Check()
	var missing watch.Lack
	var lines strings.Builder
	for _, n := range needs {
		if n.There {
			fmt.Fprintf(&lines, "yes  %s\n", n.Name)
			continue
		}
		missing = append(missing, n)
		fmt.Fprintf(&lines, "NO   %s: without it %s\n", n.Name, n.Costs)
	}
	err := a.data("", func(w io.Writer) error {
		if json {
			return writeJSON(w, needs)
		}
		return text(w, lines.String())
	})
	if err == nil && len(missing) > 0 {
		err = missing
	}
	return err
}
