package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
)

// byteSizes is a list of message sizes, separated by commas; a message may be
// empty.
type byteSizes []int64

func (s *byteSizes) String() string { return (*counts)(s).String() }
func (s *byteSizes) Type() string   { return "bytes,..." }

func (s *byteSizes) Set(text string) error {
	*s = nil
	for part := range strings.SplitSeq(text, ",") {
		n, err := int64(0), error(nil)
		if part != "0" {
			n, err = parseCount(part)
		}
		if err != nil || n > experiment.MaxMessage {
			return wantError("whole numbers from 0 to " + strconv.Itoa(experiment.MaxMessage>>20) + "M separated by commas, K and M allowed")
		}
		*s = append(*s, n)
	}
	return nil
}

// layerFlags are the flags that logp and bandwidth share.
func layerFlags(cmd *cobra.Command, s *experiment.PlacesSpec, sizes *byteSizes, out *string, json *bool) {
	fs := cmd.Flags()
	fs.StringSliceVar(&s.Platforms, "platform", s.Platforms, "hardware profiles, separated by commas: names or .toml files")
	fs.StringSliceVar(&s.Layers, "layer", nil, "communication layers, separated by commas, or all (default: the platform's own)")
	fs.Uint64Var(&s.Seed, "seed", s.Seed, "seed of everything random")
	fs.Var(sizes, "size", "message sizes in bytes, separated by commas, K and M allowed")
	fs.StringVarP(out, "output", "o", "", "directory for the figures and their plots, new or empty")
	fs.BoolVar(json, "json", false, "print one JSON document instead of text")
}
