package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/report"
)

// TestEveryFormatComesFromTheReports prints one run and one comparison with
// the real reports; what they look like is tested there.
func TestEveryFormatComesFromTheReports(t *testing.T) {
	run, err := fakeRead("before")
	require.NoError(t, err)
	slow, err := fakeRead("slow")
	require.NoError(t, err)
	c, err := analysis.Compare(analysis.Of(run), analysis.Of(slow))
	require.NoError(t, err)
	d := report.Diff{A: run.Manifest, B: slow.Manifest, Comparison: c, Verdict: analysis.Pass}

	for _, format := range (formats{}).Words().Names() {
		var one, two bytes.Buffer
		require.NoError(t, printRun(&one, &run, format, report.Style{}))
		require.NoError(t, printDiff(&two, d, format, report.Style{}))
		for _, out := range []*bytes.Buffer{&one, &two} {
			require.True(t, bytes.HasSuffix(out.Bytes(), []byte("\n")), "%s ends its last line", format)
			require.Equal(t, format == formatJSON, json.Valid(out.Bytes()), format)
			require.Equal(t, format == formatHTML, bytes.Contains(out.Bytes(), []byte("<html")), format)
		}
		require.Contains(t, one.String(), "before")
		require.Contains(t, two.String(), "slow")
	}
	require.Panics(t, func() { _ = printRun(&bytes.Buffer{}, &run, "pdf", report.Style{}) })
}
