package watch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/trace"
)

// able skips a test where nothing can be watched, and says why. It fails if the programs are at fault.
func able(t *testing.T) {
	t.Helper()
	var wrong *ebpf.VerifierError
	require.False(t, errors.As(tried(), &wrong), "%v", wrong)
	for _, n := range Check() {
		if !n.There {
			testnet.Skip(t, "nothing can be watched here without "+n.Name+": "+n.Costs)
		}
	}
}

// echo returns what it reads, at a listener that it closes when the test ends.
func echo(t *testing.T, l net.Listener) {
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				var size [4]byte
				message := make([]byte, 1<<20)
				for {
					if _, err := io.ReadFull(c, size[:]); err != nil {
						return
					}
					n := binary.BigEndian.Uint32(size[:])
					if _, err := io.ReadFull(c, message[:n]); err != nil {
						return
					}
					if _, err := c.Write(message[:n+4]); err != nil {
						return
					}
				}
			}()
		}
	}()
}

// ask sends so many messages of a size by a connection, each after the answer to the one before.
func ask(c net.Conn, messages, bytes int) error {
	message := make([]byte, 4+bytes)
	binary.BigEndian.PutUint32(message, uint32(bytes))
	for range messages {
		if _, err := c.Write(message); err != nil {
			return err
		}
		if _, err := io.ReadFull(c, message); err != nil {
			return err
		}
		binary.BigEndian.PutUint32(message, uint32(bytes))
	}
	return nil
}

// watched returns the run of what traffic does.
func watched(t *testing.T, spec Spec, traffic func() error) *trace.Run {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var failed error
	done := make(chan struct{})
	run, err := Run(ctx, spec, func(*Look) error {
		go func() {
			defer close(done)
			failed = traffic()
			cancel()
		}()
		return nil
	})
	require.NoError(t, err)
	<-done
	require.NoError(t, failed)
	return run
}

// port returns that of a listener.
func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// count returns how many messages have a stage.
func count(run *trace.Run, stage trace.Stage) (n int64) {
	for _, c := range run.Signature {
		if c.Stage == stage && c.Kind == trace.AllKinds {
			n += c.Count
		}
	}
	return n
}

// TestEveryMessageIsSeen: the messages that a client and a server count are those of the run, by IPv4, IPv6 and
// between a socket of the one and one of the other, in one packet and in several.
func TestEveryMessageIsSeen(t *testing.T) {
	everySeen(t, trace.Stream, []int{60, 5000, 200_000}, func(host string) int {
		l, err := net.Listen("tcp", host+":0")
		require.NoError(t, err)
		echo(t, l)
		return port(l)
	}, func(to string, messages int, sizes []int) error {
		client, err := net.Dial("tcp", to)
		if err != nil {
			return err
		}
		defer client.Close()
		for _, bytes := range sizes {
			if err := ask(client, messages, bytes); err != nil {
				return err
			}
		}
		return nil
	})
}

// everySeen compares the messages of a client, of these sizes, and the answers to them with what a watch has seen.
func everySeen(t *testing.T, kind trace.Kind, sizes []int, serve func(host string) (port int), client func(to string, messages int, sizes []int) error) {
	able(t)
	messages := 1000
	if testing.Short() {
		messages = 100
	}
	for _, c := range []struct{ listen, dial string }{{"127.0.0.1", "127.0.0.1"}, {"[::1]", "[::1]"}, {"", "127.0.0.1"}} {
		at := serve(c.listen)
		spec := Default()
		spec.Ports, spec.Every, spec.Budget = []int{at}, 1, 0
		run := watched(t, spec, func() error { return client(c.dial+":"+strconv.Itoa(at), messages, sizes) })
		m := run.Manifest
		t.Logf("%+v: %s; %q", c, m.Verification, m.Warnings)
		sent := int64(2 * messages * len(sizes))
		require.EqualValues(t, sent, m.Packets)
		require.LessOrEqual(t, m.Lost.NotRecorded*100, sent)
		rows := int64(0)
		for p := range run.Packets {
			require.NoError(t, trace.CheckRow(&p))
			require.IsNonDecreasing(t, []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value, p.T4Ns.Value, p.T5Ns.Value, p.T6Ns.Value})
			require.Equal(t, kind.String(), p.Kind)
			rows++
		}
		require.Equal(t, sent, rows+m.Lost.NotRecorded+m.Lost.TraceRecords)
		for _, s := range trace.RecordedStages() {
			require.Equal(t, sent-m.Lost.NotRecorded, count(run, s), "%v", s)
		}
	}
}

// TestEverySizeIsSeen: no message is lost while the kernel sees many sizes for the first time, in several watches at
// once, which ask for memory at the same time.
func TestEverySizeIsSeen(t *testing.T) {
	able(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	echo(t, l)
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{port(l)}, 1000, 0
	var others []*kernel
	for range 3 {
		k, err := load(spec)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, k.Close()) })
		require.NoError(t, k.attach())
		others = append(others, k)
	}
	run := watched(t, spec, func() error {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return err
		}
		defer c.Close()
		for bits := range 20 {
			if err := ask(c, 20, 1<<bits); err != nil {
				return err
			}
		}
		return nil
	})
	require.EqualValues(t, 2*20*20, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
	for _, k := range others {
		c, err := k.counts()
		require.NoError(t, err)
		require.Equal(t, c.of[started], c.of[attributed])
	}
}

// mediansOf returns those of the stages of messages to the server.
func mediansOf(run *trace.Run) (ns [trace.NumStages]int64) {
	var all [trace.NumStages][]int64
	for p := range run.Packets {
		if p.Sender == 0 {
			for i, v := range [...]int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value} {
				all[i] = append(all[i], v)
			}
		}
	}
	for i := range ns {
		slices.Sort(all[i])
		ns[i] = all[i][len(all[i])/2]
	}
	return ns
}

// untraced returns a function that counts packets which pass network devices in interrupts of threads of process 1. Some
// kernels of virtual machines run no BPF programs then: their tracepoints are passed, and recursion_misses stays 0.
func untraced(t *testing.T) func() (n int64) {
	dir := filepath.Join("/sys/kernel/tracing/instances", t.Name())
	if os.Mkdir(dir, 0o700) != nil {
		return func() int64 { return 0 }
	}
	t.Cleanup(func() { require.NoError(t, os.Remove(dir)) })
	for _, event := range []string{"net_dev_queue", "net_dev_start_xmit", "netif_receive_skb"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "events/net", event, "enable"), []byte("1"), 0))
	}
	return func() (n int64) {
		text, err := os.ReadFile(filepath.Join(dir, "trace"))
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			// The name of the thread, its number, and the processor.
			who, _, _ := strings.Cut(line, " [")
			thread := strings.TrimSpace(who[strings.LastIndex(who, "-")+1:])
			if _, err := os.Stat("/proc/1/task/" + thread); err == nil && thread != "" {
				n++
			}
		}
		return n
	}
}

// TestTokenBucket: a token bucket at the sender, between two namespaces, is in NI and in no other stage.
func TestTokenBucket(t *testing.T) {
	able(t)
	n := testnet.New(t)
	var l net.Listener
	n.Inside(t, 1, func() (err error) { l, err = net.Listen("tcp", "10.8.0.2:7"); return err })
	echo(t, l)
	missed := untraced(t)
	medians := func() (ns [trace.NumStages]int64) {
		spec := Default()
		spec.Ports, spec.Every, spec.Budget = []int{port(l)}, 1, 0
		run := watched(t, spec, func() error {
			var c net.Conn
			n.Inside(t, 0, func() (err error) { c, err = net.Dial("tcp", l.Addr().String()); return err })
			defer c.Close()
			return ask(c, 300, 1400)
		})
		require.EqualValues(t, 600, run.Manifest.Packets)
		known := missed()
		t.Logf("%d not recorded, %d packets in interrupts of process 1", run.Manifest.Lost.NotRecorded, known)
		require.LessOrEqual(t, run.Manifest.Lost.NotRecorded, known, run.Manifest.Warnings)
		return mediansOf(run)
	}
	bucketInNI(t, n, medians)
}

// bucketInNI puts a token bucket before what is sent from the first namespace, which has to be in NI. It takes 2.3 ms for a message of 1400 B:
// requests on a busy host are faster than that.
func bucketInNI(t *testing.T, n testnet.Namespaces, medians func() [trace.NumStages]int64) {
	t.Helper()
	free := medians()
	n.Run(t, 0, "tc qdisc add dev eth0 root tbf rate 5mbit burst 2000 limit 1000000")
	held := medians()
	t.Logf("medians in ns: %v, behind a token bucket %v", free, held)
	moved := func(s trace.Stage) int64 { return held[s] - free[s] }
	require.Greater(t, moved(trace.LANai), int64(200_000))
	for _, s := range []trace.Stage{trace.Source, trace.Net, trace.Dest} {
		require.Less(t, moved(s), moved(trace.LANai)/2, "%v", s)
	}
}

// asking starts an echo server, and returns the file of this test, which as TestChild asks it.
func asking(t *testing.T) (self string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	echo(t, l)
	t.Setenv("SIGVIEW_TEST_ASK", l.Addr().String())
	self, err = os.Executable()
	require.NoError(t, err)
	return self
}

// TestCommandIsWatched: all messages of a command's child, and the answers to them, are seen.
func TestCommandIsWatched(t *testing.T) {
	able(t)
	self := asking(t)
	spec := Default()
	// A shell between makes it the child of a child.
	spec.Command = []string{"sh", "-c", self + " -test.run TestChild; true"}
	run, err := Run(t.Context(), spec, nil)
	require.NoError(t, err)
	require.EqualValues(t, 200, run.Manifest.Packets)
	require.Equal(t, int64(200), count(run, trace.Dest))
}

// TestServerIsWatched: of a server that is asked for by its name, messages are seen from the first of each connection,
// but for the first of all; of a client all are.
func TestServerIsWatched(t *testing.T) {
	able(t)
	self := asking(t)
	client := filepath.Join(t.TempDir(), "a-client")
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(client, program, 0o755))
	name, err := os.ReadFile("/proc/self/comm")
	require.NoError(t, err)
	for asked, least := range map[string]int64{strings.TrimSpace(string(name)): 598, "a-client": 600} {
		spec := Default()
		spec.Programs, spec.Budget = []string{asked}, 0
		run := watched(t, spec, func() error {
			for range 3 {
				if err := exec.Command(client, "-test.run", "TestChild").Run(); err != nil {
					return err
				}
			}
			return nil
		})
		require.GreaterOrEqual(t, run.Manifest.Packets, least, asked)
		require.LessOrEqual(t, run.Manifest.Packets, int64(600), asked)
		require.Zero(t, run.Manifest.Lost.NotRecorded)
	}
}

// TestKilled: of a watch that is killed nothing stays in the kernel.
func TestKilled(t *testing.T) {
	able(t)
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self, "-test.run", "TestChild")
	c.Env = append(os.Environ(), "SIGVIEW_TEST_WATCH=1")
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	lines := bufio.NewScanner(out)
	var ids []ebpf.ProgramID
	for len(ids) < len(probes) && lines.Scan() {
		id, err := strconv.Atoi(lines.Text())
		require.NoError(t, err)
		ids = append(ids, ebpf.ProgramID(id))
	}
	require.Len(t, ids, len(probes))
	require.NoError(t, c.Process.Kill())
	_ = c.Wait() // it was killed
	for _, id := range ids {
		require.Eventually(t, func() bool {
			p, err := ebpf.NewProgramFromID(id)
			if err == nil {
				_ = p.Close()
			}
			return errors.Is(err, unix.ENOENT)
		}, time.Minute, 10*time.Millisecond, "program %d is still there", id)
	}
}

// TestChild is what other tests run in a process of its own.
func TestChild(t *testing.T) {
	if at := os.Getenv("SIGVIEW_TEST_ASK"); at != "" {
		c, err := net.Dial("tcp", at)
		require.NoError(t, err)
		require.NoError(t, ask(c, 100, 100))
	}
	if os.Getenv("SIGVIEW_TEST_WATCH") != "" {
		k, err := load(Default())
		require.NoError(t, err)
		require.NoError(t, k.attach())
		for _, p := range k.Programs {
			info, err := p.Info()
			require.NoError(t, err)
			id, _ := info.ID()
			_, _ = os.Stdout.WriteString(strconv.Itoa(int(id)) + "\n")
		}
		select {}
	}
}

// TestObject: the object that is committed is what the compiler makes of the source.
func TestObject(t *testing.T) {
	version, err := exec.Command("clang", "--version").Output()
	if err != nil || exec.Command("llvm-strip", "--version").Run() != nil {
		t.Skip("no clang and llvm-strip here: the object is not compiled again")
	}
	if !strings.Contains(string(version), "clang version 14.0.6") {
		t.Skipf("%s makes other objects than 14.0.6, with which the committed one is made", strings.SplitN(string(version), "\n", 2)[0])
	}
	dir := t.TempDir()
	text, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	_, recipe, found := strings.Cut(string(text), "\nbpf:\n\tcd $(BPF) && ")
	require.True(t, found)
	recipe, _, _ = strings.Cut(recipe, "\n")
	sources, err := filepath.Glob("bpf/*.[ch]")
	require.NoError(t, err)
	for _, name := range sources {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), source, 0o644))
	}
	c := exec.Command("sh", "-c", recipe)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	again, err := os.ReadFile(filepath.Join(dir, "watch.o"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(object, again), "the object is that of another source: make bpf makes it")
}

// TestSentFileIsSeen: each piece of a file that sendfile gives to a socket is a message, and all of them are seen.
func TestSentFileIsSeen(t *testing.T) {
	able(t)
	const bytes, times = 300_000, 100
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, file.Truncate(bytes))
	run := serve(t, func(c *net.TCPConn) error {
		for message := make([]byte, bytes); ; {
			if _, err := io.ReadFull(c, message); err != nil {
				return nil
			}
			if _, err := c.Write(message[:1]); err != nil {
				return err
			}
		}
	}, func(c *net.TCPConn) error {
		for range times {
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				return err
			}
			if _, err := c.ReadFrom(file); err != nil {
				return err
			}
			if _, err := c.Read(make([]byte, 1)); err != nil {
				return err
			}
		}
		return nil
	})
	t.Logf("%d messages, %q", run.Manifest.Packets, run.Manifest.Warnings)
	require.Greater(t, run.Manifest.Packets, int64(2*times))
	require.LessOrEqual(t, 100*run.Manifest.Lost.NotRecorded, run.Manifest.Packets, run.Manifest.Warnings)
	require.Equal(t, run.Manifest.Packets-run.Manifest.Lost.NotRecorded, count(run, trace.Dest))
}
