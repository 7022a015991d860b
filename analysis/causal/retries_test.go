package causal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestRetriesAreMeansOverNodes: of two nodes with puts one tries again twice; gets never do.
func TestRetriesAreMeansOverNodes(t *testing.T) {
	r := Retries{}
	for _, x := range []struct {
		operation, step string
		order, node, ns int64
	}{{"put", "lock", 0, 1, 5}, {"put", "retry", 1, 1, 30}, {"put", "data", 2, 1, 5}, {"put", "lock", 0, 1, 5}, {"put", "retry", 1, 1, 50},
		{"put", "lock", 0, 2, 5}, {"get", "data", 0, 2, 9}} {
		r.AddSteps([]trace.StepRow{{Operation: x.operation, Step: x.step, Order: x.order, Node: x.node, DurationNs: x.ns}})
	}
	require.Equal(t, []Retry{{Operation: "put", Mean: 40_000, Times: 2, Of: 3}}, r.List())
}
