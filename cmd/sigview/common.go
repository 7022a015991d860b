package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
)

// layerFlags adds the flags of commands that measure layers.
func layerFlags(cmd *cobra.Command, s *experiment.PlacesSpec, out *string, json *bool) {
	fs := cmd.Flags()
	fs.StringSliceVar(&s.Platforms, "platform", s.Platforms, "hardware profiles, separated by commas: names or .toml files")
	fs.StringSliceVar(&s.Layers, "layer", nil, "communication layers, separated by commas, or all (default: the platform's own)")
	seedFlag(fs, &s.Seed)
	fs.Var(byteSizes(&s.Sizes), "size", "message sizes in bytes, separated by commas, K and M allowed")
	fs.StringVarP(out, "output", "o", "", "directory for the figures and their plots, new or empty")
	jsonFlag(fs, json)
}

// platformFlags adds the flags of commands that use one platform.
func platformFlags(fs *pflag.FlagSet, platform *string, seed *uint64) {
	fs.StringVar(platform, "platform", *platform, "hardware profile: a name or a .toml file")
	seedFlag(fs, seed)
}

func seedFlag(fs *pflag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", *seed, "seed of all random numbers")
}

func layerFlag(fs *pflag.FlagSet, layer *string) {
	fs.StringVar(layer, "layer", "", "communication layer (default: the platform's own)")
}

// clockFlags adds the flags for the drift of clocks and for the global clock.
func clockFlags(cmd *cobra.Command, c *experiment.ClockSpec) {
	fs := cmd.Flags()
	word(cmd, &c.Oscillators, "clock-oscillators", "clock drift")
	fs.Var(span(&c.Round), "clock-round", "time between global clock rounds (default: the platform's own)")
	fs.BoolVar(&c.NoPriority, "no-clock-priority", false, "serve clock packets without priority")
	fs.BoolVar(&c.NoInlineChecks, "no-inline-checks", false, "omit the checks for events inside long firmware operations")
}

// runOutputFlags adds the flags of commands that write a run directory.
func runOutputFlags(fs *pflag.FlagSet, out *string, json *bool) {
	fs.StringVarP(out, "output", "o", "", "run directory, new or empty")
	jsonFlag(fs, json)
}

func jsonFlag(fs *pflag.FlagSet, json *bool) {
	fs.BoolVar(json, "json", false, "print one JSON document instead of text")
}

// word adds a flag that takes one of a few words. The help lists them and the shell
// completes them. The default is the value of p; otherwise describes it if p is empty.
func word(cmd *cobra.Command, p enumeration, name, usage string, otherwise ...string) {
	known := p.Words().Names()
	usage += ": " + strings.Join(known, ", ")
	for _, o := range otherwise {
		usage += " (default: " + o + ")"
	}
	cmd.Flags().Var(choice{p}, name, usage)
	mustComplete(cmd, name, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
}

// list adds a flag that takes several of a few words, separated by commas.
func list[E names.Enumeration](cmd *cobra.Command, p *[]names.Word[E], name, usage string) {
	known := names.Word[E]("").Words().Names()
	cmd.Flags().Var(words(p), name, usage+": "+strings.Join(known, ", "))
	mustComplete(cmd, name, inList(cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)))
}
