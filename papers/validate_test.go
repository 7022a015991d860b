package papers

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/judge/page"
)

var update = flag.Bool("update", false, "rewrite docs/validation.md and docs/validation")

// TestValidationPagesAreCurrent measures all rows with the usual seeds: a figure that
// moves has to be looked at, and `make docs` writes the pages anew.
func TestValidationPagesAreCurrent(t *testing.T) {
	if os.Getenv("SIGVIEW_LONG") == "" && !*update {
		t.Skip("minutes; TestRowsAreCurrent measures one seed")
	}
	doc, err := Validate(t.Context(), DefaultValidate(), nil)
	require.NoError(t, err)
	require.Zero(t, doc.Totals.Miss, "a missed row needs a cure, or a known gap with its cause")
	sources, err := judge.Papers()
	require.NoError(t, err)
	files, err := page.Files(doc, sources, page.Further("../docs"))
	require.NoError(t, err)
	for _, f := range files {
		path := filepath.Join("../docs", f.Path)
		if *update {
			require.NoError(t, os.WriteFile(path, f.Data, 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(want), string(f.Data), "%s: run `make docs` and look at what changed", f.Path)
	}
}

// TestRowsAreCurrent measures all rows with the first seed and compares them with the
// list beside the pages.
func TestRowsAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every experiment")
	}
	doc, err := Validate(t.Context(), ValidateSpec{Seeds: experiment.Seeds{First: DefaultValidate().Seeds.First, N: 1}}, nil)
	require.NoError(t, err)
	f, err := os.Open("../docs/validation/rows.csv")
	require.NoError(t, err)
	defer f.Close()
	want, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, page.Columns, want[0])
	verdict := slices.Index(page.Columns, "verdict")
	for _, row := range want {
		require.NotEqual(t, string(judge.Miss), row[verdict], "row %s: a missed row needs a cure, or a known gap with its cause", row[0])
	}
	got := page.Rows(doc)
	require.Equal(t, len(got), len(want)-1, "rows of docs/validation/rows.csv below its header: run `make docs` after a row is added")
	for i, row := range got {
		requireFirstSeed(t, want[i+1], row)
	}
}

// requireFirstSeed compares a row measured with one seed with that of several. What
// depends on the other seeds may differ; the note only if these say something else.
func requireFirstSeed(t *testing.T, want, got []string) {
	of := func(row []string, column string) string { return row[slices.Index(page.Columns, column)] }
	others := []string{"modelled", "modelled_lo", "modelled_hi", "error_pct", "held"}
	if of(want, "verdict") != of(got, "verdict") {
		others = append(others, "verdict", "note", "criterion")
	}
	for _, c := range page.Columns {
		was := of(want, c)
		if c == "by_seed" {
			was, _, _ = strings.Cut(was, " ")
		}
		if !slices.Contains(others, c) {
			require.Equal(t, was, of(got, c), "%s of row %s: run `make docs` and look at what changed", c, got[0])
		}
	}
}

// TestEveryRowIsMeasuredOrAbsent checks the rows against the table that the
// binary carries.
func TestEveryRowIsMeasuredOrAbsent(t *testing.T) {
	table, err := judge.Published()
	require.NoError(t, err)
	checks := Rows(experiment.DefaultSeed)
	require.NoError(t, checks.Validate(table))
	require.NoError(t, checks.Complete(table))
	delete(checks, "sh-rtt2-add")
	require.ErrorContains(t, checks.Complete(table), "nothing measures row sh-rtt2-add")
}

func TestOnlyAPrefix(t *testing.T) {
	var stages []experiment.Progress
	doc, err := Validate(context.Background(), ValidateSpec{Only: "logp-t1-", Seeds: experiment.Seeds{First: 3, N: 2}}, func(p experiment.Progress) { stages = append(stages, p) })
	require.NoError(t, err)
	require.Equal(t, 6, doc.Totals.NotModelled)
	require.Equal(t, 3, doc.Totals.Measured(), "the machines that the paper measures")
	require.Len(t, stages, 2*doc.Totals.Measured())
	require.Equal(t, experiment.Progress{Stage: "logp-t1-myrinet", Done: 0, Total: 6, Unit: "rows"}, stages[0])

	_, err = Validate(context.Background(), ValidateSpec{Only: "sh-rt2-add", Seeds: experiment.Seeds{First: 1, N: 1}}, nil)
	require.EqualError(t, err, `unknown row prefix "sh-rt2-add", did you mean "sh-rtt2-add"? (known: grim-, logp-, pl-, rd-, sh-, us-)`)
}

// TestSeedsSideBySide validates on one core and on several: the documents are equal.
func TestSeedsSideBySide(t *testing.T) {
	if testing.Short() {
		t.Skip("many small clusters")
	}
	for _, prefix := range []string{"logp-gam", "sh-bin"} {
		var first string
		for _, cores := range []int{1, 3} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			doc, err := Validate(t.Context(), ValidateSpec{Only: prefix, Seeds: experiment.Seeds{First: 2, N: 2}}, nil)
			require.NoError(t, err)
			require.Positive(t, doc.Totals.Measured())
			var got bytes.Buffer
			require.NoError(t, doc.WriteJSON(&got))
			if first == "" {
				first = got.String()
			}
			require.Equal(t, first, got.String())
		}
	}
}

// TestSeeds judges the cheap rows for another seed: none of them may hang on
// one.
func TestSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("many small clusters")
	}
	table, err := judge.Published()
	require.NoError(t, err)
	checks := Rows(7)
	for _, prefix := range []string{"sh-def", "sh-bin", "sh-mon", "sh-svm", "sh-why", "us-o", "grim-t52", "grim-t53", "grim-meth", "grim-overlap"} {
		trial, err := checks.Try(t.Context(), table, prefix, 7, nil)
		require.NoError(t, err)
		for _, r := range judge.Judge(table, prefix, []judge.Trial{trial}) {
			require.NotEqual(t, judge.Miss, r.Verdict, "%s: %s", r.Row.ID, r.Note)
		}
	}
}
