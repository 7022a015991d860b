package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

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
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			// The pages do not depend on the date.
			date := time.Unix(0, 0).UTC()
			header := &doc.GenManHeader{Title: "SIGVIEW", Section: "1", Source: "sigview " + version.Tool(), Manual: "sigview", Date: &date}
			if err := doc.GenManTree(root, header, dir); err != nil {
				return err
			}
			a.say("manual pages in %s", dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory to write to")
	return cmd
}
