package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/rundir/reference"
)

// referenceMark begins the name of a reference where a directory is expected.
const referenceMark = "@"

// referencesFlag adds the flag for the folder of references.
func referencesFlag(fs *pflag.FlagSet, folder *string) {
	fs.StringVar(folder, "references", "", "folder of the references (default: .sigview/references of the project)")
}

// references returns the store of a folder, or that of the project.
func references(folder string) (reference.Store, error) {
	if folder != "" {
		return reference.Store(folder), nil
	}
	dir, err := os.Getwd()
	return reference.Default(dir), err
}

func (a *app) referenceCommand() *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "reference",
		Short: "Keep named runs to compare with",
		Long: `Keeps copies of runs under names, with their origin: version, platform, seeds, quality
of the clock. sigview diff takes @NAME in place of a directory. References lie in
.sigview/references of the project: of the nearest folder around with a folder
.sigview or a repository.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return names.Check("command of reference", args[0], commandNames(cmd))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	referencesFlag(cmd.PersistentFlags(), &folder)
	cmd.AddCommand(a.acceptCommand(&folder), a.referenceListCommand(&folder), a.referenceShowCommand(&folder), a.pruneCommand(&folder))
	return cmd
}

func (a *app) acceptCommand(folder *string) *cobra.Command {
	return &cobra.Command{
		Use:   "accept DIR NAME",
		Short: "Keep a copy of runs under a name",
		Long: `Copies a run directory, a directory of several runs or a measurement under a name. A
reference that had the name stays as NAME~1, NAME~2 and so on.`,
		Example: `  sigview run fft --seeds 5 -o good
  sigview reference accept good fft`,
		Args: exactly("DIR", "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := references(*folder)
			if err != nil {
				return err
			}
			side, err := explain.Side(args[0])
			if err != nil {
				return err
			}
			if err := rundir.CheckFiles(args[0]); err != nil {
				return err
			}
			from, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			m := side.Manifest()
			earlier, err := store.Accept(cmd.Context(), reference.Record{
				Name: args[1], Accepted: time.Now().UTC().Truncate(time.Second), From: from, ToolVersion: m.ToolVersion, Workload: m.Workload,
				Platform: m.Platform.Name, PlatformDigest: m.Platform.Digest, Nodes: m.Nodes, Seeds: m.Seeds, Clock: m.Clock,
			}, args[0])
			if err != nil {
				return err
			}
			a.say("accepted %s as reference %s: %s, seeds %s", args[0], args[1], m.Workload, trace.SeedsText(m.Seeds))
			if earlier != "" {
				a.say("the earlier reference is now %s", earlier)
			}
			return nil
		},
	}
}

func (a *app) referenceListCommand(folder *string) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List references",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			store, err := references(*folder)
			if err != nil {
				return err
			}
			all, err := store.List()
			if err != nil {
				return err
			}
			if len(all) == 0 && !json {
				a.say("no references in %s", string(store))
				return nil
			}
			return a.print(json, append([]reference.Record{}, all...), report.Tables{Title: "References in " + string(store), Views: []analysis.View{referencesView(all)}})
		},
	}
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

func referencesView(all []reference.Record) analysis.View {
	type record = reference.Record
	return analysis.Tabulate(all,
		analysis.Text("<name", func(r record) string { return r.Name }),
		analysis.Text("<workload", func(r record) string { return r.Workload }),
		analysis.Text("<platform", func(r record) string { return r.Platform }),
		analysis.Text("nodes", func(r record) string { return strconv.Itoa(r.Nodes) }),
		analysis.Text("<seeds", func(r record) string { return trace.SeedsText(r.Seeds) }),
		analysis.Text("<version", func(r record) string { return r.ToolVersion }),
		analysis.Text("<accepted", func(r record) string { return r.Accepted.Format("2006-01-02 15:04") }))
}

func (a *app) referenceShowCommand(folder *string) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Show where a reference comes from",
		Args:  exactly("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := references(*folder)
			if err != nil {
				return err
			}
			r, dir, err := store.Find(strings.TrimPrefix(args[0], referenceMark))
			if err != nil {
				return err
			}
			return a.data("", func(w io.Writer) error {
				if json {
					return writeJSON(w, r)
				}
				_, err := fmt.Fprintf(w, "%s: %s on %s, %d nodes, seeds %s\naccepted %s from %s\nsigview %s, platform digest %s\nclock: %s\nruns: %s\n",
					r.Name, r.Workload, r.Platform, r.Nodes, trace.SeedsText(r.Seeds), r.Accepted.Format(time.RFC3339), r.From, r.ToolVersion, r.PlatformDigest,
					report.Clock(r.Clock, true), dir)
				return err
			})
		},
	}
	jsonFlag(cmd.Flags(), &json)
	return cmd
}

func (a *app) pruneCommand(folder *string) *cobra.Command {
	keep := 0
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove earlier references, whose names have been accepted again",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			if keep < 0 {
				return usagef("--keep is %d, want 0 or more", keep)
			}
			store, err := references(*folder)
			if err != nil {
				return err
			}
			removed, err := store.Prune(keep)
			if err == nil && len(removed) == 0 {
				a.say("no earlier references to remove in %s", string(store))
			}
			for _, name := range removed {
				a.say("removed %s", name)
			}
			return err
		},
	}
	cmd.Flags().IntVar(&keep, "keep", 0, "earlier references of each name to keep, the latest ones")
	return cmd
}
