package watch

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/check/testnet"
	"github.com/sigview/sigview/trace"
)

// streams returns the two ends of so many connections, and the port of one end of each.
func streams(t *testing.T, n int) (from, to []*net.TCPConn, at int) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	for range n {
		c, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		s, err := l.Accept()
		require.NoError(t, err)
		from, to = append(from, c.(*net.TCPConn)), append(to, s.(*net.TCPConn))
		t.Cleanup(func() { _, _ = c.Close(), s.Close() })
	}
	return from, to, port(l)
}

// send sends so many messages of a size.
func send(c net.Conn, messages, bytes int) error {
	message := make([]byte, bytes)
	for range messages {
		if _, err := c.Write(message); err != nil {
			return err
		}
	}
	return nil
}

// all watches a port without a budget.
func all(port int) Spec {
	spec := Default()
	spec.Ports, spec.Budget = []int{port}, 0
	return spec
}

// TestManyOnTheirWay: of a connection with thousands of messages on their way each has its own instants, and the
// connection goes on as before when they have been read, in reads of many and of a part of one.
func TestManyOnTheirWay(t *testing.T) {
	able(t)
	from, to, at := streams(t, 1)
	spec := all(at)
	spec.Every = 1
	const messages, bytes, rounds = 10_000, 100, 3
	run := watched(t, spec, func() error {
		for round := range rounds {
			if err := send(from[0], messages, bytes); err != nil {
				return err
			}
			read := make([]byte, [rounds]int{128 << 10, 77, bytes}[round])
			for left := messages * bytes; left > 0; {
				n, err := to[0].Read(read)
				if err != nil {
					return err
				}
				left -= n
			}
		}
		return nil
	})
	require.EqualValues(t, rounds*messages, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
	require.EqualValues(t, rounds*messages, count(run, trace.Dest))
	sent, received := int64(math.MinInt64), int64(math.MinInt64)
	for p := range run.Packets {
		require.NoError(t, trace.CheckRow(&p))
		require.IsNonDecreasing(t, []int64{p.T1Ns.Value, p.T2Ns.Value, p.T3Ns.Value, p.T4Ns.Value, p.T5Ns.Value, p.T6Ns.Value})
		require.Greater(t, p.T1Ns.Value, sent, "each is sent after the one before")
		require.GreaterOrEqual(t, p.T6Ns.Value, received)
		sent, received = p.T1Ns.Value, p.T6Ns.Value
	}
}

// TestStreams: all messages of connections that send on and on, while others read as they can, are seen.
func TestStreams(t *testing.T) {
	able(t)
	const connections, messages = 8, 20_000
	from, to, at := streams(t, connections)
	run := watched(t, all(at), func() error {
		errs := make([]error, 2*connections)
		var both sync.WaitGroup
		for i := range connections {
			bytes := []int{1, 60, 100, 1000, 3000, 8000, 20_000, 70_000}[i]
			both.Go(func() { errs[2*i] = errors.Join(send(from[i], messages, bytes), from[i].CloseWrite()) })
			both.Go(func() {
				_, errs[2*i+1] = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{to[i]}, make([]byte, 1000<<i))
			})
		}
		both.Wait()
		return errors.Join(errs...)
	})
	t.Logf("%s; %q", run.Manifest.Verification, run.Manifest.Warnings)
	require.EqualValues(t, connections*messages, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
}

// TestRoomIsGivenBack: messages for which there is no room are counted, and there is room again when the others have
// been read, or their readers are gone.
func TestRoomIsGivenBack(t *testing.T) {
	able(t)
	const connections, messages = 12, 30_000
	from, to, at := streams(t, connections)
	more, late, again := streams(t, 1)
	spec := all(at)
	spec.Ports = append(spec.Ports, again)
	run := watched(t, spec, func() error {
		for i := range connections {
			if err := send(from[i], messages, 100); err != nil {
				return err
			}
		}
		for i := range connections {
			if i%2 == 0 {
				if _, err := io.CopyN(io.Discard, to[i], messages*100); err != nil {
					return err
				}
			}
			if err := to[i].Close(); err != nil {
				return err
			}
		}
		if err := send(more[0], messages, 100); err != nil {
			return err
		}
		_, err := io.CopyN(io.Discard, late[0], messages*100)
		return err
	})
	m := run.Manifest
	t.Logf("%s; %q", m.Verification, m.Warnings)
	require.EqualValues(t, (connections+1)*messages, m.Packets)
	require.EqualValues(t, m.Packets-m.Lost.NotRecorded, count(run, trace.Dest))
	require.Greater(t, count(run, trace.Dest), int64(5*messages), "four that had room, and the last one")
	full, ended := warned(t, run, "were not followed"), warned(t, run, "were not read before their connection ended")
	require.Equal(t, m.Lost.NotRecorded, full+ended+unwatched(t, run))
	require.Less(t, full, int64(connections*messages-512*512+512*connections))
}

// warned returns of how many messages a warning says something, 0 if none does.
func warned(t *testing.T, run *trace.Run, what string) (n int64) {
	t.Helper()
	for _, w := range run.Manifest.Warnings {
		if strings.Contains(w, what) {
			_, err := fmt.Sscan(w, &n)
			require.NoError(t, err)
		}
	}
	return n
}

// unwatched returns how many messages were in packets that TCP's timer has sent while the kernel ran a thread in whose
// interrupts it runs no BPF programs: on some virtual machines their agent is one. Few packets of a run are.
func unwatched(t *testing.T, run *trace.Run) int64 {
	t.Helper()
	n := warned(t, run, "were not seen entering a queueing discipline")
	require.LessOrEqual(t, n, int64(200))
	return n
}

// TestIdleConnections: connections that once had many messages on their way and are idle do not need room.
func TestIdleConnections(t *testing.T) {
	able(t)
	const connections, messages = 600, 100
	from, to, at := streams(t, connections)
	run := watched(t, all(at), func() error {
		for i := range connections {
			if i == connections-1 {
				time.Sleep(1100 * time.Millisecond)
			}
			if err := send(from[i], messages, 100); err != nil {
				return err
			}
			if _, err := io.CopyN(io.Discard, to[i], messages*100); err != nil {
				return err
			}
		}
		return nil
	})
	t.Logf("%q", run.Manifest.Warnings)
	require.EqualValues(t, connections*messages, run.Manifest.Packets)
	// Room is for 512 of them, and of the others for a ring.
	const most = (connections - 512 - 1) * (messages - 32)
	full := warned(t, run, "were not followed")
	require.Positive(t, full)
	require.LessOrEqual(t, full, int64(most))
	require.Equal(t, full+unwatched(t, run), run.Manifest.Lost.NotRecorded)
}

// TestUnread: what a reader has not read when it ends is counted so, and so is what it reads after the other end is gone.
func TestUnread(t *testing.T) {
	able(t)
	const messages = 100
	for _, reads := range []bool{true, false} {
		from, to, at := streams(t, 1)
		run := watched(t, all(at), func() error {
			if err := errors.Join(to[0].CloseWrite(), send(from[0], messages, 100), from[0].Close()); err != nil {
				return err
			}
			if _, err := io.CopyN(io.Discard, to[0], 1000); err != nil {
				return err
			}
			if !reads {
				return to[0].Close()
			}
			for closed := false; !closed; time.Sleep(time.Millisecond) {
				raw, err := to[0].SyscallConn()
				if err != nil {
					return err
				}
				if err := raw.Control(func(fd uintptr) {
					info, failed := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
					err, closed = failed, failed == nil && info.State == unix.BPF_TCP_CLOSE
				}); err != nil {
					return err
				}
			}
			_, err := io.Copy(io.Discard, to[0])
			return err
		})
		require.EqualValues(t, messages, run.Manifest.Packets)
		if reads {
			require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
		} else {
			require.Contains(t, run.Manifest.Warnings, "90 messages were not read before their connection ended")
		}
	}
}

// TestCutShort: a call that sends a part of a message, or nothing, on a socket that does not block counts with what it
// has sent.
func TestCutShort(t *testing.T) {
	able(t)
	from, to, at := streams(t, 1)
	raw, err := from[0].SyscallConn()
	require.NoError(t, err)
	calls, sum := 0, 0
	run := watched(t, all(at), func() error {
		for round := range 50 {
			message := make([]byte, 5000+round)
			var failed error
			if err := raw.Control(func(fd uintptr) {
				for more := 0; failed == nil; more++ {
					var n int
					if n, failed = unix.Write(int(fd), message[:len(message)-more%100]); n > 0 {
						calls++
						sum += n
					}
				}
			}); err != nil || !errors.Is(failed, unix.EAGAIN) {
				return errors.Join(err, failed)
			}
			if n, err := io.CopyN(io.Discard, to[0], int64(sum-5)); err != nil {
				return err
			} else {
				sum -= int(n)
			}
		}
		if _, err := from[0].Write(make([]byte, 10)); err != nil {
			return err
		}
		calls++
		_, err := io.CopyN(io.Discard, to[0], int64(sum+10))
		return err
	})
	t.Logf("%s; %q", run.Manifest.Verification, run.Manifest.Warnings)
	require.EqualValues(t, calls, run.Manifest.Packets)
	require.Zero(t, run.Manifest.Lost.NotRecorded, run.Manifest.Warnings)
}

// TestSpliced: what a proxy splices is counted as that, and does not take the room of others.
func TestSpliced(t *testing.T) {
	able(t)
	from, proxy, at := streams(t, 1)
	out, to, _ := streams(t, 1)
	const messages, bytes = 50_000, 3000
	run := watched(t, all(at), func() error {
		errs := make([]error, 3)
		var each sync.WaitGroup
		each.Go(func() { errs[0] = errors.Join(send(from[0], messages, bytes), from[0].CloseWrite()) })
		each.Go(func() { _, errs[1] = io.Copy(out[0], proxy[0]); errs[1] = errors.Join(errs[1], out[0].CloseWrite()) })
		each.Go(func() { _, errs[2] = io.Copy(io.Discard, to[0]) })
		each.Wait()
		if err := send(proxy[0], 1, bytes); err != nil {
			return err
		}
		_, err := io.CopyN(io.Discard, from[0], bytes)
		return errors.Join(append(errs, err, proxy[0].Close())...)
	})
	t.Logf("%q", run.Manifest.Warnings)
	require.EqualValues(t, messages+1, run.Manifest.Packets)
	require.EqualValues(t, messages, run.Manifest.Lost.NotRecorded)
	for _, w := range run.Manifest.Warnings {
		require.NotContains(t, w, "were not followed")
		require.NotContains(t, w, "other hosts")
	}
}

// TestLateReader: a reader in another network namespace that has not read yet, and sends nothing, is on this host all
// the same.
func TestLateReader(t *testing.T) {
	able(t)
	n := testnet.New(t)
	var l net.Listener
	n.Inside(t, 1, func() (err error) { l, err = net.Listen("tcp", "10.8.0.2:7"); return err })
	defer l.Close()
	const messages = 600
	run := watched(t, all(port(l)), func() error {
		var c net.Conn
		n.Inside(t, 0, func() (err error) { c, err = net.Dial("tcp", l.Addr().String()); return err })
		defer c.Close()
		late, err := l.Accept()
		if err != nil {
			return err
		}
		defer late.Close()
		if err := send(c, messages, 100); err != nil {
			return err
		}
		_, err = io.CopyN(io.Discard, late, messages*100)
		return err
	})
	require.EqualValues(t, messages, run.Manifest.Packets)
	require.EqualValues(t, messages, count(run, trace.Dest), run.Manifest.Warnings)
}
