package papers

import (
	"bytes"
	"context"
	"flag"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
)

var update = flag.Bool("update", false, "rewrite docs/validation.md")

// TestValidationPageIsCurrent runs the whole validation: a figure that moves
// has to be looked at, and `make docs` writes the page anew.
func TestValidationPageIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every experiment")
	}
	const page = "../docs/validation.md"
	doc, err := Validate(context.Background(), DefaultValidate(), nil)
	require.NoError(t, err)
	require.Equal(t, 713, doc.Totals.Rows)
	require.Zero(t, doc.Totals.Miss, "a missed row needs a cure, or a known gap with its cause")
	var got bytes.Buffer
	require.NoError(t, doc.WriteMarkdown(&got))
	if *update {
		require.NoError(t, os.WriteFile(page, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String(), "run `make docs` and look at what changed")
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
	doc, err := Validate(context.Background(), ValidateSpec{Only: "sh-fw-", Seeds: Seeds{3, 2}}, func(p experiment.Progress) { stages = append(stages, p) })
	require.NoError(t, err)
	require.Equal(t, 8, doc.Totals.NotModelled)
	require.Equal(t, 1, doc.Totals.Measured(), "the variance")
	require.Len(t, stages, 2*len(doc.Rows))
	require.Equal(t, experiment.Progress{Stage: "sh-fw-stat", Done: 0, Total: 18, Unit: "rows"}, stages[0])

	_, err = Validate(context.Background(), ValidateSpec{Only: "sh-rt2-add", Seeds: Seeds{1, 1}}, nil)
	require.EqualError(t, err, `unknown row prefix "sh-rt2-add", did you mean "sh-rtt2-add"? (known: grim-, logp-, pl-, sh-, us-)`)
}

// TestSeedsSideBySide validates on one core and on several: the documents are equal.
func TestSeedsSideBySide(t *testing.T) {
	if testing.Short() {
		t.Skip("many small clusters")
	}
	for _, prefix := range []string{"logp-gam", "sh-bin", "us-t1"} {
		var first string
		for _, cores := range []int{1, 3} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			doc, err := Validate(t.Context(), ValidateSpec{Only: prefix, Seeds: Seeds{2, 2}}, nil)
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
	for _, prefix := range []string{"sh-def", "sh-bin", "sh-mon", "sh-svm", "sh-why", "us-o"} {
		trial, err := checks.Try(t.Context(), table, prefix, 7, nil)
		require.NoError(t, err)
		for _, r := range judge.Judge(table, prefix, []judge.Trial{trial}) {
			require.NotEqual(t, judge.Miss, r.Verdict, "%s: %s", r.Row.ID, r.Note)
		}
	}
}
