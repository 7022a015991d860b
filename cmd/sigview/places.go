package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/report"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace/arrowio"
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

// stamp is what every document begins with.
type stamp struct {
	SchemaVersion int    `json:"schema_version"`
	ToolVersion   string `json:"tool_version"`
	Seed          uint64 `json:"seed"`
}

// measured is what a measurement of layers leaves.
type measured struct {
	name     string // of its files
	document any
	text     func(report.Style) string
	html     string
	markdown string
	charts   []report.Chart
	table    func(io.Writer) error
}

// deliver writes the directory that was asked for, then prints the figures.
func (a *app) deliver(ctx context.Context, m measured, dir string, json bool) error {
	if dir != "" {
		if err := a.lab.writeDir(ctx, dir, m.parts()); err != nil {
			return err
		}
	}
	err := a.data("", func(w io.Writer) error {
		if json {
			return writeJSON(w, m.document)
		}
		return text(w, m.text(a.style().report()))
	})
	if err == nil && dir != "" {
		a.say("wrote %s", dir)
	}
	return err
}

// parts are the files of a measurement's directory.
func (m measured) parts() []arrowio.Part {
	out := []arrowio.Part{
		{Name: m.name + ".json", Write: func(w io.Writer) error { return writeJSON(w, m.document) }},
		{Name: m.name + arrowio.Ending, Write: m.table},
		{Name: m.name + ".html", Write: func(w io.Writer) error { return text(w, m.html) }},
		{Name: m.name + ".md", Write: func(w io.Writer) error { return text(w, m.markdown) }},
	}
	for i := range m.charts {
		c := &m.charts[i]
		out = append(out,
			arrowio.Part{Name: c.Name + ".svg", Write: func(w io.Writer) error { return text(w, c.SVG()) }},
			arrowio.Part{Name: c.Name + ".png", Write: c.PNG})
	}
	return out
}

// checkOutput refuses a directory that cannot be written, before the long work.
func (a *app) checkOutput(dir string) error {
	if dir == "" {
		return nil
	}
	if err := a.lab.checkTarget(dir); err != nil {
		return &usageError{err.Error()}
	}
	return nil
}

// unwritten tells that an error left no directory behind.
func unwritten(dir string, err error) error {
	if dir == "" {
		return err
	}
	return fmt.Errorf("%w (nothing was written to %s)", err, dir)
}
