package causal

import (
	"testing"

	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace/waits"
	"github.com/stretchr/testify/require"
)

func TestParseFaster(t *testing.T) {
	for text, want := range map[string]Faster{
		"host_dma":            {waits.HostDMA, 2},
		"hdma=1.5":            {waits.HostDMA, 1.5},
		"slots=free":          {waits.Slot, noWait},
		"memory_bus=free":     {waits.MemBus, noWait},
		"send_slot=0.5":       {waits.Slot, 0.5},
		"pci=free":            {waits.IOBus, noWait},
		"interface_processor": {waits.Processor, 2},
	} {
		got, err := ParseFaster(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"disk":       "disk",
		"cpu=0":      "above 0",
		"cpu=Inf":    "above 0",
		"cpu=NaN":    "above 0",
		"cpu=":       "above 0",
		"event":      "nothing serves at event",
		"memory_bus": "memory_bus=free",
		"pci=2":      "io_bus=free",
	} {
		_, err := ParseFaster(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestFasterInALine: three packets are served for 10 by the first engine and for 4 by the
// second one, and their receiver computes for 10.
func TestFasterInALine(t *testing.T) {
	g := graph.New(resolved(t, echo(synth.Line{Gap: []int64{5, 1, 1}, First: 10, Next: 4})).Account)
	require.Equal(t, []Outcome{
		{"host_dma 2 times as fast", 49, 5 + 3*5 + 4 + 10, 0, false},
		{"cpu 2 times as fast", 49, 2 + 3*10 + 4 + 5, 0, false},
		{"all of these", 49, 2 + 3*5 + 4 + 5, 0, false},
	}, Predict(g, []Faster{{waits.HostDMA, 2}, {waits.CPU, 2}}))
	require.Empty(t, Predict(g, nil))
}
