package rpc_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/calls"
	"github.com/sigview/sigview/comm/rpc"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// with changes the layer's section of the profile.
func with(change func(*rpc.Spec)) testbed.Change {
	return func(s *cluster.Spec) {
		p, own := *s.Profile, *s.Profile.RPC
		change(&own)
		p.RPC = &own
		s.Profile = &p
	}
}

// count returns the sum of a counter over the nodes.
func count(r *testbed.Test, name string) (n uint64) {
	for i := range r.Nodes {
		n += r.Count(i, name)
	}
	return n
}

// exactlyOnce has every node from 1 on call node 0 with rising numbers, and
// requires that its procedure runs once for each, in each caller's order.
func exactlyOnce(r *testbed.Test, messages int) {
	nodes := len(r.Nodes)
	finished := 1
	next := make([]uint32, nodes)
	programs := []func(*host.Context, *testbed.Process){func(c *host.Context, p *testbed.Process) {
		requester(p).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
			require.Equal(r.T, next[q.From], q.Args[0])
			next[q.From]++
			return [4]uint32{^q.Args[0]}
		})
		for finished < nodes {
			requester(p).Poll(c)
			c.Sleep(5 * sim.Millisecond)
		}
	}}
	for range nodes - 1 {
		programs = append(programs, func(c *host.Context, p *testbed.Process) {
			answers := 0
			requester(p).Answered(1, func(*host.Context, comm.Call) { answers++ })
			for i := range messages {
				must(requester(p).Request(c, 0, 1, [4]uint32{uint32(i)}))
			}
			drain(c, requester(p))
			require.Equal(r.T, messages, answers)
			finished++
		})
	}
	r.Go(programs...)
	for k := 1; k < nodes; k++ {
		require.EqualValues(r.T, messages, next[k])
	}
	require.Zero(r.T, r.Lost())
	for _, n := range r.Nodes {
		require.True(r.T, n.Layer.Quiet())
	}
}

// TestLosses: frames are lost at random; each call is carried out once.
func TestLosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.IntRange(0, 15).Draw(t, "percent")
		draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "draws"), 0))
		r := testbed.New(t, "sun-rpc", "rpc", 2, 1400, with(func(s *rpc.Spec) { s.Tries = 16 })) // or losses at random fail a call
		r.Net.DropWhen(func(*fabric.Packet) bool { return draw.IntN(100) < percent })
		exactlyOnce(r, rapid.IntRange(1, 40).Draw(t, "calls"))
		require.Equal(t, r.Net.Stats().Dropped > 0, count(r, "repeated") > 0)
	})
}

// TestDamage: a frame whose CRC shows damage is lost, and repeated.
func TestDamage(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 3, 1400, func(s *cluster.Spec) { s.Faults = fabric.Faults{ErrorPerByte: 1e-4} })
	exactlyOnce(r, 100)
	require.NotZero(t, count(r, "damaged"))
	require.NotZero(t, count(r, "repeated"))
}

// TestOverflow: a socket and a ring that are too short for the callers lose
// frames, which their kernel counts; the calls are repeated.
func TestOverflow(t *testing.T) {
	for _, c := range []struct {
		counter string
		shrink  func(*rpc.Spec)
	}{
		{"socket full", func(s *rpc.Spec) { s.SocketFrames = 3 }},
		{"ring full", func(s *rpc.Spec) { s.RingFrames, s.Host.Arrive = 2, sim.Millisecond }},
	} {
		t.Run(c.counter, func(t *testing.T) {
			r := testbed.New(t, "sun-rpc", "rpc", 5, 1400, with(c.shrink))
			exactlyOnce(r, 20)
			require.NotZero(t, r.Count(0, c.counter))
			require.NotZero(t, count(r, "timeouts"))
		})
	}
}

// TestTimeout: one lost frame costs one timeout, whichever it is.
func TestTimeout(t *testing.T) {
	for _, c := range []struct {
		kind                 trace.Kind
		repeated, duplicates uint64
	}{{trace.Request, 1, 0}, {trace.Reply, 2, 1}} { // the call, and the reply's copy
		r := testbed.New(t, "sun-rpc", "rpc", 2, 1400, func(s *cluster.Spec) { s.Faults.Drops = []fabric.Drop{{Kind: c.kind, Nth: 1}} })
		exactlyOnce(r, 1)
		require.Equal(t, []uint64{c.repeated, 1, c.duplicates}, []uint64{count(r, "repeated"), count(r, "timeouts"), count(r, "duplicates")})
		took := sim.Duration(r.Engine.Now()).Seconds()
		require.Greater(t, took, 0.25)
	}
}

// TestNobodyAnswers: a call fails after its last try, some 32 s, and the program is told.
func TestNobodyAnswers(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
	took := 0.0
	r.Go(func(c *host.Context, p *testbed.Process) {
		must(requester(p).Request(c, 1, 1, [4]uint32{}))
		drain(c, requester(p))
		took = sim.Duration(c.Now()).Seconds()
		var u *calls.Undeliverable
		require.ErrorAs(t, requester(p).Request(c, 1, 1, [4]uint32{}), &u)
		require.Equal(t, calls.Undeliverable{Layer: "rpc", To: 1, Requests: 1, Tries: 7}, *u)
	})
	require.InDelta(t, 31.75, took, 0.1, "127 times a quarter of a second")
	require.EqualValues(t, 1, r.Lost())
	require.EqualValues(t, 1, r.Count(0, "failed"))
}

// TestPorts: programs of one node do not see one another's calls; a process
// takes none from a port that it is not bound to.
func TestPorts(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
	open := func(node int) comm.Requester {
		e, err := r.Nodes[node].Layer.Open(host.NewSpace(fmt.Sprintf("node%d", node), r.Nodes[node].Frames), 1)
		require.NoError(t, err)
		return e.(comm.Requester)
	}
	caller, stranger, callee := open(0), open(0), open(1)
	require.NoError(t, comm.Connect([]comm.Endpoint{caller, callee}, 1400))
	require.NoError(t, stranger.(*rpc.Endpoint).Connect([]comm.Endpoint{nil, callee}, 1400))
	require.ErrorContains(t, stranger.(*rpc.Endpoint).Connect([]comm.Endpoint{callee}, 1400), "peer 0 is not an endpoint of node 0")
	var served [2]int
	for i, e := range []comm.Requester{requester(r.Procs[1]), callee} {
		e.Handle(0, func(*host.Context, comm.Call) [4]uint32 { served[i]++; return [4]uint32{} })
	}
	done := 0
	program := func(node int, f func(c *host.Context)) {
		r.Nodes[node].Host.Go("program", host.Application, func(c *host.Context) { f(c); done++ })
	}
	call := func(e comm.Requester, n int) func(*host.Context) {
		return func(c *host.Context) {
			for range n {
				must(e.Request(c, 1, 0, [4]uint32{}))
			}
			drain(c, e)
		}
	}
	program(0, call(requester(r.Procs[0]), 20))
	program(0, call(caller, 30))
	program(0, call(stranger, 1))
	for i, e := range []comm.Requester{requester(r.Procs[1]), callee} {
		program(1, func(c *host.Context) {
			for served[i] < 20+10*i {
				e.Wait(c)
			}
		})
	}
	require.NoError(t, r.Engine.RunUntil(func() bool { return done == 5 }))
	require.Equal(t, [2]int{20, 30}, served)
	require.EqualValues(t, 7, r.Count(1, "wrong port"), "all tries of the stranger")
	require.EqualValues(t, 1, r.Count(0, "failed"))
}

// TestStoreAndGet: data lie where they belong before the handlers run.
func TestStoreAndGet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1400).Draw(t, "bytes")
		r := testbed.New(t, "sun-rpc", "rpc", 2, 1400)
		there := r.Procs[1].Space.Alloc(1400)
		read := func(s *host.Space, at host.Addr) []byte {
			data := make([]byte, n)
			s.ReadAt(at, data)
			return data
		}
		served, answered := 0, 0
		r.Go(func(c *host.Context, p *testbed.Process) {
			from, into := p.Endpoint.Buffer(n), p.Endpoint.Buffer(n)
			p.Space.WriteAt(from, testbed.Pattern(3, n))
			requester(p).Answered(2, func(*host.Context, comm.Call) {
				answered++
				if answered == 2 {
					require.Equal(t, testbed.Pattern(3, n), read(p.Space, into))
				}
			})
			must(requester(p).Store(c, 1, from, there, n, 2, [4]uint32{}))
			p.Space.WriteAt(from, make([]byte, n))
			must(requester(p).Get(c, 1, there, into, n, 2, [4]uint32{}))
			drain(c, requester(p))
		}, func(c *host.Context, p *testbed.Process) {
			requester(p).Handle(2, func(_ *host.Context, q comm.Call) [4]uint32 {
				served++
				require.Equal(t, testbed.Pattern(3, n), read(p.Space, q.At))
				return [4]uint32{}
			})
			for served < 2 {
				requester(p).Wait(c)
			}
		})
		require.Equal(t, 2, answered)
	})
}

// TestRefusedFramesCostNoMemory: the kernel reuses the buffers of frames that no process takes.
func TestRefusedFramesCostNoMemory(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 5, 1400, with(func(s *rpc.Spec) { s.Tries = 16 }))
	frames := 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if frames++; p.Dst == 0 && frames%3 == 0 { // from another port
			q, err := calls.Decode(&p.Header, int(p.Src), p.Bytes())
			must(err)
			words := q.Words(calls.Address{Key: 77})
			copy(p.Header.Words[:], words[:])
		}
		return false
	})
	require.Less(t, kernelPages(r, 50), 50)
	require.Greater(t, r.Count(0, "wrong port"), uint64(500))
}

// TestFlushedFramesCostNoMemory: forward resets flush frames that wait for their DMA. Their
// buffers and their room in the controller's ring are used again.
func TestFlushedFramesCostNoMemory(t *testing.T) {
	r := testbed.New(t, "sun-rpc", "rpc", 5, 1400, with(func(s *rpc.Spec) { s.Tries = 16 }), func(s *cluster.Spec) {
		s.Profile.Host.IOBus, s.Profile.NI.ReceiveBuffers, s.Profile.Network.BlockLimit = sim.MBps(1), 3, 2500*sim.Microsecond
	})
	require.Less(t, kernelPages(r, 4000), 50)
	require.Greater(t, r.Nodes[0].NIC.Stats().Flushed, uint64(50))
	require.Zero(t, r.Count(0, "ring full"))
	for _, n := range r.Nodes {
		require.True(t, n.Layer.Quiet())
	}
}

// kernelPages returns how many pages the kernel of node 0 takes for messages of all others.
func kernelPages(r *testbed.Test, messages int) int {
	kernel := r.Nodes[0].Layer.(*rpc.Layer).Space
	before := kernel.Alloc(1)
	manyToOne(r, messages)
	return int((kernel.Alloc(1) - before) / host.PageBytes)
}

// manyToOne has every node from 1 on send full frames to node 0.
func manyToOne(r *testbed.Test, messages int) {
	finished := 0
	programs := []func(*host.Context, *testbed.Process){func(c *host.Context, p *testbed.Process) {
		at := p.Endpoint.Buffer(1400)
		for range messages * (len(r.Nodes) - 1) {
			_, err := p.Endpoint.Receive(c, comm.Anyone, at, 1400)
			must(err)
		}
		for finished < len(r.Nodes)-1 { // answers that were lost are asked for again
			requester(p).Poll(c)
			c.Sleep(5 * sim.Millisecond)
		}
	}}
	for range len(r.Nodes) - 1 {
		programs = append(programs, func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(1400)
			for range messages {
				must(p.Endpoint.Send(c, 0, at, 1400, trace.Meta{Kind: trace.Message}))
			}
			drain(c, requester(p))
			finished++
		})
	}
	r.Go(programs...)
}
