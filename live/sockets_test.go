package live

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/live/stamps"
)

// opened returns the sockets of two nodes of this host which do not know each other.
func opened(t *testing.T, p stamps.Protocol) (s [2]*Sockets, ports []Ports) {
	t.Helper()
	spec := Default()
	spec.Protocol = p
	return openedFor(t, spec)
}

func openedFor(t *testing.T, spec Spec) (s [2]*Sockets, ports []Ports) {
	t.Helper()
	spec, err := spec.filled(2)
	require.NoError(t, err)
	here := netip.MustParseAddr("127.0.0.1")
	for i := range s {
		var err error
		s[i], err = Open(Setup{Spec: spec, Node: i, Nodes: 2, Token: 1234, Ways: []Way{{here, here}, {here, here}}})
		require.NoError(t, err)
		t.Cleanup(func() { _ = s[i].Close() })
		ports = append(ports, s[i].Ports())
	}
	return s, ports
}

// joined connects the sockets of two nodes.
func joined(t *testing.T, s [2]*Sockets, ports []Ports) (ends [2]*End) {
	t.Helper()
	failures := make(chan error, 2)
	for i := range s {
		go func() {
			var err error
			ends[i], err = s[i].Connect(t.Context(), ports, func(Batch) {})
			failures <- err
		}()
	}
	require.NoError(t, <-failures)
	require.NoError(t, <-failures)
	t.Cleanup(func() {
		_, _ = ends[1].Stop()
		_, _ = ends[0].Stop()
	})
	return ends
}

// TestProbes: the four instants of a probe are in order, by the one clock that there is. The burst and
// those after it come; when the other node is gone, they are lost.
func TestProbes(t *testing.T) {
	s, ports := opened(t, stamps.UDP)
	ends := joined(t, s, ports)
	ends[1].Receive()
	var got []Probe
	more := make(chan bool, 1)
	p := newProber(ends[0].probes, 1234, func(x Probe) {
		if got = append(got, x); len(got) == probeBurst+3 {
			more <- true
		}
	})
	p.start(t.Context())
	p.mu.Lock()
	require.GreaterOrEqual(t, len(got), probeBurst-2)
	p.mu.Unlock()
	<-more
	_, err := ends[1].Stop()
	require.NoError(t, err)
	time.Sleep(3 * probeEvery)
	require.Positive(t, p.close())
	last := int64(0)
	for _, x := range got {
		require.Equal(t, 1, x.Node)
		require.IsNonDecreasing(t, []int64{last, x.Sent, x.Arrived, x.Answered, x.Received})
		last = x.Sent
	}
}

// TestWrongPorts: ports of other numbers of nodes are refused, and leave nothing open.
func TestWrongPorts(t *testing.T) {
	for _, change := range []func([]Ports) []Ports{
		func(p []Ports) []Ports { return p[:1] },
		func(p []Ports) []Ports { return append(p, p[0]) },
		func(p []Ports) []Ports { p[1].Messages = nil; return p },
		func(p []Ports) []Ports { p[1].Probes = append(p[1].Probes, 0); return p },
	} {
		s, ports := opened(t, stamps.TCP)
		_, err := s[0].Connect(t.Context(), change(ports), func(Batch) {})
		require.ErrorContains(t, err, "ports that are not of 2 nodes")
	}
}

// TestTokenFirst: a connection that does not begin with the token does not count, whether it is silent
// or says something else.
func TestTokenFirst(t *testing.T) {
	s, ports := opened(t, stamps.TCP)
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(ports[1].Messages[0])))
	for _, say := range [][]byte{nil, []byte("GET / HTTP/1.0\r\n\r\n"), binary.BigEndian.AppendUint64(nil, 4321)} {
		c, err := net.Dial("tcp", at)
		require.NoError(t, err)
		defer c.Close()
		_, err = c.Write(say)
		require.NoError(t, err)
	}
	ends := joined(t, s, ports)
	ends[1].Receive()
	require.NoError(t, ends[0].Drive(t.Context(), func(int) {}))
}

// TestNoPeer: a peer that does not come is not waited for when the context ends.
func TestNoPeer(t *testing.T) {
	s, ports := opened(t, stamps.TCP)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := s[1].Connect(ctx, ports, func(Batch) {})
	require.ErrorContains(t, err, "connection to node 0")
}

// TestNoReflector: a message that makes a mirror of parameters send many makes no other end send any.
func TestNoReflector(t *testing.T) {
	s, ports := opened(t, stamps.UDP)
	ends := joined(t, s, ports)
	ends[1].Receive()
	l := ends[0].links[1]
	for _, h := range []header{{purpose: burst, bytes: 100}, {purpose: call, bytes: headerBytes}, {purpose: train, bytes: headerBytes}} {
		l.seq = 50
		if h.purpose == train {
			l.seq = 0
		}
		require.NoError(t, l.send(h, 0))
	}
	l.seq = 7
	require.NoError(t, l.send(header{purpose: ping, bytes: 100}, 0))
	got, err := l.receive()
	for err == stamps.ErrNothing {
		got, err = l.receive()
	}
	require.NoError(t, err)
	require.Equal(t, pong, got.purpose)
	require.EqualValues(t, 0, got.seq) // the first message of the other end
	require.EqualValues(t, 100, got.bytes)
}
