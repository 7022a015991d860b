package fm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/fm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

func library(p *testbed.Process) *fm.Endpoint { return p.Endpoint.(*fm.Endpoint) }

// pieces draws how a message of n bytes is cut.
func pieces(t *rapid.T, n int, label string) (out []int) {
	for left := n; left > 0; {
		k := min(left, rapid.IntRange(1, 3000).Draw(t, label))
		out = append(out, k)
		left -= k
	}
	return out
}

// TestGatherScatter: messages in pieces from anywhere, read in other pieces to
// anywhere, from several senders at once, whose packets come in any order.
func TestGatherScatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 12000
		nodes := rapid.IntRange(2, 4).Draw(t, "nodes")
		r := testbed.New(t, "ppro", "fm", nodes, most)
		size := make([]int, nodes)
		gather, scatter := make([][]int, nodes), make([][]int, nodes)
		for i := 1; i < nodes; i++ {
			size[i] = rapid.IntRange(0, most).Draw(t, "size")
			gather[i], scatter[i] = pieces(t, size[i], "gather"), pieces(t, size[i], "scatter")
		}
		programs := []func(c *host.Context, p *testbed.Process){func(c *host.Context, p *testbed.Process) {
			ended, got, base, next := 0, make([][]byte, nodes), make([]host.Addr, nodes), make([]int, nodes)
			must(library(p).Handle(7, func(_ *host.Context, m *fm.Arrival) (host.Addr, int) {
				require.Equal(t, size[m.From], m.Bytes)
				if m.Done > 0 {
					n := scatter[m.From][next[m.From]]
					got[m.From] = append(got[m.From], read(p.Space, base[m.From], n)...)
					next[m.From]++
				}
				if m.Left() == 0 {
					ended++
					return 0, 0
				}
				n := scatter[m.From][next[m.From]]
				base[m.From] = p.Space.Alloc(int64(n)+17) + host.Addr(m.Done%17)
				return base[m.From], n
			}))
			for ended < nodes-1 {
				p.Endpoint.Poll(c)
			}
			for i := 1; i < nodes; i++ {
				require.Equal(t, testbed.Pattern(uint64(i), size[i]), append([]byte{}, got[i]...))
			}
		}}
		for range nodes - 1 {
			programs = append(programs, func(c *host.Context, p *testbed.Process) {
				s, err := library(p).Begin(0, 7, size[p.Number], message)
				must(err)
				data, b := testbed.Pattern(uint64(p.Number), size[p.Number]), p.Endpoint.Buffer(3000)
				for _, n := range gather[p.Number] {
					p.Space.WriteAt(b, data[:n]) // the buffer is free again after each piece
					must(s.Piece(c, b, n))
					data = data[n:]
				}
				must(s.End(c))
			})
		}
		r.Go(programs...)
		require.Zero(t, r.Lost())
	})
}

// TestHandlerRunsAheadOfTheSend: the handler reads the first packet while the
// sender still computes the rest of the message (userspace §4.1.5).
func TestHandlerRunsAheadOfTheSend(t *testing.T) {
	const size = 4096
	for _, c := range []struct {
		first int
		ahead bool
	}{{1000, false}, {1024, true}} { // a packet leaves when it is full
		r := rig(t, size)
		var begun, ended sim.Time
		r.Go(func(x *host.Context, p *testbed.Process) {
			b := p.Endpoint.Buffer(size)
			s, err := library(p).Begin(1, 1, size, message)
			must(err)
			must(s.Piece(x, b, c.first))
			x.Spend(sim.Millisecond)
			must(s.Piece(x, b, size-c.first))
			must(s.End(x))
			ended = x.Now()
		}, func(x *host.Context, p *testbed.Process) {
			b, done := p.Space.Alloc(size), false
			must(library(p).Handle(1, func(y *host.Context, m *fm.Arrival) (host.Addr, int) {
				if m.Done == 0 {
					begun = y.Now()
				}
				done = m.Left() == 0
				return b, m.Left()
			}))
			for !done {
				p.Endpoint.Poll(x)
			}
		})
		require.Equal(t, c.ahead, begun < sim.Time(sim.Millisecond/2), "handler at %v, send over at %v", begun, ended)
		require.Greater(t, ended, begun)
	}
}

// TestUnwanted: what a handler does not read, and messages for no handler, are
// counted; what follows is not touched by that.
func TestUnwanted(t *testing.T) {
	r := rig(t, 5000)
	var come []int
	r.Go(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(5000)
		for _, h := range []uint8{1, 9, 1} {
			s, err := library(p).Begin(1, h, 5000, message)
			must(err)
			must(s.Piece(c, b, 5000))
			must(s.End(c))
		}
		must(p.Endpoint.Send(c, 1, b, 3, message))
	}, func(c *host.Context, p *testbed.Process) {
		b := p.Space.Alloc(5000)
		must(library(p).Handle(1, func(_ *host.Context, m *fm.Arrival) (host.Addr, int) {
			come = append(come, m.Done)
			if m.Done > 0 {
				return 0, 0
			}
			return b, 1500
		}))
		got, err := p.Endpoint.Receive(c, 0, b, 2)
		require.ErrorContains(t, err, "a message of 3 B of node 0, want at most the 2 B")
		require.Equal(t, 3, got.Bytes)
	})
	require.Equal(t, []int{0, 1500, 0, 1500}, come)
	s := r.Nodes[1].Layer.(*fm.Node).Stats()
	require.EqualValues(t, 7000, s.Unread)
	require.EqualValues(t, 1, s.Unhandled)
	require.EqualValues(t, 1, r.Lost())
}

// TestMisuse: what cannot be is refused, with what was wanted.
func TestMisuse(t *testing.T) {
	r := rig(t, 64)
	r.Go(func(c *host.Context, p *testbed.Process) {
		e, b := library(p), p.Endpoint.Buffer(64)
		for _, peer := range []int{-2, 0, 2} {
			require.ErrorContains(t, e.Send(c, peer, b, 1, message), "want another one of 2")
			_, err := e.Receive(c, peer, b, 1)
			require.ErrorContains(t, err, "want another one of 2")
		}
		require.ErrorContains(t, e.Handle(0, nil), "handler 0 is Receive's")
		_, err := e.Begin(1, 1, -1, message)
		require.ErrorContains(t, err, "message of -1 B")
		s, err := e.Begin(1, 0, 64, message)
		require.NoError(t, err)
		require.ErrorContains(t, s.Piece(c, b, 65), "at most the 64 B")
		require.ErrorContains(t, s.Piece(c, 1<<40, 4), "not all allocated")
		require.ErrorContains(t, s.End(c), "of which 0 have been given")
		require.ErrorContains(t, e.Send(c, 1, b, 1, message), "want the one before ended")
		require.NoError(t, s.Piece(c, b, 64))
		require.NoError(t, s.End(c))
		require.ErrorContains(t, s.End(c), "has ended")
		require.ErrorContains(t, s.Piece(c, b, 1), "has ended")
	})
}

// TestWildHandler: a handler that wants bytes where there is no memory ends the
// process's communication with an error that says so.
func TestWildHandler(t *testing.T) {
	r := rig(t, 64)
	r.Go(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(64)
		s, err := library(p).Begin(1, 1, 64, message)
		must(err)
		must(s.Piece(c, b, 64))
		must(s.End(c))
	}, func(c *host.Context, p *testbed.Process) {
		must(library(p).Handle(1, func(*host.Context, *fm.Arrival) (host.Addr, int) { return 1 << 40, 64 }))
		_, err := p.Endpoint.Receive(c, 0, p.Space.Alloc(64), 64)
		require.ErrorContains(t, err, "want allocated memory")
		require.Error(t, p.Endpoint.Send(c, 0, p.Space.Alloc(64), 64, message))
	})
}

// TestFewPlaces: however small the region, a sender has two places, and one
// packet in two waits for a credit.
func TestFewPlaces(t *testing.T) {
	r := testbed.New(t, "ppro", "fm", 3, 5000, func(s *cluster.Spec) { s.Profile.FM.RegionBytes = 64 })
	require.EqualValues(t, 2, r.Nodes[0].Layer.(*fm.Node).Credits())
	r.Deliver(1, 2, 5000, 0, 1, 4000, 1024)
	require.Zero(t, r.Lost())
	require.EqualValues(t, 5+1+1+4+1, r.Nodes[1].Layer.(*fm.Node).Stats().Credits)
}

// TestSpec: flaws are named by their field.
func TestSpec(t *testing.T) {
	for want, flaw := range map[string]func(*fm.Spec){
		`fm.version is "2.0", want 2.02 or 2.1`: func(s *fm.Spec) { s.Version = "2.0" },
		"fm.region_bytes is 0":                  func(s *fm.Spec) { s.RegionBytes = 0 },
		"fm21.region_bytes is -1":               func(s *fm.Spec) { s.Version, s.RegionBytes = "2.1", -1 },
		"fm.landing_bytes is 100":               func(s *fm.Spec) { s.LandingBytes = 100 },
		"fm.firmware.request_bytes is 1000, want at least packet_bytes + 4·request_words": func(s *fm.Spec) { s.Firmware.RequestBytes = 1000 },
		"fm.firmware.send_packets is 0": func(s *fm.Spec) { s.Firmware.SendPackets = 0 },
		"fm.host.poll_us is 0":          func(s *fm.Spec) { s.Host.Poll = 0 },
	} {
		testbed.New(t, "ppro", "fm", 2, 1, func(c *cluster.Spec) {
			s := *c.Profile.FM
			flaw(&s)
			require.ErrorContains(t, s.Validate(), want)
		})
	}
}
