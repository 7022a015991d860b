package experiment

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/cluster/platform"
)

// explained runs a program and explains its time.
func explained(t *testing.T, s RunSpec) (*executed, *causal.Explanation) {
	t.Helper()
	s.Trace = TraceWaits
	r, err := execute(context.Background(), s, platform.Overlay{}, nil)
	require.NoError(t, err)
	return r, explain(t, r)
}

// explain explains the time of a run.
func explain(t *testing.T, r *executed) *causal.Explanation {
	t.Helper()
	a, err := account.Resolve(r.cluster.Waits())
	require.NoError(t, err)
	return causal.ExplainPart(graph.New(a), 0, int64(r.took()))
}
