package stamps

import (
	"errors"
	"net"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pair returns two connected sockets of this host.
func pair(t testing.TB, p Protocol, o Options) (a, b *Socket) {
	t.Helper()
	if p == TCP {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		d, err := l.Accept()
		require.NoError(t, err)
		return socket(t, c.(*net.TCPConn), p, o), socket(t, d.(*net.TCPConn), p, o)
	}
	c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	d, err := net.DialUDP("udp", nil, c.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	require.NoError(t, Connect(c, d.LocalAddr().(*net.UDPAddr).AddrPort()))
	return socket(t, c, p, o), socket(t, d, p, o)
}

func socket(t testing.TB, c Connection, p Protocol, o Options) *Socket {
	t.Helper()
	s, err := New(c, p, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestOrderOfInstants: a program sends, the kernel queues, the driver takes, the other kernel has and
// the other program has each message, in this order.
func TestOrderOfInstants(t *testing.T) {
	for _, p := range Protocol("").All() {
		for _, size := range []int{1, 64, 1400, 9000, 60000} {
			a, b := pair(t, p, Options{Sending: true, Arriving: true})
			buf := make([]byte, size)
			var begun []int64
			var arrived []Arrival
			var sent []Sent
			for seq := range uint32(50) {
				begun = append(begun, Now())
				require.NoError(t, a.Send(buf, seq, true))
				got, err := b.Receive(buf, true)
				require.NoError(t, err)
				arrived = append(arrived, got)
				require.NoError(t, a.Drain(func(s Sent) { sent = append(sent, s) }))
			}
			require.Len(t, sent, 50, "%s, %d bytes", p, size)
			for i, s := range sent {
				require.EqualValues(t, i, s.Seq)
				require.Equal(t, size, arrived[i].Bytes)
				order := []int64{begun[i], s.Sched, s.Hand, arrived[i].Kernel, arrived[i].User}
				for k := range order[1:] {
					require.LessOrEqual(t, order[k], order[k+1], "%s, %d bytes, message %d: %v", p, size, i, order)
				}
			}
		}
	}
}

// TestSomeAreStamped: only messages that ask for stamps get them.
func TestSomeAreStamped(t *testing.T) {
	for _, p := range Protocol("").All() {
		a, b := pair(t, p, Options{Sending: true})
		buf := make([]byte, 64)
		var stamped []uint32
		for seq := range uint32(100) {
			require.NoError(t, a.Send(buf, seq, seq%7 == 3))
			got, err := b.Receive(buf, true)
			require.NoError(t, err)
			require.Zero(t, got.Kernel)
			require.NoError(t, a.Drain(func(s Sent) { stamped = append(stamped, s.Seq) }))
		}
		require.Len(t, stamped, 14)
		for i, seq := range stamped {
			require.EqualValues(t, 7*i+3, seq)
		}
	}
}

// TestArrivalsOnDemand: a stamp of arrival is taken when it is wanted.
func TestArrivalsOnDemand(t *testing.T) {
	for _, p := range Protocol("").All() {
		a, b := pair(t, p, Options{Arriving: true})
		buf := make([]byte, 64)
		for i := range 20 {
			require.NoError(t, a.Send(buf, uint32(i), false))
			got, err := b.Receive(buf, i%3 == 0)
			require.NoError(t, err)
			require.Equal(t, i%3 == 0, got.Kernel != 0)
		}
	}
}

// TestReportsOnDemand: the kernel reports stamps while they are taken, and makes them all the time, so that a
// message that has come before its stamp is wanted has one too.
func TestReportsOnDemand(t *testing.T) {
	a, b := pair(t, UDP, Options{Sending: true, Arriving: true})
	const made, reported = unix.SOF_TIMESTAMPING_RX_SOFTWARE, unix.SOF_TIMESTAMPING_SOFTWARE
	asked := func(s *Socket) int {
		flags, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPING_NEW)
		require.NoError(t, err)
		return flags & (made | reported)
	}
	buf := make([]byte, 64)
	for seq := range uint32(4) {
		require.NoError(t, a.Send(buf, seq, true))
		require.NoError(t, b.Send(buf, seq, false))
	}
	for i, stamp := range []bool{true, false, true, false} {
		got, err := a.Receive(buf, stamp)
		require.NoError(t, err)
		require.Equal(t, stamp, got.Kernel != 0)
		require.Equal(t, stamp, asked(a) == made|reported, "%d", i)
		require.Equal(t, !stamp, asked(a) == made, "%d", i)
	}
	sent := 0
	require.NoError(t, a.Drain(func(Sent) { sent++ }))
	require.Equal(t, 4, sent)
	require.Equal(t, made, asked(a))
}

// TestBothTakeStamps: one thread takes the stamps of what it sends while another one takes some of those that
// arrive. Both get all of theirs.
func TestBothTakeStamps(t *testing.T) {
	for _, p := range Protocol("").All() {
		a, b := pair(t, p, Options{Sending: true, Arriving: true})
		const n = 3000
		sent, arrived := 0, 0
		failed := make(chan error)
		go func() {
			buf := make([]byte, 64)
			var err error
			for seq := uint32(0); seq < n && err == nil; seq++ {
				if err = a.Send(buf, seq, true); err == nil {
					_, err = b.Receive(buf, false)
				}
				err = errors.Join(err, a.Drain(func(Sent) { sent++ }))
			}
			failed <- err
		}()
		buf := make([]byte, 64)
		for i := range n {
			require.NoError(t, b.Send(buf, 0, false))
			got, err := a.Receive(buf, i%3 == 0)
			require.NoError(t, err)
			if got.Kernel != 0 {
				arrived++
			}
		}
		require.NoError(t, <-failed)
		require.Equal(t, n, sent, p)
		require.Equal(t, n/3, arrived, p)
	}
}
