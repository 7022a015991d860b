package sweep

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// small has runs of a few milliseconds, combinations that are skipped, and runs that fail:
// layer fm wants a network that loses nothing.
const small = `
programs = ["alltoall", "random"]
platforms = ["ppro"]
layers = ["fm", "vmmc", "bip"]
nodes = [2, 4]
message_bytes = [64]
seeds = 2
[run]
pattern.count = 5
faults.bit_error = 2e-4
`

func plan(t testing.TB, text string) *Plan {
	t.Helper()
	p, err := newPlan("small.toml", []byte(text))
	require.NoError(t, err)
	return p
}

// whole runs a sweep to its end.
func whole(t testing.TB, p *Plan, dir string) trace.SweepManifest {
	t.Helper()
	st, err := Run(t.Context(), Spec{Plan: p, Dir: dir}, nil)
	require.NoError(t, err)
	require.Zero(t, st.Missing)
	m, err := Collect(t.Context(), p, dir)
	require.NoError(t, err)
	return m
}

// digests returns the SHA-256 of each file under a directory.
func digests(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	}))
	return out
}

// TestSideBySide: files are the same on one core and on several, in parts and as a whole, and
// when they are made again.
func TestSideBySide(t *testing.T) {
	p := plan(t, small)
	first, second := t.TempDir(), t.TempDir()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	m := whole(t, p, first)
	require.EqualValues(t, 16, m.Runs)
	require.NotEmpty(t, m.Failed)
	require.Len(t, m.Skipped, 1)
	require.Contains(t, m.Skipped[0].Reason, "carries programs")
	runtime.GOMAXPROCS(1)
	for _, part := range []int{2, 0, 1} {
		_, err := Run(t.Context(), Spec{Plan: p, Dir: second, Part: Part{part, 3}}, nil)
		require.NoError(t, err)
	}
	whole(t, p, second)
	require.Equal(t, digests(t, first), digests(t, second))
	whole(t, p, second)
	require.Equal(t, digests(t, first), digests(t, second))
}

// TestRowsAreTheRuns compares the table with single runs of the same specifications.
func TestRowsAreTheRuns(t *testing.T) {
	p, dir := plan(t, small), t.TempDir()
	m := whole(t, p, dir)
	_, rows, err := rundir.ReadSweep(dir)
	require.NoError(t, err)
	require.Len(t, rows, 16)
	failed := 0
	for _, r := range rows {
		spec := experiment.DefaultRun(r.Workload)
		spec.Platform, spec.Layer, spec.Nodes, spec.Seed = r.Platform, r.Layer, int(r.Nodes), uint64(r.Seed)
		spec.Pattern.Bytes, spec.Pattern.Count, spec.Faults.ErrorPerByte = int(r.MessageBytes.Value), 5, 2e-4
		if r.State == trace.RunFailed {
			failed++
			require.Contains(t, r.Error, "lost")
			require.False(t, ends(spec), r.Error)
			require.False(t, r.RunTimeNs.OK)
			continue
		}
		run, err := experiment.Run(t.Context(), spec, nil)
		require.NoError(t, err)
		require.Equal(t, run.Manifest.EventDigest, r.EventDigest)
		require.Equal(t, run.Manifest.Tags[0].RunTimeNs, r.RunTimeNs.Value)
		require.Equal(t, run.Manifest.Packets, r.Packets.Value)
		require.Equal(t, run.Manifest.Lost.Retransmitted, r.Retransmitted.Value)
		kept, err := rundir.ReadSummary(filepath.Join(dir, runsFolder, r.Run))
		require.NoError(t, err)
		require.Equal(t, run.Signature, kept.Signature)
	}
	require.Len(t, m.Failed, failed)
}

// ends reports whether a run ends well. A program that cannot go on panics.
func ends(spec experiment.RunSpec) (well bool) {
	defer func() { _ = recover() }()
	_, err := experiment.Run(context.Background(), spec, nil)
	return err == nil
}

// TestFinishedRunsAreNotRepeated: a sweep with more seeds makes those only, and tries failed
// runs again.
func TestFinishedRunsAreNotRepeated(t *testing.T) {
	dir := t.TempDir()
	m := whole(t, plan(t, small), dir)
	more := plan(t, strings.Replace(small, "seeds = 2", "seeds = 3", 1))
	require.Equal(t, Status{Runs: 24, Failed: len(m.Failed), Missing: 8}, Look(more, dir))
	st, err := Run(t.Context(), Spec{Plan: more, Dir: dir}, nil)
	require.NoError(t, err)
	require.Equal(t, 8+len(m.Failed), st.Made)

	// A directory of something else is refused.
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "thesis.tex"), nil, 0o644))
	_, err = Run(t.Context(), Spec{Plan: more, Dir: other}, nil)
	require.ErrorContains(t, err, "thesis.tex")
}

func TestInterrupted(t *testing.T) {
	p, dir := plan(t, small), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	st, err := Run(ctx, Spec{Plan: p, Dir: dir}, func(experiment.Progress) { cancel() })
	require.True(t, errors.Is(err, context.Canceled), err)
	require.Positive(t, st.Missing)
	require.Positive(t, st.Made)
	_, err = Collect(t.Context(), p, dir)
	require.ErrorContains(t, err, "have not ended")
	_, _, err = rundir.ReadSweep(dir)
	require.ErrorContains(t, err, "have not all ended")
}

const childDir = "SIGVIEW_SWEEP_CHILD"

// TestMain lets this program be the process that is killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	ctx := context.Background()
	p, err := newPlan("small.toml", []byte(small))
	if err == nil {
		_, err = Run(ctx, Spec{Plan: p, Dir: dir}, nil)
	}
	if err == nil {
		_, err = Collect(ctx, p, dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestKilledAtAnyMoment kills sweeps at random moments, as often as wanted, and lets each end:
// its files are those of a sweep that was not stopped.
func TestKilledAtAnyMoment(t *testing.T) {
	kills := testlong.Pick(5, 100)
	program, err := os.Executable()
	require.NoError(t, err)
	// run returns whether the sweep has ended before it was killed.
	run := func(dir string, after time.Duration) bool {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), childDir+"="+dir)
		var said strings.Builder
		cmd.Stderr = &said
		require.NoError(t, cmd.Start())
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		err := cmd.Wait()
		if err != nil {
			require.Equal(t, -1, cmd.ProcessState.ExitCode(), said.String()) // by the signal
		}
		return err == nil
	}
	calm := t.TempDir()
	begun := time.Now()
	require.True(t, run(calm, time.Hour))
	took := time.Since(begun)
	want := digests(t, calm)
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	for killed, sweeps := 0, 0; killed < kills; sweeps++ {
		dir := t.TempDir()
		for killed < kills && !run(dir, time.Duration(random.Int64N(int64(took)))) {
			killed++
		}
		run(dir, time.Hour) // if it was not killed, it makes the same files again
		require.Equal(t, want, digests(t, dir))
		require.Less(t, sweeps, 100*kills, "sweeps end before they are killed")
	}
}
