package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/papers"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/judge/page"
)

func (a *app) validateCommand() *cobra.Command {
	spec := papers.DefaultValidate()
	var json bool
	var out, pages string
	var detail experiment.Detail
	beside := experiment.BesideSpec{Platform: experiment.DefaultPlatform}
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Compare every published figure with the model's",
		Long: `Runs the experiments behind the table of published figures and gives every row
a verdict. A row is met if it is met with all seeds, or with 90 % of ten or more.
The exit code is 3 if any row misses, and 4 if none of the rows is measured.

--detail fast compares something else: the run time of every program with
run --detail fast with that of the full model, and how long packets of the full
model wait for others. Of a place that cannot run a program the reason is given.`,
		Example: `  sigview validate
  sigview validate --only sh-bw --seeds 10
  sigview validate --json
  sigview validate --detail fast
  sigview validate --detail fast --platform ppro --layer gam --nodes 8 --seeds 11..13`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFile(out); err != nil {
				return err
			}
			switch detail {
			case "", experiment.DetailFull:
			case experiment.DetailFast:
				if pages != "" {
					return usagef("--pages is given beside --detail fast, want one of them: pages show published rows")
				}
				beside.Seeds, beside.Only = spec.Seeds, spec.Only
				return a.validateFast(cmd.Context(), beside, json, out)
			default:
				return usagef("--detail is %s, want %s or %s", detail, experiment.DetailFull, experiment.DetailFast)
			}
			for _, name := range besideFlags {
				if cmd.Flags().Changed(name) {
					return usagef("--%s is given, want --detail fast with it: rows name their platforms", name)
				}
			}
			return a.validateRows(cmd.Context(), spec, json, out, pages)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Only, "only", "", "only rows whose id starts with this")
	word(cmd, &detail, "detail", "fast: compare run --detail fast with the full model; --only names a program", string(experiment.DetailFull))
	fs.StringVar(&beside.Platform, "platform", beside.Platform, "with --detail fast: hardware profile, a name or a .toml file")
	fs.StringVar(&beside.Layer, "layer", "", "with --detail fast: communication layer (default: the platform's own)")
	fs.Var(flags.Nodes(&beside.Nodes), "nodes", "with --detail fast: nodes (default: the platform's own)")
	fs.StringVar(&beside.Schedule.File, "schedule", "", "with --detail fast: file with a GOAL schedule, which is compared too")
	a.completePlaces(cmd)
	fs.Var(flags.Seeds(&spec.Seeds), "seeds", "measure with so many seeds, from 1 on, or with these")
	jsonFlag(fs, &json)
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	fs.StringVar(&pages, "pages", "", "also write pages and all rows as CSV into this directory")
	return cmd
}

// besideFlags are those of --detail fast.
var besideFlags = []string{"platform", "layer", "nodes", "schedule"}

func (a *app) validateRows(ctx context.Context, spec papers.ValidateSpec, json bool, out, pages string) error {
	if err := a.begin(spec); err != nil {
		return err
	}
	watch, done := a.watch()
	doc, err := papers.Validate(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	if pages != "" {
		if err := a.writePages(pages, doc); err != nil {
			return err
		}
	}
	return a.printRows(doc, json, out)
}

// printRows writes the verdicts on rows, and returns the error of misses.
func (a *app) printRows(doc *judge.Document, json bool, out string) error {
	write := doc.WriteText
	if json {
		write = doc.WriteJSON
	}
	if err := a.data(out, write); err != nil {
		return err
	}
	if n := doc.Totals.Of(judge.Miss); n > 0 {
		return outOfBounds("%d of %d rows missed", n, doc.Totals.Rows)
	}
	if doc.Totals.Measured() == 0 {
		return inconclusive("nothing measures these %d rows", doc.Totals.Rows)
	}
	return nil
}

// writePages writes the pages of a validation into a directory.
func (a *app) writePages(dir string, doc *judge.Document) error {
	sources, err := judge.Papers()
	if err != nil {
		return err
	}
	files, err := page.Files(doc, sources, page.Further(dir))
	if err != nil {
		return err
	}
	return a.writeAll(dir, files)
}
