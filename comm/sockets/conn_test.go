package sockets_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/sockets"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

func write(x *host.Context, c *sockets.Conn, b []byte) (int, error) {
	space := c.Stack().Space()
	a := space.Alloc(int64(len(b)))
	space.WriteAt(a, b)
	return c.Write(x, a, len(b))
}

func read(x *host.Context, c *sockets.Conn, n int) ([]byte, error) {
	space := c.Stack().Space()
	a := space.Alloc(int64(n))
	k, err := c.Read(x, a, n)
	b := make([]byte, k)
	space.ReadAt(a, b)
	return b, err
}

// TestEndOfStream: what was written is read to the end, in one direction and
// then in the other.
func TestEndOfStream(t *testing.T) {
	r := newRig(t, 2, 1, sockets.Default(), fabric.Faults{})
	big := random(3, 30000)
	r.pair(func(x *host.Context, c *sockets.Conn) {
		_, err := write(x, c, []byte("first"))
		require.NoError(t, err)
		_, err = write(x, c, big)
		require.NoError(t, err)
		require.NoError(t, c.CloseWrite(x))
		require.ErrorIs(t, c.CloseWrite(x), sockets.ErrClosed)
		_, err = write(x, c, []byte("more"))
		require.ErrorIs(t, err, sockets.ErrClosed)
		// The other direction goes on.
		b, err := read(x, c, 100)
		require.NoError(t, err)
		require.Equal(t, "answer", string(b))
		_, err = read(x, c, 100)
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, c.Close(x))
		require.ErrorIs(t, c.Close(x), sockets.ErrClosed)
		_, err = read(x, c, 100)
		require.ErrorIs(t, err, sockets.ErrClosed)
		_, err = write(x, c, []byte("more"))
		require.ErrorIs(t, err, sockets.ErrClosed)
	}, func(x *host.Context, c *sockets.Conn) {
		var all []byte
		for {
			b, err := read(x, c, 7000)
			all = append(all, b...)
			if err != nil {
				require.ErrorIs(t, err, io.EOF)
				break
			}
			require.NotEmpty(t, b)
		}
		require.True(t, c.Ended())
		require.True(t, bytes.Equal(append([]byte("first"), big...), all))
		_, err := write(x, c, []byte("answer"))
		require.NoError(t, err)
		require.NoError(t, c.Close(x))
	})
	require.NoError(t, r.run(sim.Second))
}

// TestCloseIsSeenByAWriter: a writer that waits for room goes on with an error
// when the reader closes.
func TestCloseIsSeenByAWriter(t *testing.T) {
	spec := sockets.Default()
	spec.RingBytes = 16384
	r := newRig(t, 2, 1, spec, fabric.Faults{})
	var wrote int
	r.pair(func(x *host.Context, c *sockets.Conn) {
		n, err := write(x, c, random(1, 200000))
		require.ErrorIs(t, err, sockets.ErrReset)
		wrote = n
	}, func(x *host.Context, c *sockets.Conn) {
		x.Sleep(5 * sim.Millisecond)
		require.NoError(t, c.Close(x))
	})
	require.NoError(t, r.run(sim.Second))
	require.Equal(t, 16384, wrote, "as much as the ring holds")
}

// TestBackPressure: a writer gets ahead of its reader by the rings and no more.
func TestBackPressure(t *testing.T) {
	for _, size := range []int{1, 56, 1000, 4096} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			spec := sockets.Default()
			spec.RingBytes, spec.Entries = 16384, 16
			r := newRig(t, 2, 1, spec, fabric.Faults{})
			const calls = 100
			ahead, sent := 0, 0
			r.pair(func(x *host.Context, c *sockets.Conn) {
				for range calls {
					_, err := write(x, c, make([]byte, size))
					require.NoError(t, err)
					sent++
				}
			}, func(x *host.Context, c *sockets.Conn) {
				x.Sleep(50 * sim.Millisecond)
				ahead = sent
				require.Equal(t, ahead*size, c.Buffered())
				a := c.Stack().Space().Alloc(int64(size))
				for range calls {
					mustRead(t, x, c, a, size)
				}
			})
			require.NoError(t, r.run(sim.Second))
			want := 14 // entries, less two for the end
			if size > 112 {
				want = 4 // pages
			}
			require.Equal(t, want, ahead)
			require.Equal(t, calls, sent)
			require.NotZero(t, r.net.Stack(0).Stats().Waits)
		})
	}
}

// TestWrongUse names what is wrong.
func TestWrongUse(t *testing.T) {
	r := newRig(t, 3, 1, sockets.Default(), fabric.Faults{})
	r.pair(func(x *host.Context, c *sockets.Conn) {
		s := c.Stack()
		_, err := s.Dial(x, 0, 7)
		require.ErrorContains(t, err, "node 0 dials node 0")
		_, err = s.Dial(x, 3, 7)
		require.ErrorContains(t, err, "another one of the 3")
		_, err = s.Dial(x, 2, 7)
		require.ErrorIs(t, err, sockets.ErrRefused)
		_, err = s.Dial(x, 1, 8)
		require.ErrorIs(t, err, sockets.ErrRefused)
		_, err = c.Write(x, 16, 4)
		require.ErrorContains(t, err, "write of 4 B at 0x10, want memory of the process")
		_, err = c.Read(x, 1<<40, 4)
		require.ErrorContains(t, err, "read of 4 B")
		_, _, err = c.Finish(x)
		require.ErrorContains(t, err, "Finish without Start")
		a := s.Space().Alloc(10)
		n, err := c.Write(x, a, 0)
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, c.Start(x, a, 10))
		_, err = c.Read(x, a, 10)
		require.ErrorIs(t, err, sockets.ErrBusy)
		require.NoError(t, c.Close(x))
		_, _, err = c.Finish(x)
		require.ErrorIs(t, err, sockets.ErrClosed)
		require.Equal(t, 1, c.Peer())
	}, func(x *host.Context, c *sockets.Conn) {
		_, err := c.Stack().Listen(7, sockets.Events{})
		require.ErrorContains(t, err, "listens at port 7 already")
		_, err = read(x, c, 10)
		require.ErrorIs(t, err, io.EOF)
		require.True(t, c.Ended())
	})
	require.NoError(t, r.run(sim.Second))

	for _, c := range []struct {
		change func(*sockets.Spec)
		want   string
	}{
		{func(s *sockets.Spec) { s.RingBytes = 10000 }, "sockets.RingBytes is 10000, want a power of two from 16384"},
		{func(s *sockets.Spec) { s.RingBytes = 8192 }, "sockets.RingBytes is 8192"},
		{func(s *sockets.Spec) { s.Entries = 4 }, "sockets.Entries is 4"},
		{func(s *sockets.Spec) { s.Entries = 128 }, "sockets.Entries is 128"},
		{func(s *sockets.Spec) { s.CopyBytes = 1 << 20 }, "sockets.CopyBytes is 1048576, want 0 to a quarter"},
		{func(s *sockets.Spec) { s.RedirectBytes = -1 }, "sockets.RedirectBytes is -1"},
	} {
		s := sockets.Default()
		c.change(&s)
		_, err := sockets.New(s, nil)
		require.ErrorContains(t, err, c.want)
	}
}

// TestCallsAtOnce: several programs of a node call the same port at once; a
// listener that closes refuses those that still wait.
func TestCallsAtOnce(t *testing.T) {
	for _, blocking := range []bool{false, true} {
		spec := sockets.Default()
		spec.Blocking = blocking
		r := newRig(t, 4, 1, spec, fabric.Faults{})
		r.program(3, func(x *host.Context, s *sockets.Stack) {
			l, err := s.Listen(1, sockets.Events{})
			require.NoError(t, err)
			for range 4 {
				c, err := l.Accept(x)
				require.NoError(t, err)
				b, err := read(x, c, 10)
				require.NoError(t, err)
				_, err = write(x, c, append(b, byte('0'+c.Peer())))
				require.NoError(t, err)
			}
			for l.Pending() == 0 {
				x.Sleep(10 * sim.Microsecond)
			}
			l.Close(x)
			_, err = l.Accept(x)
			require.ErrorIs(t, err, sockets.ErrClosed)
		})
		refused, served := 0, 0
		for i := range 6 {
			r.program(i%3, func(x *host.Context, s *sockets.Stack) {
				x.Sleep(100 * sim.Microsecond)
				c, err := s.Dial(x, 3, 1)
				if err != nil {
					require.ErrorIs(t, err, sockets.ErrRefused)
					refused++
					return
				}
				_, err = write(x, c, []byte{byte('a' + i)})
				require.NoError(t, err)
				a := s.Space().Alloc(2)
				mustRead(t, x, c, a, 2)
				require.Equal(t, []byte{byte('a' + i), byte('0' + i%3)}, s.Space().Bytes(a, 2))
				served++
			})
		}
		require.NoError(t, r.run(5*sim.Second))
		require.Equal(t, 4, served)
		require.Equal(t, 2, refused)
	}
}

// TestShortReadsOfAFlow: a reader that waits with a large buffer gets what
// comes first, and none of what comes behind it is lost in the buffer.
func TestShortReadsOfAFlow(t *testing.T) {
	const total = 600_000
	sent := random(8, total)
	for _, size := range []int{3000, 9000, 50_000, 200_000} {
		p, err := platform.Load("shrimp")
		require.NoError(t, err)
		p.Host.Quantum = 400 * sim.Microsecond
		r := newRigOn(t, cluster.Spec{Profile: p, Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}}, sockets.Default())
		var got []byte
		calls := 0
		r.pair(func(x *host.Context, c *sockets.Conn) {
			space := c.Stack().Space()
			a := space.Alloc(total)
			space.WriteAt(a, sent)
			x.Sleep(100 * sim.Microsecond) // the reader waits
			for i := 0; i < total; i += size {
				_, err := c.Lend(x, a+host.Addr(i), min(size, total-i))
				require.NoError(t, err)
			}
			require.NoError(t, c.Flush(x))
			require.NoError(t, c.Close(x))
		}, func(x *host.Context, c *sockets.Conn) {
			for {
				b, err := read(x, c, 150_000)
				got = append(got, b...)
				if err != nil {
					require.ErrorIs(t, err, io.EOF)
					return
				}
				calls++
			}
		})
		// The reader does not have its CPU when much of the flow comes.
		r.program(1, func(x *host.Context, _ *sockets.Stack) {
			x.Sleep(50 * sim.Microsecond)
			x.Compute(host.Work{Time: 20 * sim.Millisecond})
		})
		require.NoError(t, r.run(sim.Second))
		require.True(t, bytes.Equal(sent, got))
		s := r.net.Stack(1).Stats()
		t.Logf("%d B a write: %d reads, %d B redirected, %d B drained", size, calls, s.Redirected, s.Drained)
		require.NotZero(t, s.Redirected)
		require.Greater(t, calls, 3)
	}
}

// TestOvertaking: where messages overtake one another, entries and data come
// out of order, nothing is redirected, and the stream is right.
func TestOvertaking(t *testing.T) {
	for name, cards := range map[string]ni.Uncontended{
		"wire": {NetDMA: true, Slots: true}, "slots": {Slots: true}, "host DMA": {HostDMA: true},
	} {
		for _, blocking := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, blocking %t", name, blocking), func(t *testing.T) {
				p, err := platform.Load("shrimp")
				require.NoError(t, err)
				built := cluster.Spec{Profile: p, Nodes: 2, Seed: 1, Options: monitor.Options{Build: monitor.Off}, Ports: true, Cards: cards}
				spec := sockets.Default()
				spec.Blocking = blocking
				r := newRigOn(t, built, spec)
				sent, got, err := transfer(r, 300_000, 3_333)
				require.NoError(t, err)
				require.True(t, bytes.Equal(sent, got))
			})
		}
	}
}

// TestServer is a server that only notifications start, under the programs of
// its own node, with several clients that send more than the rings hold.
func TestServer(t *testing.T) {
	const nodes, calls, size = 4, 12, 9000
	spec := sockets.Default()
	spec.RingBytes, spec.Entries = 16384, 8
	r := newRig(t, nodes, 1, spec, fabric.Faults{})
	for i := range nodes {
		s := r.net.Stack(i)
		var serve *host.Context
		var ready []*sockets.Conn
		l, err := s.Listen(1, sockets.Events{
			Knock: func() { serve.Interrupt() },
			Ready: func(c *sockets.Conn) { ready = append(ready, c); serve.Interrupt() },
		})
		require.NoError(t, err)
		serve = s.Host().Go("server", host.Handler, func(x *host.Context) {
			a := s.Space().Alloc(size)
			for {
				for l.Pending() > 0 {
					_, err := l.Accept(x)
					require.NoError(t, err)
				}
				for len(ready) > 0 {
					c := ready[0]
					ready = ready[1:]
					for c.Buffered() > 0 {
						// The server waits in the middle of reading and writing.
						mustRead(t, x, c, a, size)
						mustWrite(t, x, c, a, size)
					}
				}
				x.WaitInterrupt("a request")
			}
		})
	}
	for i := range nodes {
		r.program(i, func(x *host.Context, s *sockets.Stack) {
			var conns []*sockets.Conn
			for j := range nodes {
				if j != i {
					c, err := s.Dial(x, j, 1)
					require.NoError(t, err)
					conns = append(conns, c)
				}
			}
			a, b := s.Space().Alloc(size), s.Space().Alloc(size)
			for k := range calls {
				c := conns[k%len(conns)]
				data := random(uint64(100*i+k), size)
				s.Space().WriteAt(a, data)
				mustWrite(t, x, c, a, size)
				x.Compute(host.Work{Ints: 2000})
				mustRead(t, x, c, b, size)
				got := make([]byte, size)
				s.Space().ReadAt(b, got)
				require.True(t, bytes.Equal(data, got))
			}
		})
	}
	require.NoError(t, r.run(sim.Second))
	for i := range nodes {
		shares := r.c.Nodes[i].Host.Shares()
		require.Len(t, shares, 1)
		require.NotZero(t, shares[0].Time[host.Service])
		require.NotZero(t, shares[0].Time[host.Messaging])
		require.NotZero(t, shares[0].Time[host.MessageWait])
	}
}

// TestSameBytesEveryTime: two runs have the same events.
func TestSameBytesEveryTime(t *testing.T) {
	digest := func() uint64 {
		r := newRig(t, 2, 5, sockets.Default(), fabric.Faults{ErrorPerByte: 1e-5})
		r.pair(func(x *host.Context, c *sockets.Conn) {
			for n := 1; n < 100000; n *= 3 {
				_, err := write(x, c, random(1, n))
				require.NoError(t, err)
			}
			require.NoError(t, c.Close(x))
		}, func(x *host.Context, c *sockets.Conn) {
			for {
				if _, err := read(x, c, 5000); err != nil {
					return
				}
			}
		})
		require.NoError(t, r.run(sim.Second))
		return r.c.Engine.Digest()
	}
	require.Equal(t, digest(), digest())
}

// FuzzEntry: what can be decoded is what encodes to it.
func FuzzEntry(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 4, 0, 0, 1, 'a', 'b', 'c', 'd'})
	f.Add([]byte{2, 0, 0, 0, 0, 16, 0, 2, 0, 16, 0, 0})
	f.Add([]byte{3, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0})
	f.Add([]byte{3, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		again, err := sockets.Parse(b, 16384)
		if err == nil {
			n := min(len(again), len(b))
			require.Equal(t, b[:n], again[:n])
		}
	})
}
