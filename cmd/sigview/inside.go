package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/cmd/sigview/internal/tui"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/trace"
)

// fromInside are the commands that the views can run, and outside the flags that mean
// nothing there.
var (
	fromInside = []string{"run", "logp", "bandwidth", "tpil", "verbs", "baseline", "sweep", "live"}
	outside    = []string{"output", "json", "help", "list", "slurm", "collect", "part"}
)

// shell is the command line as the views use it.
type shell struct{ *app }

func (shell) Commands() []string { return fromInside }

func (shell) Run(ctx context.Context, spec experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
	return experiment.Run(ctx, spec, watch)
}

func (shell) Shelf() ([]folder.Entry, error) { return folder.Read(runsFolder) }

// inner returns an invocation that prints nothing, for a command from the views.
func (a *app) inner(watch experiment.Watch) *app {
	in := newApp(io.Discard, io.Discard)
	in.quiet, in.follow = true, watch
	return in
}

// Blank returns the form of a command, from its flags. A specification fills in the form of
// run.
func (a shell) Blank(name string, made json.RawMessage) (tui.Blank, error) {
	cmd, _, err := a.inner(nil).root().Find([]string{name})
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
		x := tui.Field{Name: f.Name, Help: f.Usage, Default: flags.Text(f), Switch: f.Value.Type() == "bool", List: f.Value.Type() == flags.ListType}
		x.Value = x.Default
		if v, ok := values[f.Name]; ok {
			x.Value = v
		}
		if g := f.Annotations[flags.Group]; len(g) > 0 {
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

// filled returns the workload and the values of all flags for a specification.
func (a shell) filled(made json.RawMessage) (workload string, values map[string]string, err error) {
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
	cmd.Flags().VisitAll(func(f *pflag.Flag) { values[f.Name] = flags.Text(f) })
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

// Prepare checks a command line of the views. A single run is handed out as its
// specification.
func (a shell) Prepare(line []string) (tui.Task, error) {
	isSeeds := func(word string) bool { return strings.HasPrefix(word, "--seeds=") }
	in := a.inner(nil)
	in.checkOnly = true
	cmd, err := in.execute(context.Background(), append(slices.DeleteFunc(slices.Clone(line), isSeeds), "--output=directory"))
	if err == nil || !errors.Is(err, errReady) {
		return tui.Task{}, err
	}
	var task tui.Task
	name := line[0]
	switch x := in.checked.(type) {
	case experiment.RunSpec:
		task.Spec, name = &x, x.Workload
	case *sweep.Plan:
		name = x.Name
	}
	if many := slices.IndexFunc(line, isSeeds); many >= 0 {
		if err := cmd.ParseFlags(line[many : many+1]); err != nil {
			return tui.Task{}, flagError(cmd, err)
		}
		task.Spec = nil
	}
	task.Do = func(ctx context.Context, watch experiment.Watch) (string, string, error) {
		return a.within(ctx, watch, line, strings.ReplaceAll(name, "+", "-"))
	}
	return task, nil
}

// within does a command line of the views, into the next free directory of a name.
func (a shell) within(ctx context.Context, watch experiment.Watch, line []string, name string) (dir, said string, err error) {
	t := target{dir: filepath.Join(runsFolder, name)}
	if line[0] != "sweep" { // one that was begun goes on
		if t, err = a.newTarget("", name); err != nil {
			return "", "", err
		}
	}
	if _, err := a.inner(watch).execute(ctx, append(slices.Clone(line), "--output="+t.dir)); err != nil {
		t.abandon()
		return "", "", err
	}
	return t.dir, "It is kept in " + t.dir + ".", nil
}
