package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/version"
)

func (a *app) listCommands() []*cobra.Command {
	return []*cobra.Command{
		a.listCommand("platforms", "platform", "List the hardware profiles, or show one", platforms),
		a.listCommand("layers", "layer", "List the communication layers, or describe one", layers),
		a.listCommand("workloads", "workload", "List the programs that can be run, or describe one", workloads),
	}
}

// listSchema is the version of the JSON documents of lists.
const listSchema = 1

// listCommand lists entries of the catalogue, or describes one.
func (a *app) listCommand(use, what, short string, entries entries) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:               use + " [NAME]",
		Short:             short,
		Args:              atMostOne("NAME"),
		ValidArgsFunction: a.complete(entries),
		RunE: func(_ *cobra.Command, args []string) error {
			all := entries(experiment.Described())
			if len(args) > 0 {
				if err := names.Check(what, args[0], experiment.Names(all)); err != nil {
					return err
				}
				all = slices.DeleteFunc(slices.Clone(all), func(e experiment.Entry) bool { return e.Name != args[0] })
			}
			return a.data("", func(w io.Writer) error {
				if json {
					return writeJSON(w, map[string]any{"schema_version": listSchema, "tool_version": version.Tool(), use: all})
				}
				for _, e := range all {
					line := fmt.Sprintf("%-12s %s", e.Name, e.Summary)
					if len(args) > 0 {
						line = e.Detail
					}
					if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	jsonFlag(cmd.Flags(), &json)
	return cmd
}
