package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/internal/largeheap"
	"github.com/sigview/sigview/internal/names"
)

// layerFlags adds the flags of commands that measure layers.
func layerFlags(cmd *cobra.Command, s *experiment.PlacesSpec) {
	fs := cmd.Flags()
	fs.StringSliceVar(&s.Platforms, "platform", s.Platforms, "hardware profiles, separated by commas: names or .toml files")
	fs.StringSliceVar(&s.Layers, "layer", nil, "communication layers, separated by commas, or all (default: the platform's own)")
	seedFlag(fs, &s.Seed)
	fs.Var(flags.ByteSizes(&s.Sizes), "size", "message sizes in bytes, separated by commas, K and M allowed")
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

// specFlags adds the flags of a specification, and completes those that take words.
func specFlags(cmd *cobra.Command, spec any, without ...string) {
	fs := cmd.Flags()
	flags.Add(fs, spec, without...)
	fs.VisitAll(func(f *pflag.Flag) {
		if known := f.Annotations[flags.Known]; known != nil {
			complete := cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)
			if f.Value.Type() == flags.ListType {
				complete = inList(complete)
			}
			mustComplete(cmd, f.Name, complete)
		}
	})
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
func word(cmd *cobra.Command, p flags.Enumeration, name, usage string, otherwise ...string) {
	known := p.Words().Names()
	usage += ": " + strings.Join(known, ", ")
	for _, o := range otherwise {
		usage += " (default: " + o + ")"
	}
	cmd.Flags().Var(flags.OneOf(p), name, usage)
	mustComplete(cmd, name, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
}

// list adds a flag that takes several of a few words, separated by commas.
func list[E names.Enumeration](cmd *cobra.Command, p *[]names.Word[E], name, usage string) {
	known := names.Word[E]("").Words().Names()
	cmd.Flags().Var(flags.Words(p), name, usage+": "+strings.Join(known, ", "))
	mustComplete(cmd, name, inList(cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)))
}

// memoryLimited gives commands that make runs a flag for the memory that they may take. What
// would take more is refused or cancelled.
func memoryLimited(cmds ...*cobra.Command) []*cobra.Command {
	for _, cmd := range cmds {
		var most int64
		cmd.Flags().Var(flags.Count(&most), "memory", "bytes of memory that may be taken, K, M and G allowed (default: nine tenths of what there is)")
		do := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			limit := largeheap.Limit{Bytes: most, From: "--memory"}
			if most == 0 {
				there, whose := largeheap.Machine()
				limit = largeheap.Limit{Bytes: there / 10 * 9, From: fmt.Sprintf("nine tenths of %s; --memory changes it", whose)}
			}
			if limit.Bytes == 0 { // the system does not tell
				return do(cmd, args)
			}
			ctx, stop := largeheap.Within(cmd.Context(), limit)
			defer stop()
			cmd.SetContext(ctx)
			return because(ctx, do(cmd, args))
		}
	}
	return cmds
}

// because puts the memory that was passed into the error of a command that was cancelled for
// that.
func because(ctx context.Context, err error) error {
	var passed *largeheap.Passed
	if errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &passed) {
		return errors.New(strings.ReplaceAll(err.Error(), context.Canceled.Error(), passed.Error()))
	}
	return err
}
