package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/lfc"
	"github.com/sigview/sigview/comm/mpi"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var message = trace.Meta{Kind: trace.Message}

// with changes the layer's section of the profile.
func with(change func(*mpi.Spec)) testbed.Change {
	return func(s *cluster.Spec) {
		p, own := *s.Profile, *s.Profile.MPI
		change(&own)
		p.MPI = &own
		s.Profile = &p
	}
}

// over puts MPI over a layer as a platform has it.
func over(layer, from string) testbed.Change {
	p, err := platform.Load(from)
	must(err)
	below, err := p.LayerSpec(layer)
	must(err)
	return with(func(m *mpi.Spec) { m.Over, m.Lower = layer, below })
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func eager(bytes int) testbed.Change { return with(func(m *mpi.Spec) { m.EagerBytes = bytes }) }

// places are the layers that MPI runs on, with the platform whose layer it is.
var places = []struct{ on, over, from string }{
	{"ppro", "fm", "ppro"}, {"ppro", "fm21", "ppro"}, {"ppro", "pm", "ppro"},
	{"das-myrinet", "lfc", "das-myrinet"}, {"das-wan", "tcp", "das-wan"}, {"ppro", "gm", "gm-p3"},
}

func bed(t testbed.T, place, nodes, most int, changes ...testbed.Change) *testbed.Test {
	x := places[place]
	return testbed.New(t, x.on, "mpi", nodes, most, append([]testbed.Change{over(x.over, x.from)}, changes...)...)
}

func quiet(t testbed.T, r *testbed.Test) {
	require.Zero(t, r.Lost())
	for _, n := range r.Nodes {
		require.True(t, n.Layer.Quiet())
	}
}

func count(r *testbed.Test, name string) (n uint64) {
	for i := range r.Nodes {
		n += r.Count(i, name)
	}
	return n
}

func endpoint(p *testbed.Process) *mpi.Endpoint { return p.Endpoint.(*mpi.Endpoint) }

// TestMessages: what every layer has to pass, over every layer and for every
// division into eager and rendezvous.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 20000), 1, 12).Draw(t, "sizes")
		place := rapid.IntRange(0, len(places)-1).Draw(t, "place")
		r := bed(t, place, 2, 20000, eager(rapid.SampledFrom([]int{0, 1000, 128000}).Draw(t, "eager")))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 6).Draw(t, "turn"), sizes...)
		quiet(t, r)
	})
}

// exchange is a message of a plan.
type exchange struct{ tag, bytes int }

// TestMatching: receives by source and tag, posted in any order, each get a message
// of theirs, whole, and those of one source and tag in the order of the sends.
func TestMatching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const senders, most = 2, 3000
		place := rapid.IntRange(0, len(places)-1).Draw(t, "place")
		plan := [senders][]exchange{}
		type wish struct {
			from, tag int
			post      bool
		}
		var wishes []wish
		for s := range senders {
			for range rapid.IntRange(1, 8).Draw(t, "messages") {
				x := exchange{rapid.IntRange(0, 2).Draw(t, "tag"), rapid.IntRange(4, most).Draw(t, "bytes")}
				plan[s] = append(plan[s], x)
				wishes = append(wishes, wish{s + 1, x.tag, rapid.Bool().Draw(t, "post")})
			}
		}
		wishes = rapid.Permutation(wishes).Draw(t, "order")
		r := bed(t, place, senders+1, most, eager(rapid.SampledFrom([]int{1500, 128000}).Draw(t, "eager")))
		programs := []func(*host.Context, *testbed.Process){func(c *host.Context, p *testbed.Process) {
			e := endpoint(p)
			held := make([]*mpi.Request, len(wishes))
			at := make([]host.Addr, len(wishes))
			for i, w := range wishes {
				at[i] = p.Space.Alloc(most)
				if w.post {
					var err error
					held[i], err = e.Irecv(c, w.from, w.tag, at[i], most)
					must(err)
				}
			}
			for i, w := range wishes {
				if !w.post { // it takes a later message of its source and tag
					var err error
					held[i], err = e.Irecv(c, w.from, w.tag, at[i], most)
					must(err)
				}
			}
			got := map[[2]int][]int{}
			for _, posts := range []bool{true, false} {
				for i, w := range wishes {
					if w.post != posts {
						continue
					}
					m, err := e.Wait(c, held[i])
					must(err)
					number := int(p.Space.Load32(at[i]))
					x := plan[w.from-1][number]
					require.Equal(t, comm.Message{From: w.from, Bytes: x.bytes, At: at[i]}, m)
					require.Equal(t, w.tag, x.tag)
					k := [2]int{w.from, w.tag}
					if n := len(got[k]); n > 0 {
						require.Greater(t, number, got[k][n-1], "messages of a source and a tag do not overtake one another")
					}
					got[k] = append(got[k], number)
				}
			}
		}}
		for s := range senders {
			programs = append(programs, func(c *host.Context, p *testbed.Process) {
				for i, x := range plan[s] {
					at := p.Endpoint.Buffer(x.bytes)
					p.Space.Store32(at, uint32(i))
					must(endpoint(p).SendTagged(c, 0, x.tag, at, x.bytes, message))
				}
			})
		}
		r.Go(programs...)
		quiet(t, r)
	})
}

// TestBothSend: processes that send long messages round a ring before they receive do
// not wait for one another.
func TestBothSend(t *testing.T) {
	const nodes, bytes = 3, 200000
	for place := range places {
		r := bed(t, place, nodes, bytes)
		var programs []func(*host.Context, *testbed.Process)
		for range nodes {
			programs = append(programs, func(c *host.Context, p *testbed.Process) {
				out, in := p.Endpoint.Buffer(bytes), p.Endpoint.Buffer(bytes)
				before, after := (p.Number+nodes-1)%nodes, (p.Number+1)%nodes
				p.Space.WriteAt(out, testbed.Pattern(uint64(p.Number), bytes))
				must(p.Endpoint.Send(c, after, out, bytes, message))
				_, err := p.Endpoint.Receive(c, before, in, bytes)
				must(err)
				got := make([]byte, bytes)
				p.Space.ReadAt(in, got)
				require.Equal(t, testbed.Pattern(uint64(before), bytes), got)
			})
		}
		r.Go(programs...)
		quiet(t, r)
		require.EqualValues(t, nodes, count(r, "rendezvous"))
		require.NotZero(t, count(r, "accepted"))
	}
}

// receive times a receive of n bytes at node 1, posted before the message is sent or
// begun when it has long been there, µs. Before it, messages make the memory warm.
func receive(t testbed.T, place, n int, post bool, changes ...testbed.Change) (us float64, r *testbed.Test) {
	const rounds = 5
	r = bed(t, place, 2, max(n, 8), changes...)
	r.Go(func(c *host.Context, p *testbed.Process) {
		at := p.Endpoint.Buffer(max(n, 8))
		for range rounds {
			_, err := p.Endpoint.Receive(c, 1, at, 8)
			must(err)
			must(p.Endpoint.Send(c, 1, at, n, message))
		}
	}, func(c *host.Context, p *testbed.Process) {
		at, ready := p.Endpoint.Buffer(max(n, 8)), p.Endpoint.Buffer(8)
		for range rounds {
			if post {
				must(p.Endpoint.Post(c, 0, at, n))
			}
			must(p.Endpoint.Send(c, 0, ready, 8, message))
			c.Spend(200 * sim.Millisecond)
			begin := c.Now()
			_, err := p.Endpoint.Receive(c, 0, at, n)
			must(err)
			us = c.Now().Sub(begin).Us()
		}
	})
	quiet(t, r)
	return us, r
}

// TestUnexpectedCosts: a message that the watchdog has taken before its receive is copied
// twice; one that a receive expects, or finds in the layer below, once.
func TestUnexpectedCosts(t *testing.T) {
	const place, n = 3, 16000
	late, r := receive(t, place, n, false)
	require.EqualValues(t, 5, r.Count(1, "unexpected"))
	early, r := receive(t, place, n, true)
	require.Zero(t, r.Count(1, "unexpected"))
	require.NotZero(t, r.Count(1, "interrupts"))
	without, r := receive(t, place, n, false, with(func(m *mpi.Spec) { m.Lower.(*lfc.Spec).Watchdog = 0 }))
	require.Zero(t, r.Count(1, "unexpected"))
	t.Logf("receive of %d B: %.1f µs unexpected, %.1f posted and taken by the watchdog, %.1f found below", n, late, early, without)
	require.Less(t, early, 5.0, "nothing is left to do")
	require.InDelta(t, n/180.0, late-early, 0.2*n/180, "the copy from memory of the library, which is warm")
	require.Greater(t, without, n/150.0, "the copy from memory that a device has written")
}

// TestWarmth: what a copy of an unexpected message takes depends on what is in the
// cache: memory that other data has pushed out makes it slower.
func TestWarmth(t *testing.T) {
	const n, rounds = 8000, 4
	took := func(cold bool) float64 {
		r := bed(t, 3, 2, n)
		us := 0.0
		r.Go(func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(n)
			for range rounds {
				_, err := p.Endpoint.Receive(c, 1, at, 8)
				must(err)
				must(p.Endpoint.Send(c, 1, at, n, message))
			}
		}, func(c *host.Context, p *testbed.Process) {
			at, other := p.Endpoint.Buffer(n), p.Space.Alloc(4<<20)
			for range rounds {
				must(p.Endpoint.Send(c, 0, at, 8, message))
				c.Spend(20 * sim.Millisecond)
				if cold {
					c.CopyWithin(p.Space, other, other+2<<20, 2<<20)
				}
				begin := c.Now()
				_, err := p.Endpoint.Receive(c, 0, at, n)
				must(err)
				us = c.Now().Sub(begin).Us()
			}
		})
		require.EqualValues(t, rounds, r.Count(1, "unexpected"))
		return us
	}
	warm, cold := took(false), took(true)
	t.Logf("receive of %d B: %.1f µs warm, %.1f cold", n, warm, cold)
	require.InDelta(t, n/70.0-n/180.0, cold-warm, 0.25*n/70)
}

// TestTooLong: a message that does not fit is an error, and can be received by a
// receive that has room.
func TestTooLong(t *testing.T) {
	for place := range places {
		for _, long := range []int{100, 3000} {
			r := bed(t, place, 2, 3000, eager(1000))
			r.Go(func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(long)
				must(p.Endpoint.Send(c, 1, at, long, message))
				must(p.Endpoint.Send(c, 1, at, long, message))
			}, func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(long)
				for range 2 {
					for range 2 {
						_, err := p.Endpoint.Receive(c, 0, at, long-1)
						require.ErrorContains(t, err, "want at most the")
					}
					m, err := p.Endpoint.Receive(c, 0, at, long)
					must(err)
					require.Equal(t, comm.Message{From: 0, Bytes: long, At: at}, m)
				}
			})
			quiet(t, r)
		}
	}
}

// TestOver: layers that cannot carry MPI are refused with what is wanted.
func TestOver(t *testing.T) {
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	for layer, want := range map[string]string{
		"vmmc": "a layer of sends and receives whose messages arrive once and in order",
		"bip":  "a layer of sends and receives whose messages arrive once and in order",
		"gam":  "a layer of sends and receives whose messages arrive once and in order",
		"mpi":  "want another layer", "rpc": "has no section", "xyz": "unknown layer",
	} {
		set, err := platform.ParseOverlays("test", []byte("[x.mpi]\nover = \""+layer+"\"\n"))
		require.NoError(t, err)
		_, err = p.With(set.Of("x"))
		require.ErrorContains(t, err, want, layer)
		require.ErrorContains(t, err, "mpi.over")
	}
}
