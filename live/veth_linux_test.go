package live

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// namespaces are two namespaces of the network joined by a veth pair, with addresses 10.8.0.1 and 10.8.0.2.
type namespaces [2]*exec.Cmd

func newNamespaces(t *testing.T) (n namespaces) {
	t.Helper()
	if os.Getuid() != 0 || exec.Command("unshare", "-n", "true").Run() != nil {
		t.Skip("namespaces of the network cannot be made here: it takes root")
	}
	for i := range n {
		n[i] = exec.Command("unshare", "-n", "sh", "-c", "echo ready; read stop")
		in, err := n[i].StdinPipe()
		require.NoError(t, err)
		out, err := n[i].StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, n[i].Start())
		t.Cleanup(func() { _ = in.Close(); _ = n[i].Wait() })
		_, err = out.Read(make([]byte, 1)) // it is in its namespace
		require.NoError(t, err)
	}
	n.run(t, 0, fmt.Sprintf("ip link add eth0 type veth peer name eth0 netns %d", n[1].Process.Pid))
	for i := range n {
		n.run(t, i, fmt.Sprintf("ip addr add 10.8.0.%d/24 dev eth0", 1+i))
		n.run(t, i, "ip link set eth0 up")
	}
	return n
}

func (n namespaces) run(t *testing.T, i int, command string) {
	t.Helper()
	args := append([]string{"-t", strconv.Itoa(n[i].Process.Pid), "-n"}, strings.Fields(command)...)
	out, err := exec.Command("nsenter", args...).CombinedOutput()
	require.NoError(t, err, "%s: %s", command, out)
}

// inside calls f on a thread in a namespace, which ends with it.
func (n namespaces) inside(t *testing.T, i int, f func() error) {
	t.Helper()
	failed := make(chan error)
	go func() {
		runtime.LockOSThread()
		fd, err := unix.Open(fmt.Sprintf("/proc/%d/ns/net", n[i].Process.Pid), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			err = unix.Setns(fd, unix.CLONE_NEWNET)
			_ = unix.Close(fd)
		}
		if err == nil {
			err = f()
		}
		failed <- err
	}()
	require.NoError(t, <-failed)
}

// pair connects sockets of both namespaces.
func (n namespaces) pair(t *testing.T, p stamps.Protocol) (a, b stamps.Connection) {
	t.Helper()
	at := [2]net.IP{net.IPv4(10, 8, 0, 1), net.IPv4(10, 8, 0, 2)}
	if p == stamps.TCP {
		var l *net.TCPListener
		n.inside(t, 0, func() (err error) { l, err = net.ListenTCP("tcp", &net.TCPAddr{IP: at[0]}); return err })
		defer l.Close()
		n.inside(t, 1, func() (err error) { b, err = net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)); return err })
		a, err := l.AcceptTCP()
		require.NoError(t, err)
		return a, b
	}
	var ends [2]*net.UDPConn
	for i := range ends {
		n.inside(t, i, func() (err error) { ends[i], err = net.ListenUDP("udp", &net.UDPAddr{IP: at[i]}); return err })
	}
	for i := range ends {
		require.NoError(t, stamps.Connect(ends[i], ends[1-i].LocalAddr().(*net.UDPAddr).AddrPort()))
	}
	return ends[0], ends[1]
}

// TestCausality: the instants of all messages between two namespaces joined by a veth pair are in order, by the
// one clock that there is: 10⁵ messages by each protocol, as round trips and at a rate, of sizes in one
// packet and in several. It may run on a busy machine.
func TestCausality(t *testing.T) {
	testlong.Only(t, "10⁵ messages of each sort")
	n := newNamespaces(t)
	for _, protocol := range stamps.Protocol("").All() {
		for _, pattern := range []Pattern{PingPong, AllToAll} {
			spec := Default()
			spec.Pattern, spec.Protocol, spec.Sizes, spec.Count, spec.Rate = pattern, protocol, []int64{64, 4000}, 25_000, 5000
			a, b := n.pair(t, protocol)
			links, err := linked(a, b, protocol, newToken(), spec.options())
			require.NoError(t, err)
			run, err := onThisHost(t.Context(), spec, links, nil)
			require.NoError(t, err)
			rows := int64(0)
			for p := range run.Packets {
				require.NoError(t, trace.CheckRow(&p))
				require.IsNonDecreasing(t, []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value, p.T4Ns.Value, p.T5Ns.Value, p.T6Ns.Value}, "%s, %s: %+v", protocol, pattern, p)
				rows++
			}
			m := run.Manifest
			require.EqualValues(t, 100_000, m.Packets)
			require.Equal(t, m.Packets, rows+m.Lost.NotRecorded)
			if pattern == PingPong || protocol == stamps.UDP { // a kernel merges what a late receiver of a stream has not read
				require.Equal(t, m.Packets, rows+m.Lost.Dropped)
			}
			t.Logf("%s, %s: %d messages in order, %d not recorded, %d lost", protocol, pattern, rows, m.Lost.NotRecorded, m.Lost.Dropped)
		}
	}
}

// TestManyMessagesBetweenNamespaces is TestManyMessages over a veth pair.
func TestManyMessagesBetweenNamespaces(t *testing.T) {
	testlong.Only(t, "two minutes of messages")
	n := newNamespaces(t)
	for _, c := range floods {
		t.Run(c.String(), func(t *testing.T) {
			spec := c.spec()
			a, b := n.pair(t, spec.Protocol)
			links, err := linked(a, b, spec.Protocol, newToken(), spec.options())
			require.NoError(t, err)
			sendMany(t, spec, links)
		})
	}
}
