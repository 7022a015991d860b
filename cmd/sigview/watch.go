package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/live/agent"
	"github.com/sigview/sigview/live/watch"
	"github.com/sigview/sigview/live/watch/metrics"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) watchCommand() *cobra.Command {
	spec := watchSpec{Spec: watch.Default(), runs: 1}
	var json, check, view bool
	cmd := &cobra.Command{
		Use:   "watch [PROGRAM...] [-- COMMAND ARGS...]",
		Short: "Watch programs as they are and show the performance signature of their messages",
		Long: `Watches the messages over TCP and UDP of programs that know nothing of it, on this Linux
host, and leaves a run directory like sigview run: report, view, diff and export read it. It
watches until it is interrupted, for a time (--for), or as long as COMMAND runs.

Source is the call of send until the queueing discipline, NI that and the driver,
Net the way until the receiver's kernel has the message, Dest the wait until its program
has read it. Messages between programs of this host have all four; of those to and from
other hosts the stages of this one are measured, and all four with --agent if sigview agent
runs there. A message is what one call sends.

Without PROGRAM, --pid, --cgroup, --port and COMMAND all TCP and UDP of the host is watched. A message is
watched if either of its ends is one of the programs.

--runs watches several times, one after the other, into DIR/seed-0001 and so on. diff of
two such directories tells what has changed from what one run differs from the next.

It takes CAP_BPF and CAP_PERFMON, and reads headers and lengths, never what a message
says. Once it watches it gives them up; what sudo has started becomes the user who called
it, with COMMAND and the run directory. --check says what this host gives. Nothing stays
in the kernel when it ends.`,
		Example: `  sigview watch --for 10s
  sigview watch redis-server --for 10s -o before
  sigview watch --port 5432 -- pgbench -T 10 bench
  sigview watch --check
  sigview watch --agent 192.0.2.7 --port 6379 --for 10s
  sigview watch redis-server --view
  sigview watch --metrics 9464
  sigview watch --port 5432 --for 2s --runs 5 -o good
  sigview watch nginx -o before; sigview watch nginx -o after; sigview diff before after`,
		RunE: func(cmd *cobra.Command, args []string) error {
			spec.Programs = append(spec.Programs, args...)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				spec.Programs, spec.Command = spec.Programs[:len(spec.Programs)-len(args)+n], args[n:]
			}
			if check {
				return a.checkWatch(cmd.Context(), spec, json)
			}
			if view {
				return a.viewWatch(cmd.Context(), spec)
			}
			_, err := a.watchPrograms(cmd.Context(), spec, json)
			return err
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&spec.Programs, "comm", nil, "names of programs, like PROGRAM")
	fs.StringSliceVar(&spec.Cgroups, "cgroup", nil, "directories of control groups whose programs to watch, with those in them later")
	fs.IntSliceVarP(&spec.PIDs, "pid", "p", nil, "processes to watch, with the children that they start")
	fs.IntSliceVar(&spec.Ports, "port", nil, "watch messages from or to these ports only")
	fs.DurationVar(&spec.For, "for", 0, "how long to watch, such as 10s (default: until it is interrupted)")
	fs.Var(flags.Count(&spec.Every), "sample-every", "of the messages that are followed one in so many is a row of the table of packets; all count in the histograms")
	fs.Var(flags.Count(&spec.runs), "runs", "watch so many times, each for the time of --for or a run of COMMAND")
	fs.IntVar(&spec.Budget, "budget", spec.Budget, "messages a second that are followed at most, on average: it takes breaks if there are more; 0: all")
	fs.StringVar(&spec.metrics, "metrics", "", "serve what is counted for Prometheus at [HOST:]PORT/metrics meanwhile (default: not; HOST: 127.0.0.1)")
	fs.StringVar(&spec.Agent, "agent", "", "another host, HOST[:PORT] of sigview agent there: messages between it and this one get all four stages")
	agentKeyFlag(fs, &spec.key)
	fs.BoolVar(&check, "check", false, "say what this host gives, and end")
	fs.BoolVar(&view, "view", false, "show the stages in the terminal while it watches, as sigview view does")
	runOutputFlags(fs, &spec.dir, &json)
	return cmd
}

// watchSpec is what the command is to do.
type watchSpec struct {
	watch.Spec
	runs    int
	metrics string // address, "": none
	dir     string // "": the next of its name
	key     string // file with that of the agent
}

// watchPrograms watches, keeps what was seen also after an interrupt, and prints it. It returns the run's directory.
func (a *app) watchPrograms(ctx context.Context, spec watchSpec, json bool) (dir string, err error) {
	if err := spec.Validate(); err != nil {
		return "", err
	}
	if spec.runs > 1 && spec.For == 0 && len(spec.Command) == 0 {
		return "", usagef("--runs is %d, want it with --for or COMMAND, which say how long a run is", spec.runs)
	}
	if err := a.begin(spec.Spec); err != nil {
		return "", err
	}
	if err := spec.pair(ctx); err != nil {
		return "", err
	}
	serve, closed, err := served(spec.metrics)
	if err != nil {
		return "", err
	}
	defer closed()
	var t target
	var notes *notes
	var run *trace.Run // the last
	kept := 0
	err = watch.Runs(ctx, spec.Spec, spec.runs, func(look *watch.Look) (err error) {
		if a.giveUp != nil {
			if err := a.giveUp(len(spec.Command) > 0); err != nil {
				return err
			}
		}
		serve(look)
		if a.follow != nil {
			go tell(a.follow, look)
		}
		// What is written is written without rights, and belongs to who has asked for it.
		if t, err = a.newTarget(spec.dir, "watch"); errors.Is(err, fs.ErrPermission) && os.Geteuid() == 0 {
			return fmt.Errorf("%w; a watch gives up the rights of root, so that the folder is to be one of root's own", err)
		}
		if err == nil && spec.For == 0 && len(spec.Command) == 0 {
			a.say("watching; an interrupt ends it")
		}
		if err == nil {
			notes = noteProgress(t.dir)
			go tell(notes.note, look)
		}
		return err
	}, func(r *trace.Run) error {
		run = r
		if spec.runs == 1 {
			return nil
		}
		kept++
		run.Manifest.Seed = uint64(kept)
		return cmp.Or(os.MkdirAll(t.dir, 0o755), rundir.WriteRun(ctx, rundir.SeedDir(t.dir, run.Manifest.Seed), *run))
	})
	if notes != nil {
		notes.end()
	}
	failed, isCommand := err.(*watch.CommandError) // the runs are whole
	if isCommand {
		err = nil
	}
	switch {
	case kept > 0 && err != nil:
		return "", fmt.Errorf("%w (%s holds %d runs of %d)", err, t.dir, kept, spec.runs)
	case err != nil:
		return "", t.unwritten(err)
	case kept > 0:
		err = a.showSet(t.dir, kept, json)
	default:
		err = a.keep(context.WithoutCancel(ctx), t, run, json)
	}
	if err == nil && isCommand {
		return t.dir, failed
	}
	return t.dir, err
}

// pair lets the agent watch, if there is one.
func (s *watchSpec) pair(ctx context.Context) error {
	if s.Agent == "" {
		return nil
	}
	key, err := agent.ReadKey(s.key)
	if err == nil {
		s.Other, err = agent.Watch(ctx, key, s.Agent, s.Spec)
	}
	return err
}

// reportEvery is how often views hear of a watch.
const reportEvery = 200 * time.Millisecond

// tell tells of a watch until it ends. It does so in a goroutine of its own, so that a view that pauses holds nothing
// else up.
func tell(to experiment.Watch, look *watch.Look) {
	for ; ; time.Sleep(reportEvery) {
		n, isBreak, err := look.Messages()
		if err != nil {
			return
		}
		stage := "watching"
		if isBreak {
			stage = "in a break"
		}
		to(experiment.Progress{Stage: stage, Packets: int64(n), Unit: "messages", Look: look.Run})
	}
}

// viewWatch watches, and shows it in the terminal meanwhile. What COMMAND prints is not shown.
func (a *app) viewWatch(ctx context.Context, spec watchSpec) error {
	if err := cmp.Or(spec.Validate(), a.begin(spec.Spec), watch.Granted()); err != nil {
		return err
	}
	spec.Silent = true
	o := tui.Options{Environ: os.Environ(), NoColour: a.color == "never", Begin: &tui.Task{Do: func(ctx context.Context, w experiment.Watch) (dir, said string, err error) {
		in := a.inner(w)
		in.giveUp = a.giveUp
		dir, err = in.watchPrograms(ctx, spec, false)
		said = "It is kept in " + dir + "."
		var failed *watch.CommandError
		if errors.As(err, &failed) && dir != "" {
			return dir, failed.Error() + ". " + said, nil
		}
		return dir, said, err
	}}}
	state, err := o.State(a.stdout)
	if err != nil {
		return err
	}
	return a.onTerminal(ctx, o, state)
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

// checkAgent lets the agent watch for a moment. It returns an error if there is no key.
func (s *watchSpec) checkAgent(ctx context.Context) (n watch.Need, err error) {
	key, err := agent.ReadKey(s.key)
	if err != nil {
		return n, err
	}
	n = watch.Need{Name: "agent " + s.Agent, Costs: "messages to and from its host have the stages of this one only"}
	other, err := agent.Watch(ctx, key, s.Agent, s.Spec)
	if err == nil {
		other.Follow(watch.Follows)
		_, err = other.End()
	}
	if err != nil {
		n.Costs += fmt.Sprintf(" (%v)", err)
		return n, nil
	}
	host, _, _ := other.Host()
	_, bound := other.Convert(time.Now().UnixNano())
	n.There = true
	n.Name += fmt.Sprintf(": %s, whose clock is known within %.2f µs", host.Words(), float64(bound)/1000)
	return n, nil
}

// checkWatch prints what a watch needs. It is a failure if something is missing.
func (a *app) checkWatch(ctx context.Context, spec watchSpec, json bool) error {
	if err := a.begin(nil); err != nil {
		return err
	}
	needs := watch.Check()
	if spec.Agent != "" {
		there, err := spec.checkAgent(ctx)
		if err != nil {
			return err
		}
		needs = append(needs, there)
	}
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
