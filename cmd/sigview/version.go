package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/version"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			return a.data("", func(w io.Writer) error {
				_, err := fmt.Fprintln(w, version.Read())
				return err
			})
		},
	}
}
