package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// fromInside are the commands that the views can run, and outside the flags that mean
// nothing there.
var (
	fromInside = []string{"run", "logp", "bandwidth", "tpil", "verbs", "baseline", "sweep", "live"}
	outside    = []string{"output", "json", "help", "list", "slurm", "collect", "part"}
)

// groupKey is the annotation of a flag with the group that it has in a form.
const groupKey = "sigview_group"

// grouped puts the flags that add adds into a group.
func grouped(cmd *cobra.Command, group string, add func()) {
	had := map[string]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { had[f.Name] = true })
	add()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !had[f.Name] {
			f.Annotations = map[string][]string{groupKey: {group}}
		}
	})
}

// inner returns an invocation that prints nothing, for a command from the views.
func (a *app) inner(l lab, watch experiment.Watch) *app {
	in := newApp(io.Discard, io.Discard, l)
	in.quiet, in.follow = true, watch
	return in
}

// blank returns the form of a command, from its flags. A specification fills in the form of
// run.
func (a *app) blank(name string, made json.RawMessage) (tui.Blank, error) {
	cmd, _, err := a.inner(a.lab, nil).root().Find([]string{name})
	if err != nil {
		return tui.Blank{}, err
	}
	out := tui.Blank{Command: name}
	workload, values, err := a.filled(made)
	if err != nil {
		return out, err
	}
	if _, argument, ok := strings.Cut(cmd.Use, " "); ok {
		x := tui.Field{Name: strings.ToLower(argument), Help: cmd.Short, Argument: true, Value: workload, Words: offered(cmd, cmd.ValidArgsFunction)}
		if name == "run" {
			x.Help = "program, several at once are joined by +; sigview workloads NAME describes one"
		}
		if x.Value == "" && name == "run" {
			x.Value = "fft"
		}
		out.Fields = append(out.Fields, x)
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || slices.Contains(outside, f.Name) {
			return
		}
		x := tui.Field{Name: f.Name, Help: f.Usage, Default: shown(f), Switch: f.Value.Type() == "bool", List: f.Value.Type() == listType}
		x.Value = x.Default
		if v, ok := values[f.Name]; ok {
			x.Value = v
		}
		if g := f.Annotations[groupKey]; len(g) > 0 {
			x.Group = g[0]
		}
		if complete, ok := cmd.GetFlagCompletionFunc(f.Name); ok {
			x.Words = offered(cmd, complete)
		} else if x.Switch {
			x.Words = offered(cmd, cobra.FixedCompletions([]string{"false", "true"}, cobra.ShellCompDirectiveNoFileComp))
		}
		out.Fields = append(out.Fields, x)
	})
	slices.SortStableFunc(out.Fields, byGroup(out.Fields))
	return out, nil
}

// byGroup sorts fields by group, those without one first, else in the order of definition.
func byGroup(fields []tui.Field) func(a, b tui.Field) int {
	order := []string{""}
	for _, x := range fields {
		if !slices.Contains(order, x.Group) {
			order = append(order, x.Group)
		}
	}
	return func(a, b tui.Field) int { return slices.Index(order, a.Group) - slices.Index(order, b.Group) }
}

// shown writes the value of a flag as the flag takes it.
func shown(f *pflag.Flag) string {
	if l, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(l.GetSlice(), ",")
	}
	return f.Value.String()
}

// filled returns the workload and the values of all flags for a specification.
func (a *app) filled(made json.RawMessage) (workload string, values map[string]string, err error) {
	if made == nil {
		return "", nil, nil
	}
	spec := experiment.DefaultRun("")
	cmd := &cobra.Command{}
	a.runFlags(cmd, &spec)
	if err := json.Unmarshal(made, &spec); err != nil || spec.Workload == "" {
		return "", nil, errors.New("this run was not made by sigview run, so it cannot be run again")
	}
	values = map[string]string{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { values[f.Name] = shown(f) })
	return spec.Workload, values, nil
}

// offered returns the words of a completion without their descriptions.
func offered(cmd *cobra.Command, complete cobra.CompletionFunc) func([]string, string) []string {
	if complete == nil {
		return nil
	}
	return func(args []string, typed string) []string {
		words, _ := complete(cmd, args, typed)
		var out []string
		for _, w := range words {
			if name, _, _ := strings.Cut(w, "\t"); strings.HasPrefix(name, typed) {
				out = append(out, name)
			}
		}
		return out
	}
}

// errReady ends a command when it would begin to work.
var errReady = errors.New("ready")

// prepare checks a command line of the views. A single run is handed out as its
// specification.
func (a *app) prepare(line []string) (tui.Task, error) {
	l, name := a.lab, strings.ReplaceAll(line[0], "+", "-")
	var task tui.Task
	l.checkTarget = func(string) error { return nil }
	l.run = func(_ context.Context, spec experiment.RunSpec, _ experiment.Watch) (*trace.Run, error) {
		task.Spec, name = &spec, strings.ReplaceAll(spec.Workload, "+", "-")
		return nil, errReady
	}
	l.live = func(context.Context, liveSpec, experiment.Watch) (*trace.Run, error) { return nil, errReady }
	l.baseline = func(context.Context, experiment.BaselineSpec, experiment.Watch) (*trace.Run, error) {
		return nil, errReady
	}
	l.logp = func(context.Context, experiment.LogPSpec, experiment.Watch) ([]bench.LogP, error) {
		return nil, errReady
	}
	l.bandwidth = func(context.Context, experiment.BandwidthSpec, experiment.Watch) ([]bench.Bandwidth, error) {
		return nil, errReady
	}
	l.tpil = func(context.Context, experiment.TPILSpec, experiment.Watch) (*bench.Injection, error) {
		return nil, errReady
	}
	l.verbs = func(context.Context, experiment.VerbsSpec, experiment.Watch) ([]bench.Verbs, error) {
		return nil, errReady
	}
	l.plan = func(file string) (*sweep.Plan, error) {
		plan, err := a.lab.plan(file)
		if err == nil {
			name, err = plan.Name, errReady
		}
		return plan, err
	}
	isSeeds := func(word string) bool { return strings.HasPrefix(word, "--seeds=") }
	in := a.inner(l, nil)
	cmd, err := in.execute(context.Background(), append(slices.DeleteFunc(slices.Clone(line), isSeeds), "--output=directory"))
	if err == nil || !errors.Is(err, errReady) {
		return tui.Task{}, err
	}
	if many := slices.IndexFunc(line, isSeeds); many >= 0 {
		if err := cmd.ParseFlags(line[many : many+1]); err != nil {
			return tui.Task{}, flagError(cmd, err)
		}
		task.Spec = nil
	}
	task.Do = func(ctx context.Context, watch experiment.Watch) (string, string, error) {
		return a.within(ctx, watch, line, name)
	}
	return task, nil
}

// within does a command line of the views, into the next free directory of a name.
func (a *app) within(ctx context.Context, watch experiment.Watch, line []string, name string) (dir, said string, err error) {
	t := target{dir: filepath.Join(runsFolder, name)}
	if line[0] != "sweep" { // one that was begun goes on
		if t, err = a.newTarget("", name); err != nil {
			return "", "", err
		}
	}
	if _, err := a.inner(a.lab, watch).execute(ctx, append(slices.Clone(line), "--output="+t.dir)); err != nil {
		t.abandon()
		return "", "", err
	}
	return t.dir, "It is kept in " + t.dir + ".", nil
}

// shelf lists the runs, sets of runs and measurements of the folder of runs, newest first.
func (a *app) shelf() ([]tui.Shelved, error) {
	entries, err := os.ReadDir(runsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	made := map[string]time.Time{}
	var out []tui.Shelved
	for _, e := range entries {
		dir := filepath.Join(runsFolder, e.Name())
		x, ok := shelved(dir)
		if info, err := e.Info(); ok && err == nil {
			x.Name = e.Name()
			made[dir] = info.ModTime()
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b tui.Shelved) int { return made[b.Dir].Compare(made[a.Dir]) })
	return out, nil
}

// shelved describes a directory that the views can open.
func shelved(dir string) (x tui.Shelved, ok bool) {
	if m, err := rundir.ReadManifest(dir); err == nil {
		return tui.ShelvedRun(dir, m), true
	}
	x.Dir = dir
	if members, err := rundir.Members(dir); err == nil && len(members) > 0 {
		if m, err := rundir.ReadManifest(members[0]); err == nil {
			x.Manifest, x.Verdict = m, fmt.Sprintf("set of %d", len(members))
			return x, true
		}
	}
	if rundir.IsSweep(dir) {
		x.Verdict = "sweep"
		return x, true
	}
	for _, name := range bench.Documents() {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			x.Verdict = strings.TrimSuffix(name, ".json")
			return x, true
		}
	}
	return x, false
}
