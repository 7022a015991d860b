package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/sigview/sigview/internal/atomicfile"
	"github.com/sigview/sigview/internal/version"
)

func (a *app) manCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Write the manual pages",
		Long:  "Writes a manual page for every command into a directory, to be installed as man1.",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return usagef("--dir is missing, want a directory")
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			pages, err := manualPages(root)
			if err != nil {
				return err
			}
			return a.writeAll(dir, pages)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory to write to")
	return cmd
}

// manualPages returns the page of a command, and those of its subcommands. They do not
// depend on the date.
func manualPages(cmd *cobra.Command) (pages []atomicfile.File, err error) {
	var page bytes.Buffer
	date := time.Unix(0, 0).UTC()
	header := doc.GenManHeader{Title: "SIGVIEW", Section: "1", Source: "sigview " + version.Tool(), Manual: "sigview", Date: &date}
	if err := doc.GenMan(cmd, &header, &page); err != nil {
		return nil, err
	}
	pages = append(pages, atomicfile.File{Path: strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1", Data: page.Bytes()})
	for _, c := range cmd.Commands() {
		if !c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			continue
		}
		more, err := manualPages(c)
		if err != nil {
			return nil, err
		}
		pages = append(pages, more...)
	}
	return pages, nil
}
