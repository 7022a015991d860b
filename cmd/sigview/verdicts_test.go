package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment/selftest"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/trace"
)

// TestVerdictsOnRows: rows that are missed, and rows of which none is measured, are no pass.
func TestVerdictsOnRows(t *testing.T) {
	for v, want := range map[judge.Verdict]struct {
		code int
		says string
	}{judge.Predicted: {exitPass, ""}, judge.Miss: {exitOutOfBounds, "1 of 1 rows missed"}, judge.NotModelled: {exitInconclusive, "nothing measures these 1 rows"}} {
		doc := judge.NewDocument(judge.Stamp{ToolVersion: "test", Seed: 1, Platform: "shrimp"}, 5, []judge.Result{{Row: judge.Row{ID: "a", Paper: "p", Unit: "us"}, Verdict: v}})
		for _, json := range []bool{false, true} {
			var out bytes.Buffer
			err := newApp(&out, &out).printRows(&doc, json, "")
			require.Contains(t, out.String(), string(v))
			if want.says == "" {
				require.NoError(t, err)
				continue
			}
			require.EqualError(t, err, want.says)
			require.Equal(t, want.code, exitCode(err))
		}
	}
}

// TestVerdictOfSelftest: a gate that misses delays is out of bounds.
func TestVerdictOfSelftest(t *testing.T) {
	made := func(found int) *selftest.Result {
		rate := selftest.Rate{Program: "fft", Plant: selftest.Plant{Name: "Net +10%", Quantity: "net"}, Size: "3.00 µs", Effect: 0.1, Pairs: 50, Alarms: 50, Found: found}
		return &selftest.Result{Spec: selftest.Default(), Rates: []selftest.Rate{{Program: "fft", Plant: selftest.Plant{Name: "nothing"}, Pairs: 50}, rate},
			Coverage: []selftest.Coverage{{Program: "fft", Class: trace.ClassUnder128, Stage: trace.Net, Intervals: 40, Contain: 38}}}
	}
	for _, json := range []bool{false, true} {
		var out bytes.Buffer
		require.NoError(t, newApp(&out, &out).printSelftest(made(50), json))
		require.Contains(t, out.String(), "Net +10%")
		out.Reset()
		err := newApp(&out, &out).printSelftest(made(1), json)
		require.Equal(t, exitOutOfBounds, exitCode(err))
		require.True(t, strings.Contains(err.Error(), "Net +10%"), err)
	}
}
