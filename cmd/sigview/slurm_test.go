package main

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
)

// TestSweepOnSlurm runs a sweep as a job array on a Slurm of one node, which it starts and
// stops. Most tasks are cancelled first. The results are those of a sweep without Slurm.
func TestSweepOnSlurm(t *testing.T) {
	testlong.Only(t, "a sweep on a real Slurm")
	s := startSlurm(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "sigview")
	s.run(t, dir, "go", "build", "-C", here(t), "-o", program, ".")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "it's small.toml"), []byte(`
programs = ["alltoall", "random"]
platforms = ["ppro"]
layers = ["fm", "vmmc", "bip"]
nodes = [2, 4]
message_bytes = [64]
seeds = 4
[run]
pattern.count = 5
faults.bit_error = 2e-4
`), 0o644))
	sweep := func(args ...string) string {
		// Some runs fail, so that the exit code is not 0.
		out, _ := s.command(dir, program, append([]string{"sweep", "it's small.toml"}, args...)...).CombinedOutput()
		return string(out)
	}
	require.Contains(t, sweep("-o", "by slurm", "--slurm"), "32 runs are missing")
	submitted := s.run(t, dir, "sh", "by slurm/slurm.sh", "--hold")
	array, tables := jobs(t, submitted)
	s.run(t, dir, "scancel", array+"_[3-31]")
	s.run(t, dir, "scontrol", "release", array)
	s.run(t, dir, "scontrol", "release", tables)
	s.idle(t)
	require.Contains(t, read(t, dir, "by slurm/logs/tables.log"), "29 of 32 runs have not ended")

	require.Contains(t, sweep("-o", "by slurm", "--slurm"), "29 runs are missing: sh by slurm/slurm.sh submits them as 29 tasks")
	require.Contains(t, read(t, dir, "by slurm/slurm.sh"), "--array=3-31 ")
	s.run(t, dir, "sh", "by slurm/slurm.sh", "--cpus-per-task=1")
	s.idle(t)
	require.Contains(t, read(t, dir, "by slurm/logs/tables.log"), "32 runs")

	require.Contains(t, sweep("-o", "here"), "failed")
	want, got := contents(t, filepath.Join(dir, "here")), contents(t, filepath.Join(dir, "by slurm"))
	require.NotEmpty(t, want["sweep.json"])
	for name := range got {
		if name == "slurm.sh" || strings.HasPrefix(name, "logs") {
			delete(got, name)
		}
	}
	require.Equal(t, want, got)
}

// jobs returns the numbers of the two jobs that the script has submitted.
func jobs(t *testing.T, said string) (array, tables string) {
	t.Helper()
	_, err := fmt.Sscanf(strings.ReplaceAll(said, ",", " "), "array job %s then job %s makes", &array, &tables)
	require.NoError(t, err, said)
	return array, tables
}

func here(t *testing.T) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	return dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// contents returns all files under a directory.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[name] = read(t, dir, name)
		return err
	}))
	return out
}

// slurm is a Slurm of one node.
type slurm struct{ dir string }

// startSlurm starts Slurm's daemons, and stops them at the end of the test. It skips the test
// where they are not installed.
func startSlurm(t *testing.T) slurm {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here: Debian's packages slurmctld, slurmd, slurm-client and munge are not installed", program)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("Slurm's daemons have to be started by root here")
	}
	// The path of a socket is at most a hundred bytes long.
	dir, err := os.MkdirTemp("/tmp", "slurm")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	key := make([]byte, 128)
	_, _ = rand.Read(key)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "key"), key, 0o600))
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	config := fmt.Sprintf(`ClusterName=sigview
SlurmctldHost=%[1]s
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=%[1]s CPUs=2 State=UNKNOWN
PartitionName=main Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`, host, dir, freePort(t), freePort(t))
	file := filepath.Join(dir, "slurm.conf")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o644))
	t.Setenv("SLURM_CONF", file)
	s := slurm{dir}
	s.daemon(t, "munged", "--foreground", "--socket", dir+"/munge", "--key-file", dir+"/key", "--pid-file", dir+"/munge.pid", "--log-file", dir+"/munge.log", "--seed-file", dir+"/seed")
	const patience = 5 * time.Minute // a daemon that cannot start never answers
	require.Eventually(t, func() bool {
		c, err := net.Dial("unix", dir+"/munge")
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, patience, 100*time.Millisecond, "munged answers")
	s.daemon(t, "slurmctld", "-D", "-f", file)
	s.daemon(t, "slurmd", "-D", "-f", file)
	require.Eventually(t, func() bool {
		out, err := s.command(dir, "sinfo", "-h", "-o", "%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	}, patience, 300*time.Millisecond, "the node is idle")
	return s
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", ":0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon starts a daemon. If it ends before the test, its output is in the test's log.
func (s slurm) daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	var said strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); t.Failed() {
			t.Logf("%s: %v\n%s", name, err, said.String())
		}
	})
}

func (s slurm) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	return cmd
}

// run runs a command that must not fail, and returns what it prints.
func (s slurm) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := s.command(dir, name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
	return string(out)
}

// idle waits until no job is left.
func (s slurm) idle(t *testing.T) {
	t.Helper()
	for s.run(t, s.dir, "squeue", "-h") != "" {
		time.Sleep(500 * time.Millisecond)
	}
}
