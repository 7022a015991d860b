package papers

import (
	"context"
	"slices"
	"strings"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/logp"
	"github.com/sigview/sigview/papers/shrimp"
	"github.com/sigview/sigview/papers/userspace"
)

// ValidateSpec says which published figures to compare with the model's.
type ValidateSpec struct {
	Only string // judge only rows whose id starts with this; empty: all
	Seed uint64
}

// Rows returns the checks of all papers.
func Rows(seed uint64) judge.Rows {
	rows := judge.Rows{}
	rows.Merge(shrimp.Rows(seed))
	rows.Merge(userspace.Rows(seed))
	rows.Merge(logp.Rows(seed))
	return rows
}

// validatedPlatforms are the profiles that rows are measured on.
const validatedPlatforms = "shrimp, ppro, paragon, meiko, meiko50, myrinet, myrinet10, sun-rpc"

// Validate measures the rows of the published table and gives each its
// verdict. A prefix that no row has is a *names.Error. An experiment that fails
// ends the validation.
func Validate(ctx context.Context, spec ValidateSpec, watch experiment.Watch) (*judge.Document, error) {
	table, err := judge.Published()
	if err != nil {
		return nil, err
	}
	checks := Rows(spec.Seed)
	results, err := checks.Judge(ctx, table, spec.Only, func(row judge.Row, i, n int) {
		watch.Report(experiment.Progress{Stage: row.ID, Done: int64(i), Total: int64(n), Unit: "rows"})
	})
	if err != nil {
		return nil, err
	}
	if len(results) == 0 {
		return nil, &names.Error{
			What: "row prefix", Name: spec.Only, Known: prefixes(table), Nearest: names.Nearest(spec.Only, table.IDs()),
		}
	}
	doc := judge.NewDocument(judge.Stamp{
		ToolVersion: version.Tool(), Seed: spec.Seed, Platform: validatedPlatforms,
	}, results)
	return &doc, nil
}

// prefixes returns the parts of ids up to the first hyphen, sorted.
func prefixes(table *judge.Table) []string {
	var out []string
	for _, id := range table.IDs() {
		p, _, _ := strings.Cut(id, "-")
		out = append(out, p+"-")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
