package verbs_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// TestFlush: a link that is down for longer than a card tries makes its pair fail. The oldest entry completes with the
// reason, those behind it are flushed, and later ones are refused at once. After a reset all is as new, at both ends.
func TestFlush(t *testing.T) {
	r, s := two(t, 4096, impatient, func(s *cluster.Spec) {
		s.Faults.Outages = []fabric.Stall{{Node: 1, For: sim.Millisecond}}
	})
	var old uint64
	r.Go(func(c *host.Context, _ *testbed.Process) {
		q, back := s[0].pair, s[1].pair
		require.NoError(t, q.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
		require.NoError(t, q.Write(c, s[0].at, 8, s[1].region, 0, data, 1, false))
		require.NoError(t, q.Read(c, s[0].at, 8, s[1].region, 0, data, 2, true))
		require.NoError(t, q.FetchAdd(c, s[1].region, 0, 1, &old, data, 3, true))
		for i := range uint64(4) {
			got := s[0].process.AwaitCompletion(c)
			require.Equal(t, i, got.ID)
			require.ErrorContains(t, got.Err, "node 1 has not answered 8 times")
			if i == 0 {
				require.NotErrorIs(t, got.Err, verbs.ErrFlushed)
			} else {
				require.ErrorIs(t, got.Err, verbs.ErrFlushed)
			}
		}
		require.Zero(t, q.Outstanding())
		require.ErrorContains(t, q.Write(c, s[0].at, 8, s[1].region, 0, data, 4, true), "node 1 has not answered 8 times")
		c.Sleep(sim.Millisecond)
		require.NoError(t, back.Write(c, s[1].at, 8, s[0].region, 0, data, 5, true)) // to a pair that has failed
		q = q.Reset()
		require.NoError(t, q.FetchAdd(c, s[1].region, 0, 1, &old, data, 6, true))
		require.NoError(t, s[0].process.AwaitCompletion(c).Err)
		require.ErrorContains(t, s[1].process.AwaitCompletion(c).Err, "its program has reset it")
		require.ErrorContains(t, back.Err(), "node 1: its program has reset it")
	})
	require.Zero(t, old)
	require.EqualValues(t, 1, little(s[1].bytes(0, 8)))
	require.EqualValues(t, 4, s[0].node.Stats().Flushed)
	require.True(t, s[0].node.Quiet() && s[1].node.Quiet())
	require.Zero(t, r.Net.InUse())
}

// TestFailedPairsAreSilent: packets whose data is on its way into the card when their pair fails do not leave.
func TestFailedPairsAreSilent(t *testing.T) {
	r, s := two(t, 65536, func(s *cluster.Spec) { s.Profile.Host.PCIe.Read = 20 * us })
	after := 0
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 0 && p.Header.Meta.Kind == trace.Data {
			p.Header.Words[1] = 1 << 40 // a region that is not there
			if s[0].pair.Err() != nil {
				after++
			}
		}
		return false
	})
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, s[0].pair.Write(c, s[0].at, 8, s[1].region, 0, data, 0, true))
		require.NoError(t, s[0].pair.Write(c, s[0].at, 65536, s[1].region, 0, data, 1, true))
		require.ErrorContains(t, s[0].process.AwaitCompletion(c).Err, "no such memory")
		require.ErrorIs(t, s[0].process.AwaitCompletion(c).Err, verbs.ErrFlushed)
		c.Sleep(100 * us)
	})
	require.Zero(t, after)
}

// TestResetOfAPort: deposits, operations on remote memory and messages fail with the pair that carries them, and go on
// after a reset; the buffer of a message that has come in part is free again.
func TestResetOfAPort(t *testing.T) {
	r := testbed.New(t, on, "verbs", 2, 8000, impatient, with(func(s *verbs.Spec) { s.ReceiveDepth, s.SendDepth = 1, 2 }))
	lose := false
	r.Net.DropWhen(func(p *fabric.Packet) bool { return lose && p.Src == 0 && p.Header.Words[2] > 0 }) // all but the first packet
	from, to := r.Process(0).Endpoint.(*verbs.Messages), r.Process(1).Endpoint.(*verbs.Messages)
	at := to.Buffer(4096)
	x, err := to.Export(at, 4096, nil)
	require.NoError(t, err)
	out, err := from.Process.Import(x)
	require.NoError(t, err)
	buffer := from.Buffer(8000)
	deposit := func(c *host.Context, offset int) error {
		return from.Process.Send(c, buffer, out, offset, 300, data, false)
	}
	r.Go(func(c *host.Context, _ *testbed.Process) {
		require.NoError(t, deposit(c, 0))
		lose = true
		require.NoError(t, from.Send(c, 1, buffer, 8000, message))
		_, err := from.FetchAdd(c, 1, at+8, 5)
		require.ErrorContains(t, err, "has not answered")
		require.ErrorContains(t, deposit(c, 0), "has not answered")
		lose = false
		from.Pair(1).Reset()
		for i := range 5 {
			require.NoError(t, deposit(c, 300*i))
		}
		_, err = from.FetchAdd(c, 1, at+2000, 7)
		require.NoError(t, err)
		for i := range 3 {
			from.Space().Store32(buffer, uint32(i))
			require.NoError(t, from.Send(c, 1, buffer, 4, message))
		}
	}, func(c *host.Context, _ *testbed.Process) {
		for i := range uint32(3) {
			got, err := to.Receive(c, 0, 0, 0)
			require.NoError(t, err)
			require.Equal(t, i, to.Space().Load32(got.At))
		}
	})
	require.EqualValues(t, 7, to.Space().Load32(at+2000))
	require.Zero(t, to.Space().Load32(at+8))
}

// window is how many operations of a stream are under way at a time, and size the memory that they change.
const window, size = 12, 8192

// stream is random operations of a pair, which is reset when it fails.
type stream struct {
	g        *rand.Rand
	from, to *verbs.Messages
	pair     *verbs.Pair
	region   *verbs.Region
	out, at  host.Addr

	all             []operation // since the last reset
	completed, good int         // of them, and without an error
	before          []byte      // the memory at the reset
	received        []uint64    // messages since then
	failures        int
}

type operation struct {
	kind          kind
	at            int
	old, received uint64 // of an addition: what was there, and what the peer has said
	content       []byte
}

type kind int

const (
	write kind = iota
	add
	send
)

// value is what the content begins with, or what is added.
func (o *operation) value() uint64 { return little(o.content) }

// run posts so many operations and takes their completions.
func (s *stream) run(c *host.Context, t *rapid.T, count int) {
	for i := range count {
		if s.pair.Err() != nil {
			s.drain(c, t)
			s.pair = s.pair.Reset()
			s.settle(c, t)
			s.failures++
		}
		if len(s.all)-s.completed == window-1 {
			s.take(c, t)
		}
		s.post(c, i)
	}
	s.drain(c, t)
	s.settle(c, t)
}

func (s *stream) post(c *host.Context, i int) {
	o := operation{kind: kind(s.g.IntN(3)), content: make([]byte, 8+s.g.IntN(3000))}
	n := len(o.content)
	o.at = 64 + s.g.IntN(size-64-n)
	if o.kind == add {
		o.at = 8 * s.g.IntN(8)
	}
	put(o.content, s.g.Uint64())
	o.content[n-1] = byte(i)
	buffer := s.out + host.Addr(i%window*4096)
	s.from.Space().WriteAt(buffer, o.content)
	id := uint64(len(s.all))
	s.all = append(s.all, o)
	last := &s.all[id]
	var err error
	switch o.kind {
	case write:
		err = s.pair.Write(c, buffer, n, s.region, o.at, data, id, true)
	case add:
		err = s.pair.FetchAdd(c, s.region, o.at, o.value(), &last.received, data, id, true)
	case send:
		err = s.pair.Message(c, buffer, n, message, id, true)
	}
	if err != nil { // the pair has failed: this was not posted
		s.all = s.all[:id]
	}
}

// take takes a completion: those without an error come first, in order.
func (s *stream) take(c *host.Context, t *rapid.T) {
	got := s.from.AwaitCompletion(c)
	require.Equal(t, s.pair, got.Pair)
	require.EqualValues(t, s.completed, got.ID)
	s.completed++
	if got.Err == nil {
		s.good++
		require.Equal(t, s.good, s.completed)
	}
}

// drain waits until all is complete.
func (s *stream) drain(c *host.Context, t *rapid.T) {
	for s.completed < len(s.all) {
		s.take(c, t)
	}
}

// settle finds what has been carried out of what is complete.
func (s *stream) settle(c *host.Context, t *rapid.T) {
	c.Sleep(60 * us) // what has come is written
	now := make([]byte, size)
	s.to.Space().ReadAt(s.at, now)
	k := s.good
	for k <= len(s.all) && !s.fits(k, now) {
		k++
	}
	require.LessOrEqual(t, k, len(s.all), "%d of %d completed well, and %d messages have come", s.good, len(s.all), len(s.received))
	for _, o := range s.all[:s.good] {
		require.Equal(t, o.old, o.received)
	}
	s.all, s.completed, s.good, s.before, s.received = s.all[:0], 0, 0, now, s.received[:0]
}

// fits reports whether memory and messages are as after the first k operations and a part of the next.
func (s *stream) fits(k int, now []byte) bool {
	want := bytes.Clone(s.before)
	var messages []uint64
	for i := range s.all[:k] {
		switch o := &s.all[i]; o.kind {
		case write:
			copy(want[o.at:], o.content)
		case add:
			o.old = little(want[o.at:])
			put(want[o.at:], o.old+o.value())
		case send:
			messages = append(messages, o.value())
		}
	}
	if k < len(s.all) && s.all[k].kind == write {
		o := &s.all[k]
		for i, b := range o.content {
			if now[o.at+i] == b {
				want[o.at+i] = b
			}
		}
	}
	return bytes.Equal(want, now) && slices.Equal(messages, s.received)
}

// TestOnceOrFlushed: random operations, many under way at a time, while links are down, switches pause nodes, receivers
// refuse, packets and answers are lost or damaged, and buffers are few. Of the operations of each pair are carried
// out those from the first to one of them, each once, with all that have completed well among them; of the next one a
// part may be in memory.
func TestOnceOrFlushed(t *testing.T) {
	failures := 0
	rapid.Check(t, func(t *rapid.T) {
		r := testbed.New(t, on, "verbs", 2, 4000, impatient, func(s *cluster.Spec) {
			v, f := s.Profile.Verbs, &s.Faults
			v.Retries, v.NotReadyRetries = rapid.IntRange(0, 3).Draw(t, "retries"), rapid.SampledFrom([]int{2, 7}).Draw(t, "not ready")
			v.ReceiveDepth, v.Window, v.AckEvery = rapid.IntRange(1, 20).Draw(t, "buffers"), rapid.IntRange(1, 8).Draw(t, "window"), 3
			f.ErrorPerByte = rapid.SampledFrom([]float64{0, 1e-5}).Draw(t, "damage")
			for range rapid.IntRange(0, 3).Draw(t, "times") {
				list := rapid.SampledFrom([]*[]fabric.Stall{&f.Outages, &f.Storms, &f.Stalls}).Draw(t, "sort")
				*list = append(*list, fabric.Stall{
					Node: rapid.IntRange(0, 1).Draw(t, "node"), At: sim.Time(rapid.IntRange(0, 200).Draw(t, "at")) * sim.Time(us),
					For: sim.Duration(rapid.IntRange(1, 200).Draw(t, "long")) * us,
				})
			}
		})
		g := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		lose := rapid.SampledFrom([]float64{0, 0.02, 0.2}).Draw(t, "loss")
		r.Net.DropWhen(func(*fabric.Packet) bool { return g.Float64() < lose })
		s := stream{g: g, before: make([]byte, size), all: make([]operation, 0, 100)}
		s.from, s.to = r.Process(0).Endpoint.(*verbs.Messages), r.Process(1).Endpoint.(*verbs.Messages)
		s.out, s.at = s.from.Buffer(window*4096), s.to.Buffer(size)
		var err error
		s.region, err = s.to.Region(s.at, size)
		require.NoError(t, err)
		s.pair, _ = verbs.Connect(s.from.Process, s.to.Process)
		done, into := false, s.to.Buffer(4096)
		r.Go(func(c *host.Context, _ *testbed.Process) {
			defer func() { done = true }()
			s.run(c, t, 60)
		}, func(c *host.Context, _ *testbed.Process) {
			for !done {
				if c.Sleep(us); s.to.Due() == 0 {
					_, err := s.to.Receive(c, comm.Anyone, into, 4096)
					require.NoError(t, err)
					b := make([]byte, 8)
					s.to.Space().ReadAt(into, b)
					s.received = append(s.received, little(b))
				}
			}
		})
		r.Rest(sim.Millisecond)
		require.True(t, r.Nodes[0].Layer.Quiet() && r.Nodes[1].Layer.Quiet())
		require.Zero(t, r.Net.InUse())
		failures += s.failures
	})
	require.Positive(t, failures)
}
