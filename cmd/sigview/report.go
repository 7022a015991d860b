package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/experiment/sweep"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) reportCommand() *cobra.Command {
	format := names.Word[reportFormats](formatText)
	var baseline, out string
	f := figureFlags{size: paper{chart.ColumnWidth, chart.ColumnHeight}}
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Show a run or a measurement again, as text, Markdown, HTML or JSON, or a figure of it",
		Long: `Reads the directory of a run and shows its signature. --baseline compares it with
the unloaded latencies of another directory instead of its own. Directories that
logp, bandwidth, perturb, tpil, verbs and sweep have left are shown as these commands do.

With --format svg, png or pdf it writes one figure, for print: --figure names it, --size is
that on paper. The file holds the command that made it.`,
		Example: `  sigview report sigview-runs/fft-001
  sigview report sigview-runs/fft-001 --format html -o fft.html
  sigview report layers --format pdf --size 85x60mm -o layers.pdf`,
		Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			style := a.styleFor(out)
			style.Lines, style.Full = 0, a.full
			x, err := a.readReport(args[0], baseline)
			if err != nil {
				return err
			}
			if !slices.Contains(figureFormats, string(format)) {
				if cmd.Flags().Changed("figure") || cmd.Flags().Changed("size") {
					return usagef("--figure and --size are of figures, want them with --format %s", strings.Join(figureFormats, ", "))
				}
				return a.data(out, func(w io.Writer) error { return x.print(w, string(format), style) })
			}
			d, err := x.document()
			if err != nil {
				return err
			}
			write, err := f.figure(d, commandLine(cmd, args))
			if err != nil {
				return err
			}
			return a.data(out, func(w io.Writer) error { return write(w, string(format)) })
		},
	}
	fs := cmd.Flags()
	word(cmd, &format, "format", "output format")
	fs.StringVar(&baseline, "baseline", "", "directory of a baseline to compare the run with")
	fs.StringVar(&f.name, "figure", "", "figure to write (default: the first)")
	fs.Var(flags.Own(&f.size, "WxHmm", "a size as 85x60mm", parsePaper, paper.String), "size", "size of a figure on paper")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	return cmd
}

// commandLine is a command as it was given, but for where its output went.
func commandLine(cmd *cobra.Command, args []string) string {
	words := strings.Fields(cmd.CommandPath())
	for _, arg := range args {
		words = append(words, scene.ShellQuote(arg))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "output" || f.Name == "export":
		case f.Value.Type() == "bool":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name, scene.ShellQuote(f.Value.String()))
		}
	})
	return strings.Join(words, " ")
}

// readSweep reads the report of a sweep. lead leads from combinations to their runs, as far as these are there.
func readSweep(dir string, lead func(runs string) report.Lead) (report.Sweep, error) {
	m, runs, err := rundir.ReadSweep(dir)
	s := report.SweepOf(m, runs)
	if _, gone := os.Stat(sweep.RunsOf(dir, "")); gone == nil {
		s.Lead = lead
	}
	return s, err
}

// shown is what is read of a directory.
type shown struct {
	print    func(w io.Writer, format string, s report.Style) error
	document func() (report.Document, error)
}

// readReport reads a directory.
func (a *app) readReport(dir, baseline string) (shown, error) {
	of := func(d report.Document, json func() ([]byte, error)) shown {
		return shown{
			func(w io.Writer, format string, s report.Style) error { return print(w, d, format, s, json) },
			func() (report.Document, error) { return d, nil },
		}
	}
	m, err := bench.Read(dir)
	switch {
	case err == nil && baseline != "":
		return shown{}, usagef("--baseline is given for a measurement, want a run")
	case err == nil:
		return of(report.Measured(m), func() ([]byte, error) { return m.Document, nil }), nil
	case !errors.Is(err, bench.ErrNotMeasured):
		return shown{}, err
	}
	if rundir.IsSweep(dir) {
		s, err := readSweep(dir, func(runs string) report.Lead {
			return report.Lead{Text: "sigview view " + scene.ShellQuote(sweep.RunsOf(dir, runs))}
		})
		if err == nil && baseline != "" {
			err = usagef("--baseline is given for a sweep, want a run")
		}
		return of(s, func() ([]byte, error) { return report.SweepJSON(s) }), err
	}
	run, err := explain.ReadSummary(dir)
	if err != nil {
		return shown{}, err
	}
	if baseline != "" {
		base, err := explain.ReadSummary(baseline)
		if err != nil {
			return shown{}, err
		}
		b, err := analysis.BaselineOf(base)
		if err != nil {
			return shown{}, fmt.Errorf("baseline %s: %w", baseline, err)
		}
		analysis.SetBaseline(&run, b)
	}
	return shown{
		func(w io.Writer, format string, s report.Style) error { return printRun(w, &run, format, s) },
		func() (report.Document, error) { return report.OfStored(&run, true) },
	}, nil
}

// figureFlags are the flags of figures.
type figureFlags struct {
	name string
	size paper
}

// paper is a size in mm.
type paper cell.Paper

// String returns the size as it is given.
func (p paper) String() string { return fmt.Sprintf("%gx%gmm", p.Width, p.Height) }

// parsePaper reads WIDTHxHEIGHTmm.
func parsePaper(text string) (p paper, err error) {
	sides, ok := strings.CutSuffix(text, "mm")
	width, height, both := strings.Cut(sides, "x")
	p.Width, err = strconv.ParseFloat(width, 64)
	p.Height, _ = strconv.ParseFloat(height, 64)
	if err != nil || !ok || !both || !(p.Width > 0 && p.Width <= 1000 && p.Height > 0 && p.Height <= 1000) {
		return p, flags.Want("")
	}
	return p, nil
}

// figure writes one chart of a document as a figure.
func (f figureFlags) figure(d report.Document, made string) (func(w io.Writer, format string) error, error) {
	all := report.Figures(d)
	if len(all) == 0 {
		return nil, usagef("--format is of a figure, and this report has none")
	}
	names := lists.Map(all, func(c chart.Chart) string { return c.Name })
	i := max(slices.Index(names, f.name), 0)
	if f.name != "" && f.name != names[i] {
		return nil, usagef("--figure is %q, want one of %s", f.name, strings.Join(names, ", "))
	}
	x := chart.Figure{Chart: all[i], Width: f.size.Width, Height: f.size.Height, Made: made}
	if err := x.Check(); err != nil {
		return nil, err
	}
	return func(w io.Writer, format string) error {
		switch format {
		case formatSVG:
			return text(w, x.SVG())
		case formatPNG:
			return x.PNG(w)
		}
		return x.PDF(w)
	}, nil
}
