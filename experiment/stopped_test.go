package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
)

// TestAProgramThatCannotGoOn: FM loses packets on a network with errors and says so.
func TestAProgramThatCannotGoOn(t *testing.T) {
	spec := experiment.DefaultRun("alltoall")
	spec.Platform, spec.Layer, spec.Nodes = "ppro", "fm", 4
	spec.Faults.ErrorPerByte = 1e-3
	_, err := experiment.Run(context.Background(), spec, nil)
	require.ErrorContains(t, err, "the run stopped: layer fm has lost packets, which it does not repair (damaged: ")
	require.ErrorContains(t, err, "): patterns: node")
	require.ErrorContains(t, err, "want a network that loses none")
	require.NotContains(t, err.Error(), "goroutine", "the model is at fault")
}

// TestAProgramThatGetsNoAnswer: TCP gives up at one node, and the error says at which.
func TestAProgramThatGetsNoAnswer(t *testing.T) {
	spec := experiment.DefaultRun("dfs")
	spec.Platform, spec.Layer, spec.Nodes, spec.Build = "das-wan", "mpi", 4, experiment.BuildOff
	spec.Faults.ErrorPerByte = 0.02
	_, err := experiment.Run(context.Background(), spec, nil)
	require.ErrorContains(t, err, "the run stopped: node 0 has had no answer from node 1, though layer mpi has sent again 15 times until it gave up; ")
	require.ErrorContains(t, err, "tcp: node 1: the connection to node 2 has failed: 1 segments had no answer after 15 tries")
}
