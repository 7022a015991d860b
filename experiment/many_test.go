package experiment

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestManySideBySide: each job ends by itself, also one that cannot begin and one whose program
// cannot go on. An error of the receiver stops all.
func TestManySideBySide(t *testing.T) {
	good := DefaultRun("random")
	good.Nodes, good.Pattern.Count = 2, 5
	bad := good
	bad.Nodes = 1
	stuck := good // layer fm wants a network that loses nothing
	stuck.Platform, stuck.Layer, stuck.Faults.ErrorPerByte, stuck.Pattern.Count = "ppro", "fm", 1e-3, 20
	jobs := []Job{{Spec: good, Label: "good"}, {Spec: bad, Label: "bad"}, {Spec: stuck, Label: "stuck"}, {Spec: good, Label: "again"}}
	var lock sync.Mutex
	errs, digests := make([]error, len(jobs)), make([]string, len(jobs))
	last := Progress{}
	watch := func(p Progress) { last = p }
	require.NoError(t, RunMany(t.Context(), jobs, watch, func(i int, run *trace.Run, err error) error {
		lock.Lock()
		defer lock.Unlock()
		if errs[i] = err; err == nil {
			digests[i] = run.Manifest.EventDigest
		}
		return nil
	}))
	require.NoError(t, errs[0])
	require.ErrorContains(t, errs[1], "nodes is 1")
	require.ErrorContains(t, errs[2], "lost")
	require.Equal(t, digests[0], digests[3])
	require.EqualValues(t, 4, last.Done)

	full := errors.New("the disk is full")
	err := RunMany(t.Context(), jobs, nil, func(i int, _ *trace.Run, _ error) error { return full })
	require.ErrorIs(t, err, full)
	require.EqualError(t, err, "good: the disk is full")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, RunMany(ctx, jobs, nil, func(int, *trace.Run, error) error { return nil }), context.Canceled)
}
