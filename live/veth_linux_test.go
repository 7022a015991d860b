package live

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/live/stamps"
	"github.com/sigview/sigview/trace"
)

// pairIn connects sockets of both namespaces.
func pairIn(t *testing.T, n testnet.Namespaces, p stamps.Protocol) (a, b stamps.Connection) {
	t.Helper()
	at := [2]net.IP{net.IPv4(10, 8, 0, 1), net.IPv4(10, 8, 0, 2)}
	if p == stamps.TCP {
		var l *net.TCPListener
		n.Inside(t, 0, func() (err error) { l, err = net.ListenTCP("tcp", &net.TCPAddr{IP: at[0]}); return err })
		defer l.Close()
		n.Inside(t, 1, func() (err error) { b, err = net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)); return err })
		a, err := l.AcceptTCP()
		require.NoError(t, err)
		return a, b
	}
	var ends [2]*net.UDPConn
	for i := range ends {
		n.Inside(t, i, func() (err error) { ends[i], err = net.ListenUDP("udp", &net.UDPAddr{IP: at[i]}); return err })
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
	n := testnet.New(t)
	for _, protocol := range stamps.Protocol("").All() {
		for _, pattern := range []Pattern{PingPong, AllToAll} {
			spec := Default()
			spec.Pattern, spec.Protocol, spec.Sizes, spec.Count, spec.Rate = pattern, protocol, []int64{64, 4000}, 25_000, 5000
			a, b := pairIn(t, n, protocol)
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
	n := testnet.New(t)
	for _, c := range floods {
		t.Run(c.String(), func(t *testing.T) {
			spec := c.spec()
			a, b := pairIn(t, n, spec.Protocol)
			links, err := linked(a, b, spec.Protocol, newToken(), spec.options())
			require.NoError(t, err)
			sendMany(t, spec, links)
		})
	}
}
