package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
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

// TestALongComputationIsNotStuck: nodes wait half a minute for one that computes, while clock
// rounds go on.
func TestALongComputationIsNotStuck(t *testing.T) {
	spec := experiment.DefaultRun(experiment.GOAL)
	spec.Nodes, spec.Clock.Round = 2, 2*sim.Millisecond
	spec.Schedule.File = filepath.Join(t.TempDir(), "long.goal")
	const text = "num_ranks 2\nrank 0 {\na: calc 30000000000\nb: send 4b to 1\nb requires a\n}\nrank 1 {\nrecv 4b from 0\n}\n"
	require.NoError(t, os.WriteFile(spec.Schedule.File, []byte(text), 0o600))
	_, err := experiment.Run(context.Background(), spec, nil)
	require.NoError(t, err)
}

// TestAProgramBehindADeadLink: the interfaces of GM send a number of times, though clock
// rounds go on; then the run ends with the dead link.
func TestAProgramBehindADeadLink(t *testing.T) {
	spec := experiment.DefaultRun("alltoall")
	spec.Platform, spec.Layer, spec.Nodes, spec.Clock.Round = "gm-p3", "gm", 9, 20*sim.Millisecond
	spec.Faults.Breaks = []fabric.Break{{From: 4, To: 8, At: sim.Time(10 * sim.Microsecond)}}
	_, err := experiment.Run(context.Background(), spec, nil)
	require.ErrorContains(t, err, "stuck at 1")
	require.ErrorContains(t, err, "though layer gm has sent again 100 times until it gave up")
	require.ErrorContains(t, err, "of them at dead links (level0.switch1.up0)")
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
