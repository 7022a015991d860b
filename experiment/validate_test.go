package experiment

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite docs/validation.md")

// TestValidationPageIsCurrent runs the whole validation: a figure that moves
// has to be looked at, and `make docs` writes the page anew.
func TestValidationPageIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every experiment")
	}
	const page = "../docs/validation.md"
	doc, err := Validate(context.Background(), ValidateSpec{Seed: DefaultSeed}, nil)
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
	table, err := reference()
	require.NoError(t, err)
	checks := rowChecks(DefaultSeed)
	require.NoError(t, checks.Validate(table))
	require.NoError(t, checks.Complete(table))
	delete(checks, "sh-rtt2-add")
	require.ErrorContains(t, checks.Complete(table), "nothing measures row sh-rtt2-add")
}

func TestOnlyAPrefix(t *testing.T) {
	var stages []Progress
	doc, err := Validate(context.Background(), ValidateSpec{Only: "sh-fw-"}, func(p Progress) { stages = append(stages, p) })
	require.NoError(t, err)
	require.Equal(t, 8, doc.Totals.NotModelled)
	require.Equal(t, 1, doc.Totals.Pass, "the variance")
	require.Len(t, stages, len(doc.Rows))
	require.Equal(t, Progress{Stage: "sh-fw-stat", Done: 0, Total: 9, Unit: "rows"}, stages[0])

	_, err = Validate(context.Background(), ValidateSpec{Only: "sh-rt2-add"}, nil)
	require.EqualError(t, err, `unknown row prefix "sh-rt2-add", did you mean "sh-rtt2-add"? (known: grim-, logp-, pl-, sh-, us-)`)
}
