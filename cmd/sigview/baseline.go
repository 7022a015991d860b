package main

import (
	"context"

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
the four latencies. Every signature is judged against this.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measureBaseline(cmd.Context(), spec, out, json) },
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Platform, "platform", spec.Platform, "hardware profile: a name or a .toml file")
	fs.StringVar(&spec.Layer, "layer", "", "communication layer (default: the platform's own)")
	fs.Uint64Var(&spec.Seed, "seed", spec.Seed, "seed of everything random")
	fs.StringVarP(&out, "output", "o", "", "run directory, new or empty")
	fs.BoolVar(&json, "json", false, "print one JSON document instead of text")
	a.completePlaces(cmd)
	return cmd
}

func (a *app) measureBaseline(ctx context.Context, spec experiment.BaselineSpec, out string, json bool) error {
	if err := spec.Validate(a.lab.known()); err != nil {
		return err
	}
	t, err := a.newTarget(out, "baseline")
	if err != nil {
		return err
	}
	watch, done := a.watch()
	run, err := a.lab.baseline(ctx, spec, watch)
	done()
	if err != nil {
		return t.unwritten(err)
	}
	return a.keep(ctx, t, run, json)
}
