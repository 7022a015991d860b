package papers

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/papers/grim"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/logp"
	"github.com/sigview/sigview/papers/modern"
	"github.com/sigview/sigview/papers/plogp"
	"github.com/sigview/sigview/papers/shrimp"
	"github.com/sigview/sigview/papers/userspace"
)

// ValidateSpec says which published figures to compare with the model's.
type ValidateSpec struct {
	Only  string // judge only rows whose id starts with this; empty: all
	Seeds experiment.Seeds
}

// DefaultValidate returns the usual specification: every row with five seeds.
func DefaultValidate() ValidateSpec {
	return ValidateSpec{Seeds: experiment.Seeds{First: experiment.DefaultSeed, N: 5}}
}

// papers are the checks of each paper, those that take longest first.
var papers = []func(seed uint64) judge.Rows{shrimp.Rows, userspace.Rows, plogp.Rows, logp.Rows, grim.Rows, modern.Rows}

// Rows returns the checks of all papers.
func Rows(seed uint64) judge.Rows {
	rows := judge.Rows{}
	for _, of := range papers {
		rows.Merge(of(seed))
	}
	return rows
}

// validatedPlatforms are the profiles that rows are measured on.
const validatedPlatforms = "shrimp, ppro, paragon, meiko, meiko50, myrinet, myrinet10, sun-rpc, ultrasparc-sbus, das-myrinet, das-wan, gm-p3, trapeze-p3, grim-ppro-lanai9, grim-p3-lanai4, grim-p3-lanai9, grim-p3-lanai4-pmc, grim-p4-lanai4, grim-p4-lanai9, mlx4, cx3, cib, cx5-roce, cx5-ex, cx6-hdr, cx6, cx7"

// Validate measures the rows of the published table with each seed, papers and seeds side
// by side on all cores, and gives each row its verdict. A prefix that no row has is a
// *names.Error. An experiment that fails ends the validation.
func Validate(ctx context.Context, spec ValidateSpec, watch experiment.Watch) (*judge.Document, error) {
	table, err := judge.Published()
	if err != nil {
		return nil, err
	}
	part := table.Only(spec.Only)
	if len(part) == 0 {
		return nil, &names.Error{
			What: "row prefix", Name: spec.Only, Known: prefixes(table), Nearest: names.Nearest(spec.Only, table.IDs()),
		}
	}
	all, n := Rows(spec.Seeds.First), spec.Seeds.N
	if err := all.Complete(table); err != nil {
		return nil, err
	}
	measured := slices.DeleteFunc(part, func(r judge.Row) bool { return all[r.ID].Measure == nil })
	report := counting(watch, len(measured)*n)
	trials := make([]judge.Trial, len(papers)*n)
	err = parallel.Each(ctx, len(trials), func(i int) (err error) {
		seed := spec.Seeds.First + uint64(i%n)
		trials[i], err = papers[i/n](seed).Try(ctx, table, spec.Only, seed, report)
		return err
	})
	if err != nil {
		return nil, err
	}
	doc := judge.NewDocument(judge.Stamp{
		ToolVersion: version.Tool(), Seed: spec.Seeds.First, Platform: validatedPlatforms,
	}, spec.Seeds.N, judge.Judge(table, spec.Only, trials))
	return &doc, nil
}

// counting returns a function that reports each row that begins, of all seeds. Several
// goroutines may call it.
func counting(watch experiment.Watch, total int) func(judge.Row) {
	var lock sync.Mutex
	begun := int64(-1)
	return func(row judge.Row) {
		lock.Lock()
		defer lock.Unlock()
		begun++
		watch.Report(experiment.Progress{Stage: row.ID, Done: begun, Total: int64(total), Unit: "rows"})
	}
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
