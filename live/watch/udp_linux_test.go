package watch

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/trace"
)

// echoDatagrams returns what it reads, at a socket that it closes when the test ends.
func echoDatagrams(t *testing.T, s net.PacketConn) {
	t.Cleanup(func() { _ = s.Close() })
	go func() {
		for message := make([]byte, 1<<16); ; {
			n, from, err := s.ReadFrom(message)
			if err != nil {
				return
			}
			if _, err := s.WriteTo(message[:n], from); err != nil {
				return
			}
		}
	}()
}

// udpPort returns that of a socket.
func udpPort(s net.PacketConn) int { return s.LocalAddr().(*net.UDPAddr).Port }

// askDatagrams sends so many datagrams of a size, each after the answer to the one before.
func askDatagrams(to string, messages, bytes int) error {
	c, err := net.Dial("udp", to)
	if err != nil {
		return err
	}
	defer c.Close()
	message := make([]byte, bytes)
	for range messages {
		if _, err := c.Write(message); err != nil {
			return err
		}
		if _, err := c.Read(message); err != nil {
			return err
		}
	}
	return nil
}

// TestEveryDatagramIsSeen: the same of datagrams, of any size.
func TestEveryDatagramIsSeen(t *testing.T) {
	everySeen(t, trace.Data, []int{1, 60, 5000, 60_000}, func(host string) int {
		s, err := net.ListenPacket("udp", host+":0")
		require.NoError(t, err)
		echoDatagrams(t, s)
		return udpPort(s)
	}, func(to string, messages int, sizes []int) error {
		for _, bytes := range sizes {
			if err := askDatagrams(to, messages, bytes); err != nil {
				return err
			}
		}
		return nil
	})
}

// datagrams returns two sockets, of which the first one sends to the other.
func datagrams(t *testing.T) (from, to *net.UDPConn) {
	to, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	from, err = net.DialUDP("udp", nil, to.LocalAddr().(*net.UDPAddr))
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = from.Close(), to.Close() })
	return from, to
}

// TestDatagramsAreTold: of equal datagrams that a reader is late for, some from before the watch, each has its own times:
// those of the programs, which begin before and end after them.
func TestDatagramsAreTold(t *testing.T) {
	able(t)
	from, to := datagrams(t)
	const messages, before = 200, 7
	message := make([]byte, 100)
	for range before {
		_, err := from.Write(message)
		require.NoError(t, err)
	}
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{udpPort(to)}, 1, 0
	var sent, read [messages]time.Time
	run := watched(t, spec, func() error {
		for i := range sent {
			sent[i] = time.Now()
			if _, err := from.Write(message); err != nil {
				return err
			}
			time.Sleep(50 * time.Microsecond)
		}
		for i := range before + messages {
			if _, err := to.Read(message); err != nil {
				return err
			}
			if i >= before {
				read[i-before] = time.Now()
			}
		}
		return nil
	})
	require.EqualValues(t, messages, run.Manifest.Packets, run.Manifest.Warnings)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
	i, shift := 0, time.Duration(0)
	for p := range run.Packets {
		if i == 0 {
			shift = time.Duration(p.T1Ns.Value)
		}
		require.LessOrEqual(t, p.T6Ns.Value-p.T1Ns.Value, read[i].Sub(sent[i]).Nanoseconds(), "datagram %d", i)
		require.InDelta(t, read[i].Sub(sent[0]).Nanoseconds(), p.T6Ns.Value-shift.Nanoseconds(), 2e7, "datagram %d", i)
		if i > 0 {
			require.GreaterOrEqual(t, p.T6Ns.Value-shift.Nanoseconds(), read[i-1].Sub(sent[0]).Nanoseconds()-int64(time.Millisecond), "datagram %d", i)
		}
		i++
	}
	require.Equal(t, messages, i)
}

// TestFullReceiveBuffer: datagrams that a full receive buffer drops are counted with the kernel's reason, and the others
// are followed.
func TestFullReceiveBuffer(t *testing.T) {
	able(t)
	from, to := datagrams(t)
	require.NoError(t, to.SetReadBuffer(20_000))
	spec := Default()
	spec.Ports, spec.Budget = []int{udpPort(to)}, 0
	message, read := make([]byte, 1000), 0
	const messages = 500
	run := watched(t, spec, func() error {
		for range messages {
			if _, err := from.Write(message); err != nil {
				return err
			}
		}
		for _ = to.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); ; read++ {
			if _, err := to.Read(message); err != nil {
				return nil
			}
		}
	})
	require.Less(t, read, messages)
	require.EqualValues(t, messages, run.Manifest.Packets)
	require.EqualValues(t, messages-read, run.Manifest.Lost.NotRecorded)
	require.Contains(t, run.Manifest.Warnings, counted("%d datagrams were dropped by the kernel: SOCKET_RCVBUFF", uint64(messages-read)))
	require.Contains(t, said(run), "datagrams: a socket's receive buffer was full (SOCKET_RCVBUFF).")
	require.EqualValues(t, read, count(run, trace.Dest))
}

// TestSegmentedDatagrams: what one call gives in segments (GSO) is a message, which is read when its last segment is.
func TestSegmentedDatagrams(t *testing.T) {
	able(t)
	from, to := datagrams(t)
	raw, err := from.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_UDP, unix.UDP_SEGMENT, 1000) }))
	require.NoError(t, err)
	spec := Default()
	spec.Ports, spec.Every, spec.Budget = []int{udpPort(to)}, 1, 0
	const messages = 100
	run := watched(t, spec, func() error {
		message := make([]byte, 9500)
		for range messages {
			if _, err := from.Write(message); err != nil {
				return err
			}
			for range 10 {
				if _, err := to.Read(message); err != nil {
					return err
				}
			}
		}
		return nil
	})
	require.EqualValues(t, messages, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
	require.EqualValues(t, messages, count(run, trace.Dest))
}

// TestDatagramsOfOtherHosts: what goes to another host has Source and NI, and what comes from one has Dest.
func TestDatagramsOfOtherHosts(t *testing.T) {
	able(t)
	n := testnet.New(t)
	var fd int
	n.Inside(t, 0, func() (err error) {
		if fd, err = unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK, 0); err != nil {
			return err
		}
		t.Cleanup(func() { _ = unix.Close(fd) })
		device, err := unix.NewIfreq("elsewhere")
		if err != nil {
			return err
		}
		device.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		return unix.IoctlIfreq(fd, unix.TUNSETIFF, device)
	})
	n.Run(t, 0, "ip addr add 10.9.0.1/24 dev elsewhere")
	n.Run(t, 0, "ip addr add fd98::1/64 dev elsewhere nodad")
	n.Run(t, 0, "ip link set elsewhere up")
	var s net.PacketConn
	n.Inside(t, 1, func() (err error) { s, err = net.ListenPacket("udp4", ":7"); return err })
	defer s.Close()
	const messages = 100
	// One of a host that is not there, as a card receives it.
	packet := append([]byte{0x45, 0, 0, 128, 0, 0, 0, 0, 64, 17, 0, 0, 10, 8, 0, 77, 10, 8, 0, 2, 9, 9, 0, 7, 0, 108, 0, 0}, make([]byte, 100)...)
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(packet[i])<<8 | uint32(packet[i+1])
	}
	sum = ^(sum>>16 + sum&0xffff)
	packet[10], packet[11] = byte(sum>>8), byte(sum)
	spec := Default()
	spec.Ports, spec.Budget = []int{7}, 0
	run := watched(t, spec, func() error {
		n.Inside(t, 0, func() error {
			card, err := net.InterfaceByName("eth0")
			if err != nil {
				return err
			}
			raw, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			defer unix.Close(raw)
			away, err := net.Dial("udp", "10.9.0.2:7")
			if err != nil {
				return err
			}
			defer away.Close()
			away6, err := net.Dial("udp", "[fd98::2]:7") // without an identification
			if err != nil {
				return err
			}
			defer away6.Close()
			for range messages {
				to := &unix.SockaddrLinklayer{Protocol: 8, Ifindex: card.Index, Halen: 6, Addr: [8]byte{255, 255, 255, 255, 255, 255}}
				if err := unix.Sendto(raw, packet, 0, to); err != nil {
					return err
				}
				if _, err := away.Write(make([]byte, 50)); err != nil {
					return err
				}
			}
			for range messages {
				// The memory of one is given to the next one.
				for n, rest := 1, make([]byte, 2000); n > 0; {
					n, _ = unix.Read(fd, rest)
				}
				if _, err := away6.Write(make([]byte, 50)); err != nil {
					return err
				}
			}
			return nil
		})
		for range messages {
			if _, _, err := s.ReadFrom(make([]byte, 200)); err != nil {
				return err
			}
		}
		return nil
	})
	t.Logf("%q", run.Manifest.Warnings)
	require.EqualValues(t, 3*messages, run.Manifest.Packets)
	require.LessOrEqual(t, run.Manifest.Lost.NotRecorded, int64(2))
	require.InDelta(t, messages, count(run, trace.Dest), 2)
	require.InDelta(t, 2*messages, count(run, trace.LANai), 2)
	require.Zero(t, count(run, trace.Net))
}

// TestDatagramsBetweenHosts: between two namespaces a token bucket is in NI, and datagrams in several packets are counted
// with their reason.
func TestDatagramsBetweenHosts(t *testing.T) {
	able(t)
	n := testnet.New(t)
	var s net.PacketConn
	n.Inside(t, 1, func() (err error) { s, err = net.ListenPacket("udp", "10.8.0.2:7"); return err })
	echoDatagrams(t, s)
	asked := func(messages, large int) *trace.Run {
		spec := Default()
		spec.Ports, spec.Every, spec.Budget = []int{7}, 1, 0
		return watched(t, spec, func() error {
			n.Inside(t, 0, func() error {
				return errors.Join(askDatagrams("10.8.0.2:7", messages, 1400), askDatagrams("10.8.0.2:7", large, 5000))
			})
			return nil
		})
	}
	missed := untraced(t)
	medians := func() (ns [trace.NumStages]int64) {
		run := asked(300, 0)
		require.EqualValues(t, 600, run.Manifest.Packets)
		known := missed()
		t.Logf("%d not recorded, %d packets in interrupts of process 1", run.Manifest.Lost.NotRecorded, known)
		require.LessOrEqual(t, run.Manifest.Lost.NotRecorded, known, run.Manifest.Warnings)
		return mediansOf(run)
	}
	run := asked(1, 100)
	t.Logf("in several packets: %q", run.Manifest.Warnings)
	require.EqualValues(t, 202, run.Manifest.Packets)
	require.EqualValues(t, 200, run.Manifest.Lost.NotRecorded)
	require.Contains(t, run.Manifest.Warnings, "200 datagrams were not followed: they went in several packets of IP")
	bucketInNI(t, n, medians)
}
