package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/version"
)

// versionSchema is the version of version's JSON document.
const versionSchema = 1

func (a *app) versionCommand() *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version; as JSON with the modules of the build and their checksums",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			return a.data("", func(w io.Writer) error {
				b := version.Read()
				if !json {
					_, err := fmt.Fprintln(w, b)
					return err
				}
				return writeJSON(w, map[string]any{
					"schema_version": versionSchema, "tool_version": b.Version, "revision": b.Revision, "modified": b.Dirty, "go": b.Go, "modules": b.Modules,
				})
			})
		},
	}
	jsonFlag(cmd.Flags(), &json)
	return cmd
}
