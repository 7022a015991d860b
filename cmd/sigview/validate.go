package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/papers"
	"github.com/sigview/sigview/papers/judge"
)

type rowFormats struct{}

func (rowFormats) Words() names.Words {
	return names.NewWords("format", formatText, formatMarkdown, formatJSON)
}

func (a *app) validateCommand() *cobra.Command {
	spec := papers.DefaultValidate()
	format := names.Word[rowFormats](formatText)
	var json bool
	var out string
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Compare every published figure with the model's",
		Long: `Runs the experiments behind the table of published figures and gives every row
a verdict. A row is met if it is met with all seeds, or with 90 % of ten or more.
The exit code is 3 if any row misses, and 4 if none of the rows is measured.`,
		Example: `  sigview validate
  sigview validate --only sh-bw --seeds 10
  sigview validate --json`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if json {
				format = formatJSON
			}
			return a.validateRows(cmd.Context(), spec, string(format), out)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&spec.Only, "only", "", "only rows whose id starts with this")
	fs.Var(seeds(&spec.Seeds), "seeds", "measure with so many seeds, from 1 on, or with these")
	word(cmd, &format, "format", "output format")
	fs.BoolVar(&json, "json", false, "the same as --format json")
	fs.StringVarP(&out, "output", "o", "", "file to write to")
	return cmd
}

func (a *app) validateRows(ctx context.Context, spec papers.ValidateSpec, format, out string) error {
	watch, done := a.watch()
	doc, err := a.lab.validate(ctx, spec, watch)
	done()
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer) error{
		formatText: doc.WriteText, formatMarkdown: doc.WriteMarkdown, formatJSON: doc.WriteJSON,
	}[format]
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
