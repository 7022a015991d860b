package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
)

func (a *app) listCommands() []*cobra.Command {
	return []*cobra.Command{
		a.listCommand("platforms", "platform", "List the hardware profiles, or show one", platforms),
		a.listCommand("layers", "layer", "List the communication layers, or describe one", layers),
		a.listCommand("workloads", "workload", "List the programs that can be run, or describe one", workloads),
	}
}

// listCommand lists entries of the catalogue, or describes one.
func (a *app) listCommand(use, what, short string, entries entries) *cobra.Command {
	return &cobra.Command{
		Use:               use + " [NAME]",
		Short:             short,
		Args:              atMostOne("NAME"),
		ValidArgsFunction: a.complete(entries),
		RunE: func(_ *cobra.Command, args []string) error {
			all := entries(a.lab.known())
			if len(args) > 0 {
				if err := names.Check(what, args[0], experiment.Names(all)); err != nil {
					return err
				}
			}
			return a.data("", func(w io.Writer) error {
				for _, e := range all {
					switch {
					case len(args) == 0:
						fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%-12s %s", e.Name, e.Summary), " "))
					case e.Name == args[0]:
						fmt.Fprintln(w, strings.TrimRight(e.Detail, "\n"))
					}
				}
				return nil
			})
		},
	}
}
