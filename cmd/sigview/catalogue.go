package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
)

func (a *app) platformsCommand() *cobra.Command {
	return a.listCommand("platforms", "platform", "List the hardware profiles, or show one",
		func(c experiment.Catalogue) []experiment.Entry { return c.Platforms })
}

func (a *app) layersCommand() *cobra.Command {
	return a.listCommand("layers", "layer", "List the communication layers, or describe one",
		func(c experiment.Catalogue) []experiment.Entry { return c.Layers })
}

func (a *app) workloadsCommand() *cobra.Command {
	return a.listCommand("workloads", "workload", "List the programs that can be run, or describe one",
		func(c experiment.Catalogue) []experiment.Entry { return c.Workloads })
}

func (a *app) listCommand(use, what, short string, entries func(experiment.Catalogue) []experiment.Entry) *cobra.Command {
	return &cobra.Command{
		Use:               use + " [NAME]",
		Short:             short,
		Args:              atMostOne("NAME"),
		ValidArgsFunction: a.complete(entries),
		RunE: func(_ *cobra.Command, args []string) error {
			all := entries(a.lab.known())
			if len(args) == 0 {
				return a.data("", func(w io.Writer) error {
					for _, e := range all {
						fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-12s %s", e.Name, e.Summary), " "))
					}
					return nil
				})
			}
			if err := names.Check(what, args[0], experiment.Names(all)); err != nil {
				return err
			}
			return a.data("", func(w io.Writer) error {
				for _, e := range all {
					if e.Name == args[0] {
						fmt.Fprintln(w, strings.TrimRight(e.Detail, "\n"))
					}
				}
				return nil
			})
		},
	}
}

// complete offers the names of entries for the first argument.
func (a *app) complete(entries func(experiment.Catalogue) []experiment.Entry) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, e := range entries(a.lab.known()) {
			out = append(out, cobra.CompletionWithDesc(e.Name, e.Summary))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completePlaces completes --platform and, where there is one, --layer.
func (a *app) completePlaces(cmd *cobra.Command) {
	for flag, entries := range map[string]func(experiment.Catalogue) []experiment.Entry{
		"platform": func(c experiment.Catalogue) []experiment.Entry { return c.Platforms },
		"layer":    func(c experiment.Catalogue) []experiment.Entry { return c.Layers },
	} {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		complete := a.complete(entries)
		first := func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			words, directive := complete(cmd, nil, typed)
			if flag == "platform" { // or a file
				directive = cobra.ShellCompDirectiveDefault
			}
			return words, directive
		}
		if cmd.Flags().Lookup(flag).Value.Type() == listType {
			first = inList(first)
		}
		mustComplete(cmd, flag, first)
	}
}

// listType is the type of flags that take words separated by commas.
const listType = "stringSlice"

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

// completeWords completes a flag that takes one of a few words.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	mustComplete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(fmt.Sprintf("sigview: command %s: %v", cmd.Name(), err))
	}
}
