package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/trace"
)

// entries selects one list of a catalogue.
type entries func(experiment.Catalogue) []experiment.Entry

func platforms(c experiment.Catalogue) []experiment.Entry { return c.Platforms }
func layers(c experiment.Catalogue) []experiment.Entry    { return c.Layers }
func workloads(c experiment.Catalogue) []experiment.Entry { return c.Workloads }

// complete offers the names of entries for the first argument.
func (a *app) complete(of entries) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, e := range of(experiment.Described()) {
			out = append(out, cobra.CompletionWithDesc(e.Name, e.Summary))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completePhases offers the phases of the programs that are the first argument.
func (a *app) completePhases(_ *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
	for _, e := range experiment.Known().Workloads {
		if len(args) > 0 && slices.Contains(strings.Split(args[0], "+"), e.Name) {
			words = append(words, e.Phases...)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completePlaces completes --platform and, where there is one, --layer.
func (a *app) completePlaces(cmd *cobra.Command) {
	for flag, of := range map[string]entries{"platform": platforms, "layer": layers} {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		complete := a.complete(of)
		first := func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			words, directive := complete(cmd, nil, typed)
			if flag == "platform" { // or a file
				directive = cobra.ShellCompDirectiveDefault
			}
			return words, directive
		}
		if cmd.Flags().Lookup(flag).Value.Type() == flags.ListType {
			first = inList(first)
		}
		mustComplete(cmd, flag, first)
	}
}

// inList completes the last word of a list.
func inList(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		words, directive := complete(cmd, args, typed[len(before):])
		var out []string
		for _, w := range words {
			name, _, _ := strings.Cut(w, "\t")
			if !slices.Contains(strings.Split(before, ","), name) {
				out = append(out, before+w)
			}
		}
		return out, directive
	}
}

func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(fmt.Sprintf("sigview: command %s: %v", cmd.Name(), err))
	}
}

// completeSelection offers the keys, and after "kind=" the packet kinds.
var completeSelection = inList(func(_ *cobra.Command, _ []string, typed string) (words []string, _ cobra.ShellCompDirective) {
	key, _, valued := strings.Cut(typed, "=")
	switch {
	case !valued:
		for _, k := range experiment.SelectionKeys() {
			words = append(words, k+"=")
		}
	case key == "kind":
		for k := trace.Kind(0); k.CarriesRequest(); k++ {
			words = append(words, "kind="+k.String())
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
})

// unknownShell is what the command that writes completions does without one of its shells.
func unknownShell(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	return names.Check("shell", args[0], shells)
}
