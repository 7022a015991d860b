package main

import (
	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
)

func (a *app) baselineCommand() *cobra.Command {
	spec := experiment.BaselineSpec{Platform: experiment.DefaultPlatform, Seed: experiment.DefaultSeed}
	var out string
	var json bool
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Measure the unloaded latencies of a platform over all packet sizes",
		Long: `Sends single packets of every size across an otherwise idle cluster and shows
the four latencies. Every signature is compared with them. --operations plays the page
fetches, locks, diffs, barriers, messages or file requests of a program one at a time
instead; the program's packets are compared with those of their kind and predecessor.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := keepRun(cmd.Context(), a, spec, out, "baseline", json, experiment.Baseline)
			return err
		},
	}
	platformFlags(cmd.Flags(), &spec.Platform, &spec.Seed)
	layerFlag(cmd.Flags(), &spec.Layer)
	runOutputFlags(cmd.Flags(), &out, &json)
	cmd.Flags().StringVar(&spec.Operations, "operations", "", "program whose operations are played one at a time, in place of single messages")
	a.completePlaces(cmd)
	return cmd
}
