package agent

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/live/watch"
	"github.com/sigview/sigview/trace"
)

// watchable skips a test where nothing can be watched, or there is one network namespace only.
func watchable(t *testing.T) {
	t.Helper()
	for _, n := range watch.Check() {
		if !n.There {
			t.Skipf("nothing can be watched here without %s: %s", n.Name, n.Costs)
		}
	}
	if os.Getenv(roleOf) != roleInside {
		t.Skip("no namespaces of the network here")
	}
}

// server starts a server on a host, behind the begin of a command line. It returns its process and its address.
func (h *host) server(takes time.Duration, begin ...string) (*os.Process, string) {
	h.t.Helper()
	return h.serverOf("tcp", takes, begin...)
}

// serverOf starts one over a protocol.
func (h *host) serverOf(protocol string, takes time.Duration, begin ...string) (*os.Process, string) {
	h.t.Helper()
	self, err := os.Executable()
	require.NoError(h.t, err)
	args := append([]string{"nsenter", "-t", strconv.Itoa(h.cmd.Process.Pid), "-n"}, begin...)
	h.servers++
	// The port of a server is the lower one. Other tests on this host have others.
	args = append(args, self, fmt.Sprintf("%s:%d", h.v4, 20_000+10*(os.Getpid()%1000)+h.servers), takes.String(), protocol)
	c := exec.CommandContext(h.t.Context(), args[0], args[1:]...)
	c.Env = append(os.Environ(), roleOf+"="+roleServer)
	out, err := c.StdoutPipe()
	require.NoError(h.t, err)
	require.NoError(h.t, c.Start())
	h.t.Cleanup(func() { _, _ = c.Process.Kill(), c.Wait() })
	at, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(h.t, err)
	return c.Process, strings.TrimSpace(at)
}

// use asks a server so many times, with an act before each question and one after it.
func use(to string, rounds int, first, then func()) error {
	return useOf("tcp", to, rounds, question, first, then)
}

// useOf asks a server over a protocol with messages of a size, which are answered by a response.
func useOf(protocol, to string, rounds, size int, first, then func()) error {
	c, err := net.Dial(protocol, to)
	if err != nil {
		return err
	}
	defer c.Close()
	for message := make([]byte, size); rounds > 0; rounds-- {
		first()
		if _, err := c.Write(message); err != nil {
			return err
		}
		then()
		if _, err := io.ReadFull(c, message[:response]); err != nil {
			return err
		}
	}
	return nil
}

func nothing() {}

// beside says what watches beside a watch with an agent: one that sees both ends with one clock.
type beside int

const (
	nobody beside = iota
	before
	after
)

// watched watches one port while traffic lasts.
func watched(t *testing.T, key *Key, h *host, to string, alone beside, change func(*watch.Spec), traffic func() error) (joined, one *trace.Run) {
	t.Helper()
	_, text, err := net.SplitHostPort(to)
	require.NoError(t, err)
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	spec := watch.Default()
	spec.Ports, spec.Every = []int{port}, 1
	change(&spec)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var both sync.WaitGroup
	run := func(s watch.Spec, into **trace.Run) {
		ready := make(chan struct{})
		both.Go(func() {
			var err error
			*into, err = watch.Run(ctx, s, func(*watch.Look) error { close(ready); return nil })
			if err != nil {
				t.Error(err)
			}
		})
		<-ready
	}
	with := spec
	with.Other, err = Watch(ctx, key, h.at4(), spec)
	require.NoError(t, err, h.said())
	if alone == before {
		run(spec, &one)
	}
	run(with, &joined)
	if alone == after {
		run(spec, &one)
	}
	failed := traffic()
	cancel()
	both.Wait()
	require.NoError(t, failed)
	require.NotNil(t, joined)
	return joined, one
}

// medians are those of the stages of the messages of one node, and of their bound, in ns.
func medians(run *trace.Run, sender int64) (ns [trace.NumStages]int64, bound int64, messages int) {
	var all [trace.NumStages][]int64
	var bounds []int64
	for p := range run.Packets {
		if p.Sender == sender {
			for i, v := range [...]int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value} {
				all[i] = append(all[i], v)
			}
			bounds = append(bounds, p.BoundNs.Value)
		}
	}
	for i := range all {
		slices.Sort(all[i])
		ns[i] = all[i][len(all[i])/2]
	}
	slices.Sort(bounds)
	return ns, bounds[len(bounds)/2], len(bounds)
}

// TestJoined: what two hosts see of the messages between them agrees with what one watch sees of both ends by one clock, in both directions.
func TestJoined(t *testing.T) {
	watchable(t)
	for _, protocol := range []string{"tcp", "udp"} {
		t.Run(protocol, func(t *testing.T) { joinedOver(t, protocol) })
	}
}

// unjoined returns how many messages may not be joined. Of the identifications of datagrams, which follow each other, one is 0, which is no
// number; and the first datagrams are not followed, which warnings count, when a watch has seen none for a while, as under load.
func unjoined(t *testing.T, protocol string, m trace.Manifest) (n int) {
	t.Helper()
	if protocol == "udp" {
		n = 1
	}
	for _, found := range firstOnes.FindAllStringSubmatch(strings.Join(m.Warnings, "\n"), -1) {
		first, _ := strconv.Atoi(found[1])
		n += first
	}
	require.LessOrEqual(t, n, 100)
	return n
}

var firstOnes = regexp.MustCompile(`(\d+) datagrams? (?:were|was) not followed: (?:they were|it was) the first`)

// stands says of how many messages, to the other host and from there, Net and Dest stand on how many.
type stands struct{ to, allTo, from, allFrom int }

var standOn = regexp.MustCompile(`stand on (\d+) of (\d+) messages .* and (\d+) of (\d+) messages`)

func standsOf(t *testing.T, m trace.Manifest) (s stands) {
	t.Helper()
	found := standOn.FindStringSubmatch(m.Verification)
	require.NotNil(t, found, m.Verification)
	for i, into := range []*int{&s.to, &s.allTo, &s.from, &s.allFrom} {
		*into, _ = strconv.Atoi(found[i+1])
	}
	return s
}

func joinedOver(t *testing.T, protocol string) {
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	_, to := h.serverOf(protocol, 0)
	const rounds = 1000
	// What runs first at a tracepoint delays what the other one sees: each is first once.
	var difference [2][trace.NumStages]int64
	var unsure [2]int64
	for alone, budget := range map[beside]int{before: 0, after: 1_000_000} {
		joined, one := watched(t, key, h, to, alone, func(s *watch.Spec) { s.Budget = budget }, func() error {
			return useOf(protocol, to, rounds, question, func() { time.Sleep(100 * time.Microsecond) }, nothing)
		})
		m := joined.Manifest
		t.Log(m.Verification, m.Warnings)
		on := standsOf(t, m)
		require.Equal(t, stands{on.to, on.to, on.from, on.from}, on)
		most := unjoined(t, protocol, m)
		require.LessOrEqual(t, 2*rounds-on.to-on.from, most)
		require.InDelta(t, 2*rounds, m.Packets, float64(most))
		require.LessOrEqual(t, m.Lost.NotRecorded, int64(most))
		require.NotEmpty(t, joined.Clock)
		for sender := range int64(2) {
			got, bound, n := medians(joined, sender)
			want, _, all := medians(one, sender)
			t.Logf("node %d: joined %v within %d ns, one watch %v", sender, got, bound, want)
			require.InDelta(t, rounds, all, float64(unjoined(t, protocol, one.Manifest)))
			require.InDelta(t, rounds, n, float64(most))
			unsure[sender] += bound
			for i := range got {
				difference[sender][i] += got[i] - want[i]
			}
		}
	}
	for sender, all := range difference {
		for i, sum := range all {
			require.InDelta(t, 0, float64(sum)/2, float64(1000+unsure[sender]/2), "node %d, %v", sender, trace.Stage(i))
		}
	}
}

// TestDatagramsAreDropped: of datagrams that the other host's full receive buffer drops none is joined, and each is counted; the others are.
func TestDatagramsAreDropped(t *testing.T) {
	watchable(t)
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	process, to := h.serverOf("udp", 0)
	const messages = 500
	read := 0
	joined, _ := watched(t, key, h, to, nobody, func(s *watch.Spec) { s.Budget = 0 }, func() error {
		c, err := net.Dial("udp", to)
		if err != nil {
			return err
		}
		defer c.Close()
		freeze(t, process)
		message := make([]byte, question)
		for range messages {
			if _, err := c.Write(message); err != nil {
				return err
			}
		}
		require.NoError(t, process.Signal(syscall.SIGCONT))
		for {
			_ = c.SetReadDeadline(time.Now().Add(time.Second))
			if _, err := c.Read(message); err != nil {
				return nil
			}
			read++
		}
	})
	name, err := os.Hostname()
	require.NoError(t, err)
	m := joined.Manifest
	t.Log(read, m.Verification, m.Warnings)
	require.Less(t, read, messages)
	on, most := standsOf(t, m), float64(unjoined(t, "udp", m))
	require.Equal(t, on.allFrom, on.from)
	require.InDelta(t, read, on.to, most)
	require.InDelta(t, read, on.from, most)
	require.InDelta(t, messages, on.allTo, most)
	require.InDelta(t, messages+read, m.Packets, most)
	dropped := 0
	for _, w := range m.Warnings {
		if strings.HasSuffix(w, fmt.Sprintf("dropped by the kernel of %s: SOCKET_RCVBUFF", name)) {
			_, err := fmt.Sscan(w, &dropped)
			require.NoError(t, err)
		}
	}
	require.InDelta(t, messages-read, dropped, most)
	require.LessOrEqual(t, float64(m.Lost.NotRecorded), most)
}

// TestRunsAreJoined: several runs of two hosts, one after the other, have all messages once, and what is known of clocks in each.
func TestRunsAreJoined(t *testing.T) {
	watchable(t)
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	_, to := h.server(0)
	_, text, err := net.SplitHostPort(to)
	require.NoError(t, err)
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	spec := watch.Default()
	spec.Ports, spec.Every, spec.Budget, spec.For = []int{port}, 4, 0, 1500*time.Millisecond
	spec.Other, err = Watch(t.Context(), key, h.at4(), spec)
	require.NoError(t, err, h.said())
	var using sync.WaitGroup
	rounds, counts, tags := 0, map[trace.Stage]int64{}, map[string]int{}
	require.NoError(t, watch.Runs(t.Context(), spec, 3, func(*watch.Look) error {
		using.Go(func() {
			for begun := time.Now(); time.Since(begun) < 4*time.Second; rounds += 100 {
				if err := use(to, 100, nothing, nothing); err != nil {
					t.Error(err)
					return
				}
			}
		})
		return nil
	}, func(r *trace.Run) error {
		m := r.Manifest
		t.Log(m.Packets, m.Verification, m.Warnings)
		require.NotEmpty(t, r.Clock)
		require.NotContains(t, m.Verification, "no message")
		for _, c := range r.Signature {
			if c.Kind == trace.AllKinds {
				counts[c.Stage] += c.Count
			}
		}
		for i, p := range m.Tags {
			if old, met := tags[p.Name]; met {
				require.Equal(t, old, i, p.Name)
			}
			tags[p.Name] = i
		}
		return nil
	}))
	using.Wait()
	require.EqualValues(t, 2*rounds, counts[trace.Source])
	require.EqualValues(t, 2*rounds, counts[trace.LANai])
	require.Equal(t, counts[trace.Net], counts[trace.Dest])
	require.InDelta(t, 2*rounds/4, counts[trace.Net], float64(rounds)/4)
}

// TestSamplesAreJoined: without a budget one block of a flow in so many is joined, and Source and NI are of all messages.
func TestSamplesAreJoined(t *testing.T) {
	watchable(t)
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	_, to := h.server(0)
	const rounds = 3000
	joined, _ := watched(t, key, h, to, nobody, func(s *watch.Spec) { s.Budget, s.Every = 0, 4 }, func() error { return use(to, rounds, nothing, nothing) })
	m := joined.Manifest
	t.Log(m.Verification, m.Warnings)
	require.EqualValues(t, 2*rounds, m.Packets)
	require.NotContains(t, strings.Join(m.Warnings, "\n"), "other half")
	counts := map[trace.Stage]int64{}
	for _, c := range joined.Signature {
		if c.Kind == trace.AllKinds {
			counts[c.Stage] += c.Count
		}
	}
	require.EqualValues(t, 2*rounds, counts[trace.Source])
	require.EqualValues(t, 2*rounds, counts[trace.LANai])
	require.Equal(t, counts[trace.Net], counts[trace.Dest])
	require.InDelta(t, 2*rounds/4, counts[trace.Net], rounds/4)
}

// TestPlanted: what is planted on one of two hosts is in its stage, and is named.
func TestPlanted(t *testing.T) {
	watchable(t)
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	const rounds, takes = 100, 2 * time.Millisecond
	run := func(server string, first, then func()) (*trace.Run, [trace.NumStages]int64) {
		joined, _ := watched(t, key, h, server, nobody, func(s *watch.Spec) { s.Budget = 0 }, func() error { return use(server, rounds, first, then) })
		ns, _, n := medians(joined, 0)
		// Of a token bucket not every packet is seen when a driver takes it.
		require.GreaterOrEqual(t, n, rounds-6, "%s %q", joined.Manifest.Verification, joined.Manifest.Warnings)
		return joined, ns
	}
	process, to := h.server(takes)
	_, free := run(to, nothing, nothing)
	t.Log("nothing", free)
	only := func(held [trace.NumStages]int64, stage trace.Stage, least int64) {
		t.Helper()
		t.Log(stage, held)
		require.Greater(t, held[stage]-free[stage], least)
		for i := range held {
			if trace.Stage(i) != stage {
				require.Less(t, held[i]-free[i], (held[stage]-free[stage])/2, "%v", trace.Stage(i))
			}
		}
	}
	_, stopped := run(to, func() { freeze(t, process) }, func() { time.Sleep(5 * time.Millisecond); _ = process.Signal(syscall.SIGCONT) })
	only(stopped, trace.Dest, 4_000_000)
	// A question takes 12 ms.
	sh(t, "tc qdisc add dev br0 root tbf rate 1mbit burst 2000 limit 1000000")
	defer sh(t, "tc qdisc del dev br0 root")
	_, quick := h.server(0)
	_, held := run(quick, nothing, nothing)
	only(held, trace.LANai, 1_000_000)
}

// freeze stops a process, and returns when all of its threads stand.
func freeze(t *testing.T, p *os.Process) {
	require.NoError(t, p.Signal(syscall.SIGSTOP))
	require.Eventually(t, func() bool {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.Pid))
		require.NoError(t, err)
		return !slices.ContainsFunc(threads, func(file string) bool {
			text, _ := os.ReadFile(file)
			return !strings.Contains(string(text), ") T ")
		})
	}, time.Minute, time.Millisecond)
}

func sh(t *testing.T, line string) { run(t, strings.Fields(line)) }

// TestHogIsPlanted: a server that shares its processor with others on its host waits for it, which is Dest there, and is seen.
func TestHogIsPlanted(t *testing.T) {
	watchable(t)
	if exec.Command("taskset", "-c", "0", "true").Run() != nil {
		t.Skip("no taskset here")
	}
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	_, to := h.server(2*time.Millisecond, "taskset", "-c", "0")
	queue := func() (ns [trace.NumStages]int64, waits float64) {
		joined, _ := watched(t, key, h, to, nobody, func(s *watch.Spec) { s.Budget = 0 }, func() error { return use(to, 100, nothing, nothing) })
		for _, o := range joined.Manifest.Seen {
			if o.What == trace.RunQueue && o.ToServer {
				waits = o.MeanNs * float64(o.Messages) / float64(o.Of)
			}
		}
		ns, _, _ = medians(joined, 0)
		return ns, waits
	}
	free, none := queue()
	for range 3 {
		hog := exec.CommandContext(t.Context(), "taskset", "-c", "0", "sh", "-c", "while :; do :; done")
		require.NoError(t, hog.Start())
		defer func() { _, _ = hog.Process.Kill(), hog.Wait() }()
	}
	held, waits := queue()
	t.Logf("medians in ns %v, run queue %.0f ns; beside hogs %v, %.0f ns", free, none, held, waits)
	require.Greater(t, waits, none+1e5)
	require.Greater(t, held[trace.Dest], free[trace.Dest])
}

// TestAgentDies: an agent that dies leaves what this host has seen, with a warning.
func TestAgentDies(t *testing.T) {
	watchable(t)
	key, file := newKeyFile(t)
	h := startHosts(t, 1, file)[0]
	_, to := h.server(0)
	joined, _ := watched(t, key, h, to, nobody, func(s *watch.Spec) { s.Budget = 0 }, func() error {
		if err := use(to, 100, nothing, nothing); err != nil {
			return err
		}
		time.Sleep(time.Second) // it hands over what it has every 50 ms
		require.NoError(t, h.cmd.Process.Kill())
		time.Sleep(time.Second)
		return use(to, 100, nothing, nothing)
	})
	m := joined.Manifest
	t.Log(m.Verification, m.Warnings)
	require.Contains(t, strings.Join(m.Warnings, "\n"), "has vanished")
	require.Contains(t, m.Verification, "stand on 100 of 100 messages (100.00 %) to ")
	require.EqualValues(t, 400, m.Packets)
	require.Zero(t, m.Lost.NotRecorded)
	// What is known of Net then is when messages were acknowledged.
	net, _, _ := medians(joined, 0)
	i := slices.IndexFunc(m.Seen, func(o trace.Observed) bool { return o.What == trace.Acknowledged && o.ToServer })
	require.NotEqual(t, -1, i)
	t.Logf("Net %d ns, acknowledged within %d ns", net[trace.Net], m.Seen[i].MedianNs)
	require.EqualValues(t, 100, m.Seen[i].Messages)
	require.Greater(t, m.Seen[i].MedianNs, net[trace.Net])
	require.Contains(t, strings.Join(analysis.Seen(m.Seen), "\n"), "Net, at most: 100 of 100 messages of ")
}

// TestAgentWithoutRights: it says which capabilities it lacks.
func TestAgentWithoutRights(t *testing.T) {
	if exec.Command("setpriv", "--bounding-set=-all", "--inh-caps=-all", "true").Run() != nil {
		t.Skip("no setpriv here")
	}
	key, file := newKeyFile(t)
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.CommandContext(t.Context(), "setpriv", "--bounding-set=-all", "--inh-caps=-all", self, "127.0.0.1:0", file)
	c.Env = append(os.Environ(), roleOf+"="+roleAgent)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	defer func() { _, _ = c.Process.Kill(), c.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, err = Watch(t.Context(), key, strings.TrimSpace(strings.TrimPrefix(line, "listening ")), watch.Default())
	require.ErrorContains(t, err, "cannot watch without CAP_PERFMON, CAP_BPF")
}
