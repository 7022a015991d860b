package history_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/history"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/cluster/platform"
)

// places are the places of all layers.
func places(t *testing.T) []platform.Place {
	t.Helper()
	all, err := platform.Places()
	require.NoError(t, err)
	return all
}

func place(t *testing.T, layer, on string) platform.Place {
	t.Helper()
	p, err := platform.Load(on)
	require.NoError(t, err)
	at, err := p.At(layer)
	require.NoError(t, err)
	return at
}

// TestEveryLayerTakesPart: a layer without a place has no history, and none whose
// messages come in no order can be judged.
func TestEveryLayerTakesPart(t *testing.T) {
	all := places(t)
	for _, layer := range platform.AllLayers() {
		i := slices.IndexFunc(all, func(p platform.Place) bool { return p.Layer == layer })
		require.GreaterOrEqual(t, i, 0, "%s is on no platform", layer)
		require.True(t, all[i].Traits.Promises.Ordered, layer)
	}
}

// TestWithoutFaults: everything arrives once, in order and as it was sent.
func TestWithoutFaults(t *testing.T) {
	for _, at := range places(t) {
		t.Run(at.Layer+" on "+at.Name, func(t *testing.T) {
			sent := 0
			for seed := range uint64(testlong.Pick(4, 1000)) {
				out := history.Run(at, seed, history.Healthy)
				require.Empty(t, out.Findings, "seed %d", seed)
				sent += out.Sent
			}
			require.Positive(t, sent)
		})
	}
}

// TestJudge: each defect is seen in what was received.
func TestJudge(t *testing.T) {
	s := history.Stream{Sort: history.Messages, From: 0, To: 1}
	const one, two, three, other = "one", "two", "three", "other"
	for _, c := range []struct {
		got            []string
		wrong, missing string
	}{
		{[]string{one, two, three}, "[]", "[]"},
		{[]string{one, three}, "[]", "[messages from node 0 to node 1: 1 of 3 are missing]"},
		{nil, "[]", "[messages from node 0 to node 1: 3 of 3 are missing]"},
		{[]string{one, one, two, three}, "[messages from node 0 to node 1: number 1 of those received, of 3 B, is number 0 of those sent, again or too late]", "[]"},
		{[]string{two, one, three}, "[messages from node 0 to node 1: number 1 of those received, of 3 B, is number 0 of those sent, again or too late]", "[messages from node 0 to node 1: 1 of 3 are missing]"},
		{[]string{one, other, two, three}, "[messages from node 0 to node 1: number 1 of those received, of 5 B, was never sent]", "[]"},
	} {
		log := history.NewLog()
		for _, x := range []string{one, two, three} {
			log.Sent(s, history.Of([]byte(x)))
		}
		for _, x := range c.got {
			log.Got(s, history.Of([]byte(x)))
		}
		v := log.Judge()
		require.Equal(t, c.wrong, fmt.Sprint(v.Wrong))
		require.Equal(t, c.missing, fmt.Sprint(v.Missing))
	}
}
