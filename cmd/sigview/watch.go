package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/live/watch"
)

func (a *app) watchCommand() *cobra.Command {
	spec := watch.Default()
	var out string
	var json, check bool
	cmd := &cobra.Command{
		Use:   "watch [PROGRAM...] [-- COMMAND ARGS...]",
		Short: "Watch programs as they are and show the performance signature of their messages",
		Long: `Watches the messages over TCP and UDP of programs that know nothing of it, on this Linux
host, and leaves a run directory like sigview run: report, view, diff and export read it. It
watches until it is interrupted, for a time (--for), or as long as COMMAND runs.

Source is the call of send until the queueing discipline, NI that and the driver,
Net the way until the receiver's kernel has the message, Dest the wait until its program
has read it. Messages between programs of this host have all four; of those to and from
other hosts the stages of this one are measured. A message is what one call sends.

Without PROGRAM, --pid, --cgroup, --port and COMMAND all TCP and UDP of the host is watched. A message is
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
			return a.watchPrograms(cmd.Context(), spec, out, json)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&spec.Programs, "comm", nil, "names of programs, like PROGRAM")
	fs.StringSliceVar(&spec.Cgroups, "cgroup", nil, "directories of control groups whose programs to watch, with those in them later")
	fs.IntSliceVarP(&spec.PIDs, "pid", "p", nil, "processes to watch, with the children that they start")
	fs.IntSliceVar(&spec.Ports, "port", nil, "watch messages from or to these ports only")
	fs.DurationVar(&spec.For, "for", 0, "how long to watch, such as 10s (default: until it is interrupted)")
	fs.Var(flags.Count(&spec.Every), "sample-every", "of the messages that are followed one in so many is a row of the table of packets; all count in the histograms")
	fs.IntVar(&spec.Budget, "budget", spec.Budget, "messages a second that are followed at most, on average: it takes breaks if there are more; 0: all")
	fs.BoolVar(&check, "check", false, "say what this host gives, and end")
	runOutputFlags(fs, &out, &json)
	return cmd
}

// watchPrograms watches, keeps what was seen also after an interrupt, and prints it.
func (a *app) watchPrograms(ctx context.Context, spec watch.Spec, dir string, json bool) error {
	if err := spec.Validate(); err != nil {
		return err
	}
	if err := a.begin(spec); err != nil {
		return err
	}
	t, err := a.newTarget(dir, "watch")
	if err != nil {
		return err
	}
	run, err := watch.Run(ctx, spec, func() {
		if spec.For == 0 && len(spec.Command) == 0 {
			a.say("watching; an interrupt ends it")
		}
	})
	if err != nil {
		return t.unwritten(err)
	}
	return a.keep(context.WithoutCancel(ctx), t, run, json)
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
