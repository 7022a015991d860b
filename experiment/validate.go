package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/papers/judge"
)

// ValidateSpec asks for published figures beside the model's.
type ValidateSpec struct {
	Only string // judge only rows whose id starts with this; empty: all
	Seed uint64
}

// validatedPlatforms are the profiles that rows are measured on.
const validatedPlatforms = "shrimp, ppro, paragon, meiko, meiko50, myrinet, myrinet10, sun-rpc"

// Validate measures every row of the published table that the model can be
// asked about and gives each row its verdict. A row that names no row is a
// *names.Error; an experiment that fails ends the validation.
func Validate(ctx context.Context, spec ValidateSpec, watch Watch) (*judge.Document, error) {
	table, gaps, err := reference()
	if err != nil {
		return nil, err
	}
	plan := judge.Plan{
		Checks:      rowChecks(spec.Seed),
		Calibrated:  calibratedRows(),
		NotModelled: notModelled,
	}
	if err := plan.Validate(table); err != nil {
		return nil, err
	}
	part := table.Only(spec.Only)
	if len(part.Rows) == 0 {
		return nil, &names.Error{
			What: "row prefix", Name: spec.Only, Known: prefixes(table), Nearest: names.Nearest(spec.Only, table.IDs()),
		}
	}
	// The plan was checked against the whole table; only the wanted rows run.
	plan.Checks = keep(plan.Checks, part)
	plan.Calibrated = keep(plan.Calibrated, part)
	plan.Before = func(row judge.Row, i int) {
		watch.report(Progress{Stage: row.ID, Done: int64(i), Total: int64(len(part.Rows)), Unit: "rows"})
	}
	results, err := plan.Judge(ctx, part, gaps)
	if err != nil {
		return nil, err
	}
	doc := judge.NewDocument(judge.Stamp{
		ToolVersion: version.Tool(), Seed: spec.Seed, Platform: validatedPlatforms,
	}, results)
	return &doc, nil
}

// reference parses the tables that the binary carries.
func reference() (*judge.Table, map[string]judge.Gap, error) {
	table, err := judge.ParseTable("testdata/published.csv", strings.NewReader(sigview.Published()))
	if err != nil {
		return nil, nil, fmt.Errorf("reference table: %w", err)
	}
	gaps, err := judge.ParseGaps("testdata/known_gaps.csv", strings.NewReader(sigview.KnownGaps()), table)
	if err != nil {
		return nil, nil, fmt.Errorf("known gaps: %w", err)
	}
	return table, gaps, nil
}

// prefixes returns what stands before the first hyphen of ids, sorted.
func prefixes(table *judge.Table) []string {
	var out []string
	for _, id := range table.IDs() {
		p, _, _ := strings.Cut(id, "-")
		out = append(out, p+"-")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// keep returns the entries of m whose row is in table.
func keep[V any](m map[string]V, table *judge.Table) map[string]V {
	out := map[string]V{}
	for _, id := range table.IDs() {
		if v, ok := m[id]; ok {
			out[id] = v
		}
	}
	return out
}
