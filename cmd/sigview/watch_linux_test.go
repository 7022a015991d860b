package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/cmd/sigview/internal/tmux"
	"github.com/sigview/sigview/live/watch"
	"github.com/sigview/sigview/trace/rundir"
)

// chatter exchanges messages over loopback until the test ends, and returns the port of the one that answers.
func chatter(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	client, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	server, err := l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _, _ = l.Close(), client.Close(), server.Close() })
	go func() { _, _ = io.Copy(server, server) }()
	go func() {
		for message := make([]byte, 100); ; {
			if _, err := client.Write(message); err != nil {
				return
			}
			if _, err := io.ReadFull(client, message); err != nil {
				return
			}
		}
	}()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// able skips a test where nothing can be watched, and says why.
func able(t *testing.T) {
	for _, n := range watch.Check() {
		if !n.There {
			testnet.Skip(t, "nothing can be watched here without "+n.Name+": "+n.Costs)
		}
	}
}

// TestWatchedRunsAreShown: what a watch leaves is read by every command that reads a run, and none of them says of it
// what is true of the model only.
func TestWatchedRunsAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	done := runner(t)
	for want, args := range map[string][]string{
		"--port is 70000, want 1 to 65535":    {"--port", "70000"},
		"--pid is 0, want a process":          {"-p", "0"},
		"--budget is -1, want messages a sec": {"--budget", "-1"},
	} {
		require.Contains(t, done(exitUsage, append([]string{"watch", "-o", "x"}, args...)...), want)
	}
	able(t)
	require.NotContains(t, done(exitPass, "watch", "--check"), "NO ")
	port := chatter(t)
	text := done(exitPass, "watch", "--port", port, "--for", "1s", "-o", "one", "--full")
	done(exitPass, "watch", "--port", port, "--for", "1s", "-o", "two")
	run, err := rundir.ReadRun("one")
	require.NoError(t, err)
	require.True(t, run.Manifest.Real())
	require.Positive(t, run.Manifest.Packets)
	text += done(exitPass, "report", "one", "--full", "--format", "html") + done(exitPass, "diff", "one", "two")
	done(exitPass, "export", "one", "--to", "csv", "-o", "csv")
	for _, view := range []string{"overview", "signature", "timeline", "matrix"} {
		done(exitPass, "view", "one", "--view", view, "--export", view+".txt", "--geometry", "100x40")
		page, err := os.ReadFile(view + ".txt")
		require.NoError(t, err)
		text += string(page)
	}
	for _, model := range []string{"simulated", "host request", "firmware", "can be waiting for", "cost of the trace", "event digest", "seed 0"} {
		require.NotContains(t, text, model)
	}
	require.Contains(t, done(exitFailure, "watch", "no-such-program", "--for", "100ms", "-o", "x"), "no message was seen in 1")
	require.NoDirExists(t, "x")
}

// statuses returns how many threads of a process have each value of a line in their status.
func statuses(t *testing.T, pid int, line string) map[string]int {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	require.NoError(t, err)
	out := map[string]int{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
			continue // the thread has ended
		}
		require.NoError(t, err)
		_, value, _ := strings.Cut(string(text), "\n"+line+":\t")
		value, _, _ = strings.Cut(value, "\n")
		out[value]++
	}
	return out
}

// watching starts a watch in a process of its own, which lasts until it is interrupted, and waits until it watches. It
// returns the process and the rest of what that says.
func watching(t *testing.T, dir string, args ...string) (*exec.Cmd, *bufio.Reader) {
	program, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(program, append([]string{"watch"}, args...)...)
	c.Dir, c.Env = dir, append(os.Environ(), asProgram+"=1")
	text, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() }) // unless it has ended
	said := bufio.NewReader(text)
	for line := ""; !strings.HasPrefix(line, "watching"); {
		line, err = said.ReadString('\n')
		require.NoError(t, err, line)
	}
	return c, said
}

// TestRightsAreGivenUp: while it watches, no thread has a capability or can gain one, also after breaks, for which
// programs are attached again.
func TestRightsAreGivenUp(t *testing.T) {
	able(t)
	c, said := watching(t, t.TempDir(), "--port", chatter(t), "--budget", "1000", "-o", "run")
	for _, set := range []string{"CapEff", "CapPrm", "CapInh", "CapAmb"} {
		require.Equal(t, []string{"0000000000000000"}, slices.Collect(maps.Keys(statuses(t, c.Process.Pid, set))), set)
	}
	require.Equal(t, []string{"1"}, slices.Collect(maps.Keys(statuses(t, c.Process.Pid, "NoNewPrivs"))))
	time.Sleep(2 * time.Second) // several breaks
	require.NoError(t, c.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(said)
	require.NoError(t, err)
	require.NoError(t, c.Wait(), string(rest))
	run, err := rundir.ReadRun(filepath.Join(c.Dir, "run"))
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(run.Manifest.Warnings), "to keep the budget of 1000 messages")
}

// TestSudo: a watch that sudo has started runs as the user who called sudo, and so does its command; the run belongs
// to that user.
func TestSudo(t *testing.T) {
	able(t)
	user, err := user.Lookup("nobody")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("not root, or nobody is not there")
	}
	uid, err := strconv.Atoi(user.Uid)
	require.NoError(t, err)
	dir, err := os.MkdirTemp("", "sudo") // TempDir is in a folder of this user's own
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chown(dir, uid, -1))
	t.Setenv("SUDO_UID", user.Uid)
	program, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(program, "watch", "--port", chatter(t), "-p", strconv.Itoa(os.Getpid()), "--", "sh", "-c",
		"sleep 1; id -u; id -G; echo $HOME; grep -h -e ^Cap[^B] -e ^Uid -e ^Groups /proc/$PPID/task/*/status /proc/self/status")
	c.Dir, c.Env = dir, append(os.Environ(), asProgram+"=1")
	said := new(strings.Builder)
	c.Stderr = said
	require.NoError(t, c.Run(), said)
	groups, err := user.GroupIds()
	require.NoError(t, err)
	require.Equal(t, []string{user.Uid, strings.Join(groups, " "), user.HomeDir}, strings.SplitN(said.String(), "\n", 4)[:3])
	require.NotRegexp(t, `Cap\w+:\t0*[1-9a-f]`, said.String())
	require.NotRegexp(t, `Uid:\t0`, said.String())
	require.Regexp(t, `CapEff:\t0`, said.String())
	for _, name := range []string{"sigview-runs", "sigview-runs/watch-001", "sigview-runs/watch-001/run.json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.EqualValues(t, uid, info.Sys().(*syscall.Stat_t).Uid, name)
	}
}

// TestViewWhileItWatches: views in a terminal of 80 by 24 show the stages of a watch that goes on, and then its directory. A view that pauses
// does not hold the watch up.
func TestViewWhileItWatches(t *testing.T) {
	able(t)
	program, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	tm := tmux.Start(t, fmt.Sprintf("cd %q && %s=1 %q watch --view --budget 0 --port %s -p %d -- sleep 1h", dir, asProgram, program, chatter(t), os.Getpid()))
	require.Contains(t, tm.Wait("watching:"), "messages")
	for view, shows := range map[string]string{"1": "by size, B", "3": "rows send, columns receive", "4": "p50", "0": "NI "} {
		tm.Keys(view)
		require.Contains(t, tm.Wait(shows), "in progress")
	}
	tm.Keys("p")
	tm.Wait("PAUSED")
	tm.Keys("x")                                                                      // a watch that is stopped is kept
	require.Contains(t, tm.Wait("verified"), "It is kept in sigview-runs/watch-001.") // until it is read its last tables are shown
	run, err := rundir.ReadRun(filepath.Join(dir, "sigview-runs", "watch-001"))
	require.NoError(t, err)
	require.Positive(t, run.Manifest.Packets)
}

// TestGatesOfWatches: several runs of one watch are a side of a comparison. A delay that is put into a program is found
// with the exit codes of gates, also against a reference.
func TestGatesOfWatches(t *testing.T) {
	able(t)
	t.Chdir(t.TempDir())
	done := runner(t)
	require.Contains(t, done(exitUsage, "watch", "--runs", "3", "-o", "x"), "want it with --for or COMMAND")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	// A reader that is late lets its messages wait in Dest.
	side := func(dir string, late time.Duration) {
		stop := make(chan struct{})
		ended := make(chan error, 1)
		go func() { ended <- testnet.Exchange(l, math.MaxInt/2, 100, late, stop) }()
		done(exitPass, "watch", "--port", port, "--for", "1500ms", "--runs", "5", "--budget", "0", "-o", dir)
		close(stop)
		require.NoError(t, <-ended)
		runs, err := rundir.Members(dir)
		require.NoError(t, err)
		require.Len(t, runs, 5)
		total := int64(0)
		for _, r := range runs {
			run, err := rundir.ReadRun(r)
			require.NoError(t, err)
			require.GreaterOrEqual(t, run.Manifest.SimulatedNs, int64(6e8))
			total += run.Manifest.Packets
			for _, c := range run.Signature {
				require.LessOrEqual(t, c.Count, run.Manifest.Packets+1)
			}
		}
		require.Positive(t, total)
	}
	// A machine under load adds milliseconds, and each run has to have the 30 messages without which nothing is told.
	side("before", time.Millisecond)
	side("after", 10*time.Millisecond)
	done(exitOutOfBounds, "diff", "before", "after", "--fail-on", "dest>50%")
	done(exitPass, "diff", "after", "before", "--fail-on", "dest>50%")
	done(exitPass, "reference", "accept", "before", "good", "--references", "kept")
	done(exitOutOfBounds, "diff", "@good", "after", "--fail-on", "dest>50%", "--references", "kept")
	require.Contains(t, done(exitInconclusive, "diff", "before/seed-0001", "after/seed-0001", "--fail-on", "dest>50%"), "sigview watch … --runs 5")
}
