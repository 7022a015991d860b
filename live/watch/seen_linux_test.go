package watch

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/trace"
)

// seenIn returns what was seen of a cause: the row, of a program and a direction, that costs the average message most.
func seenIn(run *trace.Run, what trace.Cause) (most trace.Observed) {
	for _, o := range run.Manifest.Seen {
		if o.What == what && (most.What == "" || perMessage(o) > perMessage(most)) {
			most = o
		}
	}
	return most
}

// serve lets a server answer the one client that dials it, and watches them.
func serve(t *testing.T, server, client func(*net.TCPConn) error) *trace.Run {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return serveAt(t, l, func() (net.Conn, error) { return net.Dial("tcp", l.Addr().String()) }, server, client)
}

// serveAt does so where a listener is.
func serveAt(t *testing.T, l net.Listener, dial func() (net.Conn, error), server, client func(*net.TCPConn) error) *trace.Run {
	t.Helper()
	defer l.Close()
	answered := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			err = server(c.(*net.TCPConn))
			_ = c.Close()
		}
		answered <- err
	}()
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{port(l)}, 1, 1_000_000
	return watched(t, spec, func() error {
		c, err := dial()
		if err != nil {
			return err
		}
		err = client(c.(*net.TCPConn))
		return errors.Join(err, c.Close(), <-answered)
	})
}

// TestNagleIsSeen: of two small messages before an answer the second one waits until the first is acknowledged, which the
// receiver delays.
func TestNagleIsSeen(t *testing.T) {
	able(t)
	const rounds = 40
	run := serve(t, func(c *net.TCPConn) error {
		for message := make([]byte, 20); ; {
			if _, err := io.ReadFull(c, message); err != nil {
				return nil
			}
			if _, err := c.Write(message[:1]); err != nil {
				return err
			}
		}
	}, func(c *net.TCPConn) error {
		if err := c.SetNoDelay(false); err != nil {
			return err
		}
		message := make([]byte, 10)
		for range rounds {
			for range 2 {
				if _, err := c.Write(message); err != nil {
					return err
				}
			}
			if _, err := c.Read(message); err != nil {
				return err
			}
		}
		return nil
	})
	o := seenIn(run, trace.HeldByNagle)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.GreaterOrEqual(t, o.Messages, int64(rounds/2))
	require.LessOrEqual(t, o.Messages, int64(rounds))
	require.InDelta(t, 2*rounds, o.Of, 2)
	require.Greater(t, o.MeanNs, 10*o.OthersNs)
	require.Greater(t, o.MeanNs, 5e6)
	require.Contains(t, strings.Join(analysis.Seen(run.Manifest.Seen), "\n"), "Nagle")
}

// TestStoppedReaderIsSeen: while a reader does something else messages wait in Dest, and then behind its window.
func TestStoppedReaderIsSeen(t *testing.T) {
	able(t)
	const messages, bytes = 200, 64 << 10
	run := serve(t, func(c *net.TCPConn) error {
		time.Sleep(300 * time.Millisecond)
		_, err := io.CopyN(io.Discard, struct{ io.Reader }{c}, messages*bytes)
		return err
	}, func(c *net.TCPConn) error {
		message := make([]byte, bytes)
		for range messages {
			if _, err := c.Write(message); err != nil {
				return err
			}
		}
		_, err := c.Read(message)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	})
	o := seenIn(run, trace.HeldByWindow)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.Positive(t, o.Messages)
	require.Greater(t, o.MeanNs, 2*o.OthersNs)
	longest := int64(0)
	for p := range run.Packets {
		longest = max(longest, p.DestNs.Value)
	}
	require.Greater(t, longest, int64(250e6))
}

// compute answers messages of 10 bytes after it has computed for a time, until the connection ends.
func compute(c net.Conn, takes time.Duration) {
	for message := make([]byte, 10); ; {
		if _, err := io.ReadFull(c, message); err != nil {
			return
		}
		for begun := time.Now(); time.Since(begun) < takes; {
		}
		if _, err := c.Write(message); err != nil {
			return
		}
	}
}

// TestServerTimeIsSeen: that a server computes is in no stage, but in its own time.
func TestServerTimeIsSeen(t *testing.T) {
	able(t)
	const rounds, computes = 50, 3 * time.Millisecond
	run := serve(t, func(c *net.TCPConn) error {
		compute(c, computes)
		return nil
	}, func(c *net.TCPConn) error {
		message := make([]byte, 10)
		for range rounds {
			if _, err := c.Write(message); err != nil {
				return err
			}
			if _, err := io.ReadFull(c, message); err != nil {
				return err
			}
		}
		return nil
	})
	o := seenIn(run, trace.ServerTime)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.EqualValues(t, rounds, o.Messages)
	require.GreaterOrEqual(t, o.MedianNs, computes.Nanoseconds())
}

// serving starts a server that computes, behind the begin of a command line of a shell, and returns where it is.
func serving(t *testing.T, begin string) *net.TCPAddr {
	self, err := os.Executable()
	require.NoError(t, err)
	server := exec.CommandContext(t.Context(), "sh", "-c", begin+" "+self+" -test.run TestServingChild")
	server.Env = append(os.Environ(), "SIGVIEW_TEST_SERVE=1")
	out, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() { _, _ = server.Process.Kill(), server.Wait() })
	at, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	to, err := net.ResolveTCPAddr("tcp", strings.TrimSpace(at))
	require.NoError(t, err)
	return to
}

// use asks such a server a hundred times.
func use(to *net.TCPAddr) error {
	c, err := net.DialTCP("tcp", nil, to)
	if err != nil {
		return err
	}
	defer c.Close()
	message := make([]byte, 10)
	for range 100 {
		if _, err := c.Write(message); err != nil {
			return err
		}
		if _, err := io.ReadFull(c, message); err != nil {
			return err
		}
	}
	return nil
}

// TestThrottlingIsSeen: a control group that uses up its time of processors is named with how often and how long.
func TestThrottlingIsSeen(t *testing.T) {
	able(t)
	dir := t.TempDir()
	if exec.Command("mount", "-t", "cgroup", "-o", "cpu", "none", dir).Run() != nil {
		t.Skip("no control groups of version 1 for processors here")
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, 0)) })
	group := filepath.Join(dir, "sigview-test-"+strconv.Itoa(os.Getpid()))
	require.NoError(t, os.Mkdir(group, 0o755))
	t.Cleanup(func() {
		// The kernel takes a moment to know that its last process has ended.
		require.Eventually(t, func() bool { return os.Remove(group) == nil }, time.Minute, 10*time.Millisecond)
	})
	require.NoError(t, os.WriteFile(filepath.Join(group, "cpu.cfs_quota_us"), []byte("20000"), 0o644))
	to := serving(t, "echo $$ > "+group+"/cgroup.procs; exec")
	spec := Default()
	spec.Cgroups, spec.Every, spec.Budget = []string{group}, 1, 0
	run := watched(t, spec, func() error { return use(to) })
	o := seenIn(run, trace.Throttled)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.Equal(t, group, o.Where)
	require.Positive(t, o.Messages)
	require.Greater(t, o.MeanNs, 1e6)
	require.Contains(t, strings.Join(analysis.Seen(run.Manifest.Seen), "\n"), "was throttled")
}

// TestRunQueueIsSeen: a server that shares its processor with others waits for it, which is in Dest.
func TestRunQueueIsSeen(t *testing.T) {
	able(t)
	if exec.Command("taskset", "-c", "0", "true").Run() != nil {
		t.Skip("no taskset here")
	}
	to := serving(t, "exec taskset -c 0")
	for range 3 {
		hog := exec.CommandContext(t.Context(), "taskset", "-c", "0", "sh", "-c", "while :; do :; done")
		require.NoError(t, hog.Start())
		defer func() { _, _ = hog.Process.Kill(), hog.Wait() }()
	}
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{to.Port}, 1, 0
	run := watched(t, spec, func() error { return use(to) })
	o := seenIn(run, trace.RunQueue)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.Greater(t, o.Messages, o.Of/2)
	require.Greater(t, perMessage(o), 1e5)
	require.Contains(t, strings.Join(analysis.Seen(run.Manifest.Seen), "\n"), "run queue")
}

// perMessage is what a cause costs the average message, in ns.
func perMessage(o trace.Observed) float64 {
	return o.MeanNs * float64(o.Messages) / float64(max(o.Of, 1))
}

// TestServingChild is a server in a process of its own, until the one client goes.
func TestServingChild(t *testing.T) {
	if os.Getenv("SIGVIEW_TEST_SERVE") == "" {
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, _ = os.Stdout.WriteString(l.Addr().String() + "\n")
	c, err := l.Accept()
	require.NoError(t, err)
	compute(c, 2*time.Millisecond)
}

// TestDisciplineIsSeen: packets that wait in a token bucket are told with its name.
func TestDisciplineIsSeen(t *testing.T) {
	able(t)
	n := testnet.New(t)
	var s net.PacketConn
	n.Inside(t, 1, func() (err error) { s, err = net.ListenPacket("udp", "10.8.0.2:7"); return err })
	defer s.Close()
	n.Run(t, 0, "tc qdisc add dev eth0 root tbf rate 20mbit burst 2000 limit 1000000")
	const messages = 100
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{7}, 1, 0
	run := watched(t, spec, func() error {
		var c net.Conn
		n.Inside(t, 0, func() (err error) { c, err = net.Dial("udp", "10.8.0.2:7"); return err })
		defer c.Close()
		for range messages {
			if _, err := c.Write(make([]byte, 1000)); err != nil {
				return err
			}
		}
		for range messages {
			if _, _, err := s.ReadFrom(make([]byte, 1000)); err != nil {
				return err
			}
		}
		return nil
	})
	o := seenIn(run, trace.InDiscipline)
	t.Logf("%+v %q", o, run.Manifest.Warnings)
	require.Equal(t, "tbf of eth0", o.Where)
	require.Greater(t, o.Most, int64(messages/2))
	require.Contains(t, strings.Join(analysis.Seen(run.Manifest.Seen), "\n"), "NI: the queueing discipline tbf of eth0 had up to")
	require.Greater(t, mediansOf(run)[trace.LANai], int64(5e6))
}

// TestSlowestAreRows: of messages that are hardly ever drawn, those that took long are rows, each with its own times.
func TestSlowestAreRows(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		b := make([]byte, 100)
		for i := 0; ; i++ {
			if i%1000 == 999 {
				time.Sleep(50 * time.Millisecond)
			}
			if _, err := io.ReadFull(c, b); err != nil {
				return
			}
		}
	}()
	spec := Default()
	spec.Ports, spec.Every = []int{port(l)}, 50
	run := watched(t, spec, func() error {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return err
		}
		defer c.Close()
		for range 4000 {
			if _, err := c.Write(make([]byte, 100)); err != nil {
				return err
			}
			time.Sleep(100 * time.Microsecond)
		}
		return nil
	})
	late := 0
	for p := range run.Packets {
		if p.DestNs.Value > 40e6 {
			late++
		}
	}
	// About 30 are, of which hardly one would be drawn.
	require.Greater(t, late, 3)
}

// TestFailedCommand: what was seen of a command that fails is kept, and its failure is told.
func TestFailedCommand(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	go func() {
		if c, err := l.Accept(); err == nil {
			_, _ = io.Copy(c, c)
		}
	}()
	spec := Default()
	spec.Silent = true
	spec.Command = []string{"bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + strconv.Itoa(port(l)) + "; echo asks >&3; read <&3; exit 7"}
	for _, messages := range []bool{true, false} {
		run, err := Run(t.Context(), spec, nil)
		var failed *CommandError
		require.ErrorAs(t, err, &failed)
		require.ErrorContains(t, err, "bash: exit status 7")
		require.Equal(t, messages, run != nil)
		spec.Command[2] = "exit 7"
	}
}

// TestSeenMeanwhile: who looks while a watch goes on has what samples show so far, and the run has it afterwards too.
func TestSeenMeanwhile(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	echo(t, l)
	ctx, cancel := context.WithCancel(t.Context())
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{port(l)}, 1, 0
	run, err := Run(ctx, spec, func(look *Look) error {
		go func() {
			defer cancel()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for {
				if err := ask(c, 1, 100); err != nil {
					t.Error(err)
					return
				}
				if so, err := look.Run(); err == nil && seenIn(so, trace.ServerTime).Messages > 0 {
					return
				}
			}
		}()
		return nil
	})
	require.NoError(t, err)
	require.Positive(t, seenIn(run, trace.ServerTime).Messages)
}

// TestNoSuchProcess: a number that no process has is told at once.
func TestNoSuchProcess(t *testing.T) {
	able(t)
	spec := Default()
	spec.PIDs = []int{1 << 30}
	_, err := Run(t.Context(), spec, nil)
	require.ErrorContains(t, err, "--pid is 1073741824, and no process has that number")
}

// TestServerTimeIsOfOneConnection: what is sent first on a connection answers nothing of an earlier one with the same ports.
func TestServerTimeIsOfOneConnection(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 100))
			_, _ = c.Write([]byte("a"))
			_ = c.Close() // first, so that the client's port is free again
		}
	}()
	spec := Default()
	spec.Ports, spec.Every = []int{port(l)}, 1
	var own net.Addr
	run := watched(t, spec, func() error {
		for range 50 {
			c, err := (&net.Dialer{LocalAddr: own, Control: reuse}).Dial("tcp", l.Addr().String())
			if err != nil {
				return err
			}
			own = c.LocalAddr()
			if _, err := c.Write([]byte("q")); err != nil {
				return err
			}
			if _, err := io.ReadAll(c); err != nil {
				return err
			}
			_ = c.Close()
		}
		return nil
	})
	asked := port(l) < own.(*net.TCPAddr).Port // the server is taken to have the lower port
	for _, o := range run.Manifest.Seen {
		require.False(t, o.What == trace.ServerTime && o.ToServer == asked, "%+v", o)
	}
}

// reuse lets a socket have the port of one that has ended.
func reuse(_, _ string, c syscall.RawConn) (err error) {
	return errors.Join(c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1) }), err)
}
