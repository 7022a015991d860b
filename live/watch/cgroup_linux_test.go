package watch

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/trace"
)

// hierarchies are directories in which control groups can be made, of both versions, by what they are of.
func hierarchies(t *testing.T) map[string]string {
	out := map[string]string{}
	for what, args := range map[string][]string{"version 1": {"cgroup", "-o", "pids"}, "version 2": {"cgroup2"}} {
		dir := t.TempDir()
		if err := exec.Command("mount", append([]string{"-t"}, append(args, "none", dir)...)...).Run(); err != nil {
			t.Logf("no control groups of %s here", what)
			continue
		}
		t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, 0)) })
		out[what] = dir
	}
	return out
}

// TestControlGroupIsWatched: all messages of a program that enters a group below one that is asked for are seen, and none
// of a program that is in no such group.
func TestControlGroupIsWatched(t *testing.T) {
	able(t)
	self := asking(t)
	for what, dir := range hierarchies(t) {
		t.Run(what, func(t *testing.T) {
			group := filepath.Join(dir, "sigview-test-"+strconv.Itoa(os.Getpid()))
			below := filepath.Join(group, "below")
			require.NoError(t, os.MkdirAll(below, 0o755))
			t.Cleanup(func() { require.NoError(t, errors.Join(os.Remove(below), os.Remove(group))) })
			spec := Default()
			spec.Cgroups, spec.Budget = []string{group}, 0
			run := watched(t, spec, func() error {
				in := exec.Command("sh", "-c", "echo $$ > "+below+"/cgroup.procs; exec "+self+" -test.run TestChild")
				return errors.Join(exec.Command(self, "-test.run", "TestChild").Run(), in.Run())
			})
			require.EqualValues(t, 200, run.Manifest.Packets)
			require.Equal(t, int64(200), count(run, trace.Dest))
		})
	}
	_, err := groupsAt([]string{t.TempDir()})
	require.ErrorContains(t, err, "is no control group")
	_, err = groupsAt([]string{"/nowhere"})
	require.ErrorContains(t, err, "/nowhere")
}
