package agent

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

func small(p live.Pattern, protocol stamps.Protocol) live.Spec {
	s := live.Default()
	s.Pattern, s.Protocol, s.Sizes, s.Count, s.Rate, s.Warm = p, protocol, []int64{64, 4000}, testlong.Pick(200, 25_000), 2000, 20
	return s
}

func addresses(hosts []*host, of func(*host) string) (out []string) {
	for _, h := range hosts {
		out = append(out, of(h))
	}
	return out
}

// sound checks that each message of a run has a row whose instants are in order. The hosts have one
// clock, so that its conversion errs by no more than it says.
func sound(t *testing.T, run *trace.Run, messages int) {
	t.Helper()
	m := run.Manifest
	require.Empty(t, m.Lost.Dropped)
	require.EqualValues(t, messages, m.Packets)
	rows := int64(0)
	for p := range run.Packets {
		require.NoError(t, trace.CheckRow(&p))
		require.IsNonDecreasing(t, []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value, p.T4Ns.Value}, "%+v", p)
		require.LessOrEqual(t, p.T3Ns.Value, p.T5Ns.Value+p.BoundNs.Value, "%+v", p)
		require.LessOrEqual(t, p.T5Ns.Value, p.T6Ns.Value, "%+v", p)
		rows++
	}
	require.Equal(t, m.Packets, rows+m.Lost.NotRecorded)
}

// TestRuns: agents and this process exchange messages of every pattern by every protocol.
func TestRuns(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 2, file)
	for i, protocol := range stamps.Protocol("").All() {
		for k, of := range []func(*host) string{(*host).at4, (*host).at6} {
			if i != k && !testlong.On() {
				continue
			}
			for _, pattern := range []live.Pattern{live.PingPong, live.Stream, live.AllToAll} {
				spec := small(pattern, protocol)
				peers, messages := addresses(hosts, of), 2*spec.Count
				switch pattern {
				case live.PingPong:
					peers, messages = peers[:1], 2*messages
				case live.Stream:
					peers = peers[:1]
				case live.AllToAll:
					messages *= 6
				}
				run, err := Between(t.Context(), spec, key, peers, nil)
				require.NoError(t, err, "%s, %s, %v\n%s", pattern, protocol, peers, hosts[0].said())
				sound(t, run, messages)
			}
		}
	}
	for _, h := range hosts {
		require.NotContains(t, h.said(), "failed")
		require.Contains(t, h.said(), "the session has ended")
	}
}

// packet is a row of a message that was sent at a time.
func packet(from, to, at, bytes int64) trace.PacketRow {
	t, none := trace.Some(at), trace.Some[int64](0)
	return trace.PacketRow{
		Kind: "data", Sender: from, Receiver: to, SizeBytes: bytes, T1Ns: t, T2Ns: t, T3Ns: t, T4Ns: t, SourceNs: none, LANaiNs: none,
	}
}

// written writes a run of messages and returns its directory.
func written(t *testing.T, nodes int, rows ...trace.PacketRow) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	require.NoError(t, rundir.WriteRun(t.Context(), dir, trace.Run{Manifest: synth.Manifest(nodes), Packets: slices.Values(rows)}))
	return dir
}

func replay(dir string, protocol stamps.Protocol) live.Spec {
	s := live.Default()
	s.Pattern, s.Protocol, s.Replayed, s.Stretch = live.Replay, protocol, dir, 1
	return s
}

// TestReplay: two and three nodes send the messages of a run, each node in their order. What one of them
// sends takes more than one frame.
func TestReplay(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 2, file)
	type sent struct{ from, to, bytes int64 }
	var rows []trace.PacketRow
	for i := range int64(mostScheduled + 100) {
		rows = append(rows, packet(1, 0, i*100_000, 20+i%50))
		if i%40 == 0 {
			rows = append(rows, packet(2, 1, i*100_000, 500+i/40), packet(0, 1, i*100_000+20_000, 100+i/40), packet(0, 2, i*100_000+40_000, 300+i/40))
		}
	}
	dir := written(t, 3, rows...)
	for i, protocol := range stamps.Protocol("").All() {
		nodes := int64(2 + i)
		want, n := map[int64][]sent{}, 0
		for _, r := range rows {
			if m := (sent{r.Sender % nodes, r.Receiver % nodes, r.SizeBytes}); m.from != m.to {
				want[m.from] = append(want[m.from], m)
				n++
			}
		}
		run, err := Between(t.Context(), replay(dir, protocol), key, addresses(hosts[:1+i], (*host).at4), nil)
		require.NoError(t, err, hosts[0].said())
		sound(t, run, n)
		got := map[int64][]trace.PacketRow{}
		for p := range run.Packets {
			got[p.Sender] = append(got[p.Sender], p)
		}
		for from, all := range got {
			slices.SortFunc(all, func(a, b trace.PacketRow) int { return cmp.Compare(a.T1Ns.Value, b.T1Ns.Value) })
			rest := want[from]
			for _, p := range all { // TCP merges some that are late, which have no row
				k := slices.Index(rest, sent{from, p.Receiver, p.SizeBytes})
				require.GreaterOrEqual(t, k, 0, "node %d", from)
				rest = rest[k+1:]
			}
			if run.Manifest.Lost.NotRecorded == 0 {
				require.Len(t, all, len(want[from]))
			}
		}
		require.Len(t, got, int(nodes))
	}
}

// TestUnreachable: agents that cannot reach each other by the addresses that node 0 has are refused.
func TestUnreachable(t *testing.T) {
	if os.Getenv(roleOf) != roleInside {
		t.Skip("no namespaces of the network")
	}
	key, file := newKeyFile(t)
	far, near := startHosts(t, 1, file)[0].at4(), serve(t, &Server{Key: key}).at
	_, err := Between(t.Context(), small(live.AllToAll, stamps.UDP), key, []string{far, near}, nil)
	require.EqualError(t, err, "agents "+far+" and "+near+" cannot reach each other: one of them has a loopback address")
}

// TestLateSender: a queue that holds messages back at a sender makes their LANai longer, and no other
// stage.
func TestLateSender(t *testing.T) {
	if os.Getenv(roleOf) != roleInside {
		t.Skip("no namespaces of the network")
	}
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	spec := small(live.PingPong, stamps.UDP)
	spec.Sizes = []int64{1400}
	medians := func() (out [4]int64) { // of answers
		run, err := Between(t.Context(), spec, key, addresses(hosts, (*host).at4), nil)
		require.NoError(t, err)
		var all [4][]int64
		for p := range run.Packets {
			if p.Sender == 1 {
				for i, ns := range []int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value} {
					all[i] = append(all[i], ns)
				}
			}
		}
		for i := range all {
			slices.Sort(all[i])
			out[i] = all[i][len(all[i])/2]
		}
		return out
	}
	before := medians()
	hosts[0].inside("tc qdisc add dev eth0 root tbf rate 20mbit burst 2000 latency 1s")
	after := medians()
	t.Log(before, after)
	const ms = 1_000_000
	require.Greater(t, after[1], before[1]+ms/10) // 1442 bytes take 0.58 ms; those of a round trip are less
	for _, stage := range []int{0, 2, 3} {
		require.Less(t, after[stage], before[stage]+ms/10, "stage %d", stage)
	}
}

// TestAgentVanishes: when an agent is killed, node 0 says which one, and the other one is free again.
func TestAgentVanishes(t *testing.T) {
	key, file := newKeyFile(t)
	for _, protocol := range stamps.Protocol("").All() {
		hosts := startHosts(t, 2, file)
		spec := small(live.AllToAll, protocol)
		spec.Count = 1_000_000
		_, err := Between(t.Context(), spec, key, addresses(hosts, (*host).at4), func(p live.Progress) {
			if p.Done > 1000 {
				hosts[1].kill()
			}
		})
		require.ErrorContains(t, err, fmt.Sprintf("node 2 (%s) has vanished (it has closed the connection)", hosts[1].at4()))
		require.ErrorContains(t, err, "of 12000240 messages")
		require.ErrorContains(t, err, "no run is made")
		_, err = Between(t.Context(), small(live.PingPong, protocol), key, addresses(hosts[:1], (*host).at4), nil)
		require.NoError(t, err, hosts[0].said())
		hosts[0].kill()
		removeBridge()
	}
}

// TestAgentEnds: an agent that is told to end says so, and ends whatever it does.
func TestAgentEnds(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	spec := small(live.Stream, stamps.TCP)
	spec.Count = 1_000_000
	_, err := Between(t.Context(), spec, key, addresses(hosts, (*host).at4), func(p live.Progress) {
		if p.Done > 500 {
			_ = hosts[0].cmd.Process.Signal(syscall.SIGTERM)
		}
	})
	require.ErrorContains(t, err, "agent "+hosts[0].at4()+": the agent has been ended")
	require.NoError(t, hosts[0].cmd.Wait())
}

// TestInterrupt: when node 0 is interrupted, its agent is free at once.
func TestInterrupt(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	for _, protocol := range stamps.Protocol("").All() {
		spec := small(live.Stream, protocol)
		spec.Count = 1_000_000
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Between(ctx, spec, key, addresses(hosts, (*host).at4), func(p live.Progress) {
			if p.Done > 500 {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		_, err = Between(t.Context(), small(live.PingPong, protocol), key, addresses(hosts, (*host).at4), nil)
		require.NoError(t, err, hosts[0].said())
	}
}

// TestOneSession: a second node 0 is refused while there is a session, which goes on.
func TestOneSession(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	at := addresses(hosts, (*host).at4)
	tried := false
	spec := small(live.PingPong, stamps.UDP)
	spec.Count = testlong.Pick(5000, 50_000)
	run, err := Between(t.Context(), spec, key, at, func(p live.Progress) {
		if p.Done > 0 && !tried {
			_, err := Between(t.Context(), small(live.PingPong, stamps.UDP), key, at, nil)
			require.ErrorContains(t, err, "it is busy with a session of ")
			tried = true
		}
	})
	require.NoError(t, err)
	require.True(t, tried)
	sound(t, run, 4*spec.Count)
}

// TestStrangers: datagrams of strangers at the ports of messages, of probes and of control change
// nothing.
func TestStrangers(t *testing.T) {
	key, file := newKeyFile(t)
	hosts := startHosts(t, 1, file)
	h := hosts[0]
	most := testlong.Pick(100_000, 1_000_000)
	sent := 0
	spec := small(live.PingPong, stamps.UDP)
	spec.Count = testlong.Pick(10_000, 100_000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	flooded := make(chan struct{})
	var once bool
	run, err := Between(ctx, spec, key, addresses(hosts, (*host).at4), func(p live.Progress) {
		if p.Done > 0 && !once {
			once = true
			go func() {
				defer close(flooded)
				ports := append(h.datagramPorts(), h.port)
				for sent < most {
					sent += flood(h.v4, ports, most/20)
				}
			}()
		}
	})
	require.NoError(t, err, h.said())
	<-flooded
	sound(t, run, 4*spec.Count)
	t.Log(sent, "datagrams")
}

// flood sends datagrams of random lengths and bytes.
func flood(to string, ports []string, n int) (sent int) {
	random := rand.New(rand.NewPCG(1, 2))
	buf := make([]byte, 100)
	for _, port := range ports {
		c, err := net.Dial("udp", net.JoinHostPort(to, port))
		if err != nil {
			panic(err)
		}
		for range n / len(ports) {
			for i := range buf {
				buf[i] = byte(random.Uint32())
			}
			_, _ = c.Write(buf[:random.IntN(len(buf))]) // a refusal by the host is an error of the next one
			sent++
		}
		_ = c.Close()
	}
	return sent
}

// datagramPorts returns the UDP ports of the agent.
func (h *host) datagramPorts() (ports []string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/udp", h.cmd.Process.Pid))
	require.NoError(h.t, err)
	for line := range strings.Lines(string(text)) {
		var slot, addr, port int
		if n, _ := fmt.Sscanf(line, "%d: %x:%x", &slot, &addr, &port); n == 3 {
			ports = append(ports, fmt.Sprint(port))
		}
	}
	require.NotEmpty(h.t, ports)
	return ports
}
