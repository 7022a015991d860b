package dfs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/workloads/dfs"
)

func TestNodes(t *testing.T) {
	for _, n := range []int{2, 8, 16, 64} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			w, err := run(t, dfs.Spec{Nodes: n, Ops: 500, Seed: 1}, fabric.Faults{}, nil)
			require.NoError(t, err)
			w.report(t)
		})
	}
}
