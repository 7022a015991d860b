package verbs_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	on = "cx5-roce" // packets of 1 KB
	us = sim.Microsecond
)

var (
	message = trace.Meta{Kind: trace.Message}
	data    = trace.Meta{Kind: trace.Data}
)

// with changes the layer's section.
func with(change func(*verbs.Spec)) testbed.Change {
	return func(s *cluster.Spec) { change(s.Profile.Verbs) }
}

// impatient is a card that sends again soon.
var impatient = with(func(s *verbs.Spec) { s.Timeout, s.Retries, s.NotReady = 2, 7, 5*us })

// goesBack is a card without selective repeat.
var goesBack = with(func(s *verbs.Spec) { s.Selective = 0 })

// side is one node of two that are connected by a pair, with a region of its memory.
type side struct {
	node    *verbs.Node
	process *verbs.Process
	pair    *verbs.Pair
	at      host.Addr
	region  *verbs.Region
}

// two connects two nodes, each with so many bytes of memory.
func two(t testbed.T, bytes int, changes ...testbed.Change) (*testbed.Test, [2]side) {
	r := testbed.New(t, on, "verbs", 2, 100, changes...)
	var s [2]side
	for i, n := range r.Nodes {
		x := &s[i]
		x.node = n.Layer.(*verbs.Node)
		x.process = x.node.Process(host.NewSpace("test", n.Frames), 0)
		x.at = x.process.Space().Alloc(int64(bytes))
		var err error
		x.region, err = x.process.Region(x.at, bytes)
		require.NoError(t, err)
	}
	s[0].pair, s[1].pair = verbs.Connect(s[0].process, s[1].process)
	return r, s
}

// fill writes random bytes.
func (s *side) fill(seed uint64, at, n int) []byte {
	g := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	s.process.Space().WriteAt(s.at+host.Addr(at), b)
	return b
}

func (s *side) bytes(at, n int) []byte {
	b := make([]byte, n)
	s.process.Space().ReadAt(s.at+host.Addr(at), b)
	return b
}

func TestSpecRefuses(t *testing.T) {
	p, err := platform.Load(on)
	require.NoError(t, err)
	good := *p.Verbs
	require.NotZero(t, boundstest.Refuses(t, "verbs", &good, good.Validate))
	good.BlueFlameBytes = good.EntryBytes - 1
	require.ErrorContains(t, good.Validate(), "verbs.blueflame_bytes is 35, want 0, or at least entry_bytes = 36")
}

// TestNeedsPipelines: the layer does not run on a card with a main loop.
func TestNeedsPipelines(t *testing.T) {
	p, err := platform.Load(on)
	require.NoError(t, err)
	p.NI.Pipelined = false
	_, err = cluster.New(cluster.Of(platform.Place{Profile: p, Layer: "verbs"}, 2, 1, monitor.Off))
	require.ErrorContains(t, err, "verbs: the card has a processor with a main loop, want ni.pipelined")
}

// TestMessages: what every layer has to pass, with few buffers at either end.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 8192
		size := rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(0, most))
		sizes := rapid.SliceOfN(size, 1, 30).Draw(t, "sizes")
		r := testbed.New(t, on, "verbs", 2, most, impatient, with(func(s *verbs.Spec) {
			s.SendDepth = rapid.SampledFrom([]int{2, 3, 128}).Draw(t, "send depth")
			s.ReceiveDepth = rapid.SampledFrom([]int{1, 2, 128}).Draw(t, "receive depth")
			s.InlineBytes = rapid.SampledFrom([]int{0, 220}).Draw(t, "inline")
			s.BlueFlameBytes = rapid.SampledFrom([]int{0, 64, 256}).Draw(t, "blueflame")
		}))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 30).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
		require.True(t, r.Nodes[0].Layer.Quiet() && r.Nodes[1].Layer.Quiet())
	})
}

// TestOnceWhateverIsLost: random operations of a pair, of whose packets and answers any may be lost or damaged:
// memory is as if each had been done once, in order, and reads and atomics return what was there then.
func TestOnceWhateverIsLost(t *testing.T) {
	const size = 16384
	rapid.Check(t, func(t *rapid.T) {
		r, s := two(t, size, impatient, func(s *cluster.Spec) {
			s.Faults.ErrorPerByte = rapid.SampledFrom([]float64{0, 1e-5, 1e-4}).Draw(t, "damage")
			s.Profile.Verbs.Window = rapid.SampledFrom([]int{1, 2, 16}).Draw(t, "window")
			s.Profile.Verbs.AckEvery = rapid.SampledFrom([]int{1, 3, 64}).Draw(t, "ack every")
			s.Profile.Verbs.SendDepth = rapid.SampledFrom([]int{2, 16}).Draw(t, "depth")
		})
		lose := rapid.SampledFrom([]float64{0, 0.02, 0.1}).Draw(t, "loss")
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		r.Net.DropWhen(func(*fabric.Packet) bool { return g.Float64() < lose })
		memory := s[1].fill(7, 0, size) // as it should be
		type outcome struct {
			at       int // of what was read, in the first node's memory
			want     []byte
			received *uint64
			old      uint64
		}
		var all []outcome
		count := rapid.IntRange(1, 40).Draw(t, "operations")
		r.Go(func(c *host.Context, _ *testbed.Process) {
			q := s[0].pair
			for i := range count {
				n := 1 + g.IntN(3000)
				at := g.IntN(size - n)
				word := 8 * g.IntN(4)
				switch g.IntN(4) {
				case 0:
					from := i % 4 * 4096
					copy(memory[at:], s[0].fill(uint64(i), from, n))
					require.NoError(t, q.Write(c, s[0].at+host.Addr(from), n, s[1].region, at, data, uint64(i), true))
				case 1:
					require.NoError(t, q.Read(c, s[0].at+host.Addr(size/2), n, s[1].region, at, data, uint64(i), true))
					all = append(all, outcome{at: size / 2, want: slices.Clone(memory[at : at+n])})
				default:
					x := outcome{received: new(uint64), old: little(memory[word:])}
					require.NoError(t, q.FetchAdd(c, s[1].region, word, uint64(i)+1, x.received, data, uint64(i), true))
					put(memory[word:], x.old+uint64(i)+1)
					all = append(all, x)
				}
				got := s[0].process.AwaitCompletion(c) // so that the memory may be used again
				require.NoError(t, got.Err)
				require.EqualValues(t, i, got.ID)
				if k := len(all); k > 0 && all[k-1].want != nil {
					require.True(t, bytes.Equal(all[k-1].want, s[0].bytes(all[k-1].at, len(all[k-1].want))))
					all[k-1].want = nil
				}
			}
		})
		for _, x := range all {
			if x.received != nil {
				require.Equal(t, x.old, *x.received)
			}
		}
		require.True(t, bytes.Equal(memory, s[1].bytes(0, size)))
		require.True(t, s[0].node.Quiet() && s[1].node.Quiet())
		require.Zero(t, r.Net.InUse())
	})
}

func little(b []byte) (v uint64) {
	for i := range 8 {
		v |= uint64(b[i]) << (8 * i)
	}
	return v
}

func put(b []byte, v uint64) {
	for i := range 8 {
		b[i] = byte(v >> (8 * i))
	}
}

// TestManyAtATime: atomics of two pairs on one word, many under way at a time and any packet lost: each old value
// comes once.
func TestManyAtATime(t *testing.T) {
	const n = 300
	r, s := two(t, 4096, impatient)
	g := rand.New(rand.NewPCG(3, 4))
	r.Net.DropWhen(func(*fabric.Packet) bool { return g.Float64() < 0.03 })
	other, _ := verbs.Connect(s[0].process, s[1].process)
	old := make([]uint64, n)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for i := range old {
			q := []*verbs.Pair{s[0].pair, other}[i%2]
			require.NoError(t, q.FetchAdd(c, s[1].region, 8, 1, &old[i], data, 0, true))
		}
		for range old {
			require.NoError(t, s[0].process.AwaitCompletion(c).Err)
		}
	})
	slices.Sort(old)
	for i := range old {
		require.EqualValues(t, i, old[i])
	}
	require.EqualValues(t, n, little(s[1].bytes(8, 8)))
	require.NotZero(t, s[0].node.Stats().Repeated)
}

// TestCompareSwap stores only over what it expects.
func TestCompareSwap(t *testing.T) {
	r, s := two(t, 64)
	put64 := func(v uint64) { b := make([]byte, 8); put(b, v); s[1].process.Space().WriteAt(s[1].at, b) }
	put64(5)
	var was [2]uint64
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for i, old := range []uint64{4, 5} {
			require.NoError(t, s[0].pair.CompareSwap(c, s[1].region, 0, old, 9, &was[i], data, 0, true))
			s[0].process.AwaitCompletion(c)
		}
	})
	require.Equal(t, [2]uint64{5, 5}, was)
	require.EqualValues(t, 9, little(s[1].bytes(0, 8)))
}

// TestWrongMemory: arguments that are wrong are refused at once, and memory that the peer does not have by the peer:
// the pair fails, and says so for all that it had under way.
func TestWrongMemory(t *testing.T) {
	r, s := two(t, 4096)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		q, began := s[0].pair, c.Now()
		for want, err := range map[string]error{
			"operation on 4097 B at offset 0 of a region of 4096 B": q.Write(c, s[0].at, 4097, s[1].region, 0, data, 0, true),
			"operation on 8 B at offset -8":                         q.Read(c, s[0].at, 8, s[1].region, -8, data, 0, true),
			"operation on 0 B":                                      q.Write(c, s[0].at, 0, s[1].region, 0, data, 0, true),
			"a region that is not node 1's":                         q.Write(c, s[0].at, 8, s[0].region, 0, data, 0, true),
			"at 0x10000000, which is not all allocated":             q.Write(c, 0x10000000, 8, s[1].region, 0, data, 0, true),
			"want eight bytes at a multiple of eight":               q.FetchAdd(c, s[1].region, 4, 1, nil, data, 0, true),
		} {
			require.ErrorContains(t, err, want)
		}
		require.Equal(t, began, c.Now())
	})
	// A request that names other memory than it may.
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Header.Meta.Kind == trace.Data {
			p.Header.Words[1] = 1 << 40
		}
		return false
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for i := range 3 {
			require.NoError(t, s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, uint64(i), true))
		}
		for i := range 3 {
			got := s[0].process.AwaitCompletion(c)
			require.EqualValues(t, i, got.ID)
			require.ErrorContains(t, got.Err, "node 1 has no such memory")
		}
		require.Equal(t, s[0].pair.Err(), s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
	})
	require.EqualValues(t, 1, s[0].node.Stats().Failed)
	require.EqualValues(t, 3, s[0].node.Stats().Flushed)
	require.Equal(t, make([]byte, 4096), s[1].bytes(0, 4096))
}

// TestBeyondTheEnd: a packet that begins in a region and ends behind it is refused as a whole.
func TestBeyondTheEnd(t *testing.T) {
	r, s := two(t, 4096)
	behind := s[1].process.Space().Alloc(8)
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		p.Header.Words[2] = 4092 // of a write, its offset
		return false
	})
	s[0].fill(1, 0, 8)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
		require.ErrorContains(t, s[0].process.AwaitCompletion(c).Err, "node 1 has no such memory")
	})
	got := make([]byte, 8)
	s[1].process.Space().ReadAt(behind, got)
	require.Equal(t, make([]byte, 16), append(got, s[1].bytes(4088, 8)...))
}

// TestPairsOfOthers: a packet to a pair that is connected to another node is refused.
func TestPairsOfOthers(t *testing.T) {
	r := testbed.New(t, on, "verbs", 3, 64, impatient)
	var all [3]*verbs.Process
	for i, n := range r.Nodes {
		all[i] = n.Layer.(*verbs.Node).Process(host.NewSpace("test", n.Frames), 0)
	}
	at, from := all[1].Buffer(8), all[2].Buffer(8)
	region, err := all[1].Region(at, 8)
	require.NoError(t, err)
	_, mine := verbs.Connect(all[0], all[1])
	q, theirs := verbs.Connect(all[2], all[1])
	require.NotEqual(t, mine, theirs)
	all[2].Space().Store32(from, 7)
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 2 {
			p.Header.Words[0]-- // the number of the pair
		}
		return false
	})
	r.Go(nil, nil, func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, q.Write(c, from, 8, region, 0, data, 0, true))
		require.ErrorContains(t, all[2].AwaitCompletion(c).Err, "has not answered")
	})
	require.Zero(t, all[1].Space().Load32(at))
	require.NotZero(t, r.Nodes[1].Layer.(*verbs.Node).Stats().Refused)
}

// TestDeadPeer: a pair whose peer does not answer fails after its retries, each a time-out after the one before.
func TestDeadPeer(t *testing.T) {
	r, s := two(t, 4096, impatient)
	r.Net.DropWhen(func(p *fabric.Packet) bool { return p.Src == 0 })
	r.Go(func(c *host.Context, _ *testbed.Process) {
		began := c.Now()
		require.NoError(t, s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, 1, true))
		require.ErrorContains(t, s[0].process.AwaitCompletion(c).Err, "node 1 has not answered 8 times")
		require.InDelta(t, 8*4*4.096, c.Now().Sub(began).Us(), 15)
	})
	require.EqualValues(t, 7, s[0].node.Stats().Repeated)
	require.True(t, s[0].node.Silent()[0].GivenUp)
}

// TestNotReady: a receiver without a buffer makes the sender wait and send again, and nothing is lost; with few
// retries the pair fails instead.
func TestNotReady(t *testing.T) {
	const messages = 20
	for _, retries := range []int{7, 3} {
		r := testbed.New(t, on, "verbs", 2, 64, impatient, with(func(s *verbs.Spec) {
			s.ReceiveDepth, s.NotReadyRetries, s.NotReady = 2, retries, 20*us
			s.Card.Entry = us // a card that is slower than the receiver's program
		}))
		var failed error
		require.NoError(t, r.Try(
			func(c *host.Context, p *testbed.Process) {
				for i := 0; i < messages && failed == nil; i++ {
					failed = p.Endpoint.Send(c, 1, p.Endpoint.Buffer(4), 4, message)
				}
				c.Sleep(400 * us)
				if failed == nil {
					failed = p.Endpoint.Send(c, 1, p.Endpoint.Buffer(4), 4, message)
				}
			},
			func(c *host.Context, p *testbed.Process) {
				c.Sleep(200 * us)
				for range messages + 1 {
					if retries < 7 {
						return
					}
					_, err := p.Endpoint.Receive(c, 0, 0, 4)
					require.NoError(t, err)
				}
			}))
		times := r.Nodes[1].Layer.(*verbs.Node).Stats().NotReady
		require.NotZero(t, times)
		require.LessOrEqual(t, times, uint64(12), "in 200 µs")
		if retries == 7 {
			require.GreaterOrEqual(t, times, uint64(8), "each 20 µs after the last, with the time of a round trip")
			require.NoError(t, failed)
			require.Zero(t, r.Lost())
		} else {
			require.ErrorContains(t, failed, "node 1 had no receive buffer 4 times in a row")
		}
	}
}

// TestBothSend: processes that send more than both hold, and receive only then, come to an end.
func TestBothSend(t *testing.T) {
	for _, nodes := range []int{2, 3} {
		r := testbed.New(t, on, "verbs", nodes, 4, impatient, with(func(s *verbs.Spec) { s.ReceiveDepth, s.SendDepth = 3, 2 }))
		r.SendFirst(300)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
	}
}

// TestBothWait: processes whose messages wait for buffers of the other, and which wait for operations behind these
// messages, come to an end.
func TestBothWait(t *testing.T) {
	r := testbed.New(t, on, "verbs", 2, 64, impatient, with(func(s *verbs.Spec) { s.ReceiveDepth, s.NotReadyRetries = 2, 6 }))
	var word [2]host.Addr
	for i := range word {
		m := r.Process(i).Endpoint.(*verbs.Messages)
		word[i] = m.Buffer(8)
		_, err := m.Export(word[i], 8, nil)
		require.NoError(t, err)
	}
	program := func(c *host.Context, p *testbed.Process) {
		m, peer := p.Endpoint.(*verbs.Messages), 1-p.Number
		for range 20 {
			require.NoError(t, m.Send(c, peer, m.Buffer(64), 64, message))
		}
		old, err := m.FetchAdd(c, peer, word[peer], 3)
		require.NoError(t, err)
		require.Zero(t, old)
		for range 20 {
			_, err := m.Receive(c, peer, 0, 0)
			require.NoError(t, err)
		}
	}
	r.Go(program, program)
}

// TestBuffersOfOthers: a process that waits for the message of one peer, while those of another are in all its receive buffers,
// gets it.
func TestBuffersOfOthers(t *testing.T) {
	r := testbed.New(t, on, "verbs", 3, 64, impatient, with(func(s *verbs.Spec) { s.ReceiveDepth, s.NotReadyRetries = 2, 6 }))
	program := func(late sim.Duration, count int) func(*host.Context, *testbed.Process) {
		return func(c *host.Context, p *testbed.Process) {
			c.Sleep(late)
			for range count {
				require.NoError(t, p.Endpoint.Send(c, 0, p.Endpoint.Buffer(64), 64, message))
			}
		}
	}
	r.Go(func(c *host.Context, p *testbed.Process) {
		for _, from := range []int{2, 1, 1} {
			_, err := p.Endpoint.Receive(c, from, 0, 0)
			require.NoError(t, err)
		}
	}, program(0, 2), program(20*us, 1))
}

// TestGaps: a packet that is lost is asked for once, and each later one too, without a time-out.
func TestGaps(t *testing.T) {
	const packets = 60
	r, s := two(t, packets*1024, goesBack)
	want, n := s[0].fill(3, 0, packets*1024), 0
	var before sim.Time  // when the last packet went
	var gap sim.Duration // between the last one that is no repeat and the first repeat
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src != 0 || p.Header.Meta.Kind != trace.Data {
			return false
		}
		if p.Header.Flags&ni.FlagRepeated != 0 && gap == 0 {
			gap = r.Engine.Now().Sub(before)
		}
		before = r.Engine.Now()
		n++
		return n == 5 || n == 50
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Write(c, s[0].at, len(want), s[1].region, 0, data, 0, true))
		require.NoError(t, s[0].process.AwaitCompletion(c).Err)
	})
	require.Equal(t, want, s[1].bytes(0, len(want)))
	require.EqualValues(t, 2, s[1].node.Stats().Naks)
	require.Greater(t, s[1].node.Stats().OutOfOrder, uint64(2))
	require.Zero(t, s[1].node.Stats().Duplicates, "what has come is not sent again")
	require.Greater(t, gap.Us(), 0.2, "more than two packets: those that waited for their data as the pair went back are not sent")
	require.Zero(t, s[0].node.Stats().Timeouts)
}

// TestAckEvery: a long message is acknowledged on its way.
func TestAckEvery(t *testing.T) {
	r, s := two(t, 60*1024, with(func(s *verbs.Spec) { s.AckEvery = 8 }))
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Write(c, s[0].at, 60*1024, s[1].region, 0, data, 0, true))
		require.NoError(t, s[0].process.AwaitCompletion(c).Err)
	})
	require.EqualValues(t, 60/8+1, s[1].node.Stats().Acks)
}

// TestSendQueueIsFinite: while all its places are taken an entry waits.
func TestSendQueueIsFinite(t *testing.T) {
	const depth = 4
	r, s := two(t, 64, impatient, with(func(s *verbs.Spec) { s.SendDepth = depth }))
	r.Net.DropWhen(func(p *fabric.Packet) bool { return true })
	r.Go(func(c *host.Context, _ *testbed.Process) {
		q := s[0].pair
		for range depth {
			require.NoError(t, q.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
		}
		require.Less(t, c.Now(), sim.Time(10*us))
		require.ErrorContains(t, q.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true), "has not answered")
		require.Greater(t, c.Now(), sim.Time(100*us), "until the pair has failed")
	})
	require.EqualValues(t, depth, s[0].node.Stats().Flushed)
}

// TestWaysOfEntries: an entry that is short with its data is stored into the card, a longer one is fetched.
func TestWaysOfEntries(t *testing.T) {
	r, s := two(t, 4096, with(func(s *verbs.Spec) { s.EntryBytes, s.InlineBytes, s.BlueFlameBytes = 36, 400, 256 }))
	d := r.Nodes[0].Layer.(*verbs.Node).OpenDatagrams(s[0].process.Space(), 0)
	to := r.Nodes[1].Layer.(*verbs.Node).OpenDatagrams(s[1].process.Space(), 0).Address()
	counts := func(post func(c *host.Context) error) (stored, fetched uint64) {
		before := s[0].node.Stats()
		r.Go(func(c *host.Context, _ *testbed.Process) { require.NoError(t, post(c)) })
		after := s[0].node.Stats()
		return after.BlueFlames - before.BlueFlames, after.Doorbells - before.Doorbells
	}
	for n, want := range map[int]uint64{188: 1, 189: 1, 220: 1, 221: 0, 400: 0, 401: 1} { // the last one has no data in it
		stored, fetched := counts(func(c *host.Context) error { return s[0].pair.Write(c, s[0].at, n, s[1].region, 0, data, 0, true) })
		require.Equal(t, [2]uint64{want, 1 - want}, [2]uint64{stored, fetched}, "write of %d B", n)
		if n == 189 || n == 220 {
			want = 0 // the address takes 32 B
		}
		if n < 401 && n != 400 {
			stored, fetched = counts(func(c *host.Context) error { return d.Send(c, to, s[0].at, n, message, 0, true) })
			require.Equal(t, [2]uint64{want, 1 - want}, [2]uint64{stored, fetched}, "datagram of %d B", n)
		}
	}
}

// TestCache: what was looked up last is there, a set holds as many items as it has ways, and only items of a full set are lost,
// one for each new one. Equal caches do the same.
func TestCache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets, ways := rapid.IntRange(1, 4).Draw(t, "sets"), rapid.IntRange(1, 4).Draw(t, "ways")
		c, same := verbs.NewCache(sets*ways, ways), verbs.NewCache(sets*ways, ways)
		seen := map[uint64]bool{}  // by key
		lost := map[uint64]int{}   // at most, by set
		found := map[uint64]int{}  // different keys, by set
		misses := map[uint64]int{} // of keys that were there once, by set
		for _, key := range rapid.SliceOf(rapid.Uint64Range(0, 20)).Draw(t, "keys") {
			set := key % uint64(sets)
			hit := c.Lookup(key)
			require.Equal(t, hit, same.Lookup(key))
			require.True(t, c.Lookup(key), "what has just been read")
			same.Lookup(key)
			if !seen[key] {
				require.False(t, hit)
				found[set]++
			} else if !hit {
				misses[set]++
			}
			seen[key] = true
			if !hit && found[set]+misses[set] > ways {
				lost[set]++
			}
			require.LessOrEqual(t, misses[set], lost[set], "no more comes back than was lost")
			if found[set] <= ways {
				require.Zero(t, misses[set], "a set that is not full loses nothing")
			}
		}
	})
}

// TestCacheDecays: of items that are drawn at random those of the cache's share are found, and of items that are looked up in
// turn, which the least recently used one would always lose, some.
func TestCacheDecays(t *testing.T) {
	const size, ways, rounds = 64, 8, 100
	for _, items := range []uint64{32, 64, 96, 128, 256, 1024} {
		drawn, turns := verbs.NewCache(size, ways), verbs.NewCache(size, ways)
		random := sim.NewStream(1, "keys")
		for i := range items * rounds {
			drawn.Lookup(uint64(random.Below(int(items))))
			turns.Lookup(i % items)
		}
		share := func(c *verbs.Cache) float64 {
			hits, misses := c.Counts()
			return float64(hits) / float64(hits+misses)
		}
		require.InDelta(t, min(1, size/float64(items)), share(drawn), 0.02, "%d items", items)
		if items <= size {
			require.InDelta(t, 1, share(turns), 0.02, "%d items", items)
		} else {
			require.Less(t, share(turns), share(drawn), "%d items", items)
		}
		require.Equal(t, items < 4*size, share(turns) > 0.02, "%d items", items)
	}
}

// TestBuffersOfManyPeers: a deposit's buffer may be written again after Depth later ones, whichever peers they are for.
func TestBuffersOfManyPeers(t *testing.T) {
	const nodes, bytes, rounds = 20, 1000, 5
	r := testbed.New(t, on, "verbs", nodes, 4, with(func(s *verbs.Spec) { s.SendDepth = 3 }))
	var to []deposit.Import
	var at []host.Addr
	var spaces []*host.Space
	p := r.Nodes[0].Layer.(deposit.Native).OpenPort(host.NewSpace("sender", r.Nodes[0].Frames), 0)
	for i := 1; i < nodes; i++ {
		s := host.NewSpace("receiver", r.Nodes[i].Frames)
		a := s.Alloc(rounds * bytes)
		x, err := r.Nodes[i].Layer.(deposit.Native).OpenPort(s, 0).Export(a, rounds*bytes, nil)
		require.NoError(t, err)
		m, err := p.Import(x)
		require.NoError(t, err)
		to, at, spaces = append(to, m), append(at, a), append(spaces, s)
	}
	content := func(k int) []byte { return slices.Repeat([]byte{byte(k)}, bytes) }
	buffers := p.Depth() + 1
	ring := p.Space().Alloc(int64(buffers * bytes))
	r.Go(func(c *host.Context, _ *testbed.Process) {
		for k := range rounds * len(to) {
			from := ring + host.Addr(k%buffers*bytes)
			p.Space().WriteAt(from, content(k))
			require.NoError(t, p.Send(c, from, to[k%len(to)], k/len(to)*bytes, bytes, data, false))
		}
	})
	for k := range rounds * len(to) {
		got := make([]byte, bytes)
		spaces[k%len(to)].ReadAt(at[k%len(to)]+host.Addr(k/len(to)*bytes), got)
		require.Equal(t, content(k), got, "deposit %d", k)
	}
}
