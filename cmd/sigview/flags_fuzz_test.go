package main

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/sim"
)

// FuzzFlags: what flags with a form of their own accept is within their limits, and is read
// again as it is shown.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{"250us", "1ns", "2562047h", "0", "0,4K,1M", "3:10ms:60ms", "3:10ms:60ms,4:0s:1ns", "0,15", "1,1", "64", "1..3", "9223372036854775807ns"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, flag := range ownFlags() {
			v := flag()
			if v.Set(text) == nil {
				again := flag()
				require.NoError(t, again.Set(v.String()), "%q is shown as %q", text, v.String())
				require.Equal(t, v.String(), again.String())
			}
		}
	})
}

// ownFlags returns makers of the flags, each with a value of its own.
func ownFlags() []func() pflag.Value {
	return []func() pflag.Value{
		func() pflag.Value { return flags.Span(new(sim.Duration)) },
		func() pflag.Value { return flags.Microseconds(new(float64)) },
		func() pflag.Value { return flags.Stalls(new([]experiment.Stall)) },
		func() pflag.Value { return flags.Pair(new(experiment.Pair)) },
		func() pflag.Value { return flags.Nodes(new(int)) },
		func() pflag.Value { return flags.Seeds(new(experiment.Seeds)) },
		func() pflag.Value { return flags.ByteSizes(new([]int64)) },
		func() pflag.Value { return flags.Counts(new([]int64)) },
	}
}

// TestSettingsTakeValues: null leaves a field as it was, and is none.
func TestSettingsTakeValues(t *testing.T) {
	var p experiment.PLogPSpec
	require.NoError(t, flags.Settings[experiment.PLogPSpec]{To: &p}.Set("epsilon=0.1,saturate=true"))
	require.True(t, p.Epsilon == 0.1 && p.Saturate)
	for _, text := range []string{"epsilon=null", "epsilon= null", "epsilon=", "epsilon=x", "epsilon=1}", "saturate=1"} {
		require.ErrorContains(t, flags.Settings[experiment.PLogPSpec]{To: &p}.Set(text), "FIELD=VALUE", text)
	}
	require.ErrorContains(t, flags.Settings[experiment.PLogPSpec]{To: &p}.Set("epsilom=1"), "epsilon")
}
