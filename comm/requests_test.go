package comm_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// requesters are the layers with requests; Active Messages have different libraries.
func requesters(t *testing.T, f func(t *testing.T, layer, on string)) {
	places := slices.Clone(layers)
	for _, on := range []string{"myrinet", "paragon", "meiko"} {
		places = append(places, place{"gam", on})
	}
	for _, at := range places {
		p, err := platform.Load(at.on)
		require.NoError(t, err)
		spec, err := p.LayerSpec(at.layer)
		require.NoError(t, err)
		if spec.Traits().Requests {
			t.Run(at.layer+" on "+at.on, func(t *testing.T) { f(t, at.layer, at.on) })
		}
	}
}

func requester(p *testbed.Process) comm.Requester { return p.Endpoint.(comm.Requester) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// serve answers requests until done holds.
func serve(done *bool) func(*host.Context, *testbed.Process) {
	return func(c *host.Context, p *testbed.Process) {
		for !*done {
			requester(p).Wait(c)
		}
	}
}

// drain waits for all replies.
func drain(c *host.Context, q comm.Requester) {
	for q.Outstanding() > 0 {
		q.Wait(c)
	}
}

// finish waits for all replies and lets the server go, with a request.
func finish(c *host.Context, p *testbed.Process, done *bool, server int) {
	drain(c, requester(p))
	*done = true
	must(requester(p).Request(c, server, 0, [4]uint32{}))
	drain(c, requester(p))
}

// A random sequence of operations on another node's memory leaves what the same
// sequence on a slice does; handlers see the data of their store, and replies
// those of their get.
func TestStoresAndGets(t *testing.T) {
	requesters(t, func(t *testing.T, layer, on string) {
		rapid.Check(t, func(t *rapid.T) {
			const size = 30 * 4096 // a region for each operation, for the data of a store may lie there before those of an earlier one were looked at
			r := testbed.New(t, on, layer, 2, 4096)
			most := 4096
			if m := r.Procs[0].Endpoint.Traits().MaxBytes; m > 0 {
				most = min(most, m)
			}
			near, far := r.Procs[0].Space, r.Procs[1].Space
			mine, theirs := near.Alloc(size), far.Alloc(size)
			want := make([]byte, size) // of their memory
			bytes := func(s *host.Space, at host.Addr, n int) []byte {
				b := make([]byte, n)
				s.ReadAt(at, b)
				return b
			}
			type operation struct{ kind, at, bytes int }
			operations := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) operation {
				return operation{rapid.IntRange(0, 2).Draw(t, "kind"), rapid.IntRange(0, 29).Draw(t, "at"), rapid.IntRange(1, most).Draw(t, "bytes")}
			}), 1, 30).Draw(t, "operations")
			done := false
			a, b := requester(r.Procs[0]), requester(r.Procs[1])
			var expect [][]byte // by operation: what its handler is to see
			seen := 0
			b.Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
				require.Equal(r.T, expect[q.Args[0]], bytes(far, q.At, q.Bytes))
				seen++
				return [4]uint32{q.Args[0], q.Args[1] + 1, uint32(q.Bytes), uint32(q.From)}
			})
			replies := 0
			a.Answered(1, func(_ *host.Context, q comm.Call) {
				require.Equal(r.T, [4]uint32{q.Args[0], 7 + 1, uint32(len(expect[q.Args[0]])), 0}, q.Args)
				require.Equal(r.T, 1, q.From)
				replies++
			})
			r.Go(func(c *host.Context, p *testbed.Process) {
				for i, o := range operations {
					at, k := host.Addr(most*i), o.bytes
					args := [4]uint32{uint32(i), 7}
					switch o.kind {
					case 0:
						expect = append(expect, []byte{})
						must(a.Request(c, 1, 1, args))
					case 1:
						data := testbed.Pattern(uint64(i), k)
						copy(want[at:], data)
						expect = append(expect, data)
						from := p.Endpoint.Buffer(k)
						near.WriteAt(from, data)
						must(a.Store(c, 1, from, theirs+at, k, 1, args))
					case 2:
						at = host.Addr(most * (o.at % (i + 1)))
						data := append([]byte(nil), want[at:][:k]...)
						expect = append(expect, data)
						into := mine + at
						must(a.Get(c, 1, theirs+at, into, k, 1, args))
						drain(c, a) // or another get writes there too
						require.Equal(r.T, data, bytes(near, into, k))
					}
				}
				finish(c, p, &done, 1)
			}, serve(&done))
			require.Equal(r.T, len(operations), seen)
			require.Equal(r.T, len(operations), replies)
			require.Equal(r.T, want, bytes(far, theirs, size))
			require.Zero(r.T, r.Lost())
			for _, node := range r.Nodes {
				require.True(r.T, node.Layer.Quiet())
			}
		})
	})
}

// Requests of several nodes to one are all answered, each to its sender.
func TestManyToOne(t *testing.T) {
	requesters(t, func(t *testing.T, layer, on string) {
		const count, nodes = 40, 4
		r := testbed.New(t, on, layer, nodes, 4096)
		done, left := false, nodes-1
		requester(r.Procs[0]).Handle(3, func(_ *host.Context, q comm.Call) [4]uint32 {
			return [4]uint32{q.Args[0], uint32(q.From)}
		})
		client := func(c *host.Context, p *testbed.Process) {
			q := requester(p)
			next := uint32(0)
			q.Answered(3, func(_ *host.Context, a comm.Call) {
				require.Equal(t, [4]uint32{next, uint32(p.Number)}, a.Args) // in order
				next++
			})
			for i := range count {
				must(q.Request(c, 0, 3, [4]uint32{uint32(i)}))
			}
			drain(c, q)
			require.EqualValues(t, count, next)
			if left--; left == 0 {
				finish(c, p, &done, 0)
			}
		}
		r.Go(serve(&done), client, client, client)
		require.Zero(t, r.Lost())
	})
}

// Nobody hears of the reply to a message but the window.
func TestMessagesAndRequestsTogether(t *testing.T) {
	requesters(t, func(t *testing.T, layer, on string) {
		r := testbed.New(t, on, layer, 2, 4096)
		answers := 0
		requester(r.Procs[0]).Answered(0, func(*host.Context, comm.Call) { answers++ })
		const count = 50
		order := []uint32{}
		requester(r.Procs[1]).Handle(0, func(_ *host.Context, q comm.Call) [4]uint32 {
			order = append(order, q.Args[0])
			return [4]uint32{}
		})
		r.Go(func(c *host.Context, p *testbed.Process) {
			for i := range count {
				must(p.Endpoint.Send(c, 1, p.Endpoint.Buffer(100), 100, trace.Meta{Kind: trace.Message}))
				must(requester(p).Request(c, 1, 0, [4]uint32{uint32(i)}))
			}
			drain(c, requester(p))
		}, func(c *host.Context, p *testbed.Process) {
			into := p.Space.Alloc(100)
			for range count {
				must(received(p.Endpoint.Receive(c, 0, into, 100)))
			}
			for len(order) < count {
				requester(p).Wait(c)
			}
		})
		require.Equal(t, count, answers)
		for i, n := range order {
			require.EqualValues(t, i, n)
		}
	})
}
