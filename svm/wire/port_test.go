package wire_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/wire"
	"github.com/sigview/sigview/trace"
)

const ring = 4096

// fatal is what the tests below need of *testing.T and *rapid.T.
type fatal interface {
	require.TestingT
	Helper()
}

// connect makes ports of a few nodes without the protocol above them.
func connect(t fatal, nodes, pages, ring int, change func(*cluster.Spec)) (*cluster.Cluster, []*wire.Port) {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	spec := cluster.Spec{Profile: p, Nodes: nodes, Seed: 1, Options: monitor.Options{Build: monitor.Off}}
	if change != nil {
		change(&spec)
	}
	c, err := cluster.New(spec)
	require.NoError(t, err)
	ports, err := wire.Connect(wire.Spec{Pages: pages, RingBytes: ring}, c.Deposits())
	require.NoError(t, err)
	return c, ports
}

// letter is one message of a test.
type letter struct {
	from, to int
	class    svm.Class
	bytes    []byte
}

// exchange lets every node send its letters and take those of the others, and
// checks that each pair's letters of a class come as they were sent. With
// service a process of its own takes the requests, by interrupt, and answers
// each with a letter of that many bytes and a few.
func exchange(t fatal, c *cluster.Cluster, ports []*wire.Port, letters []letter, service bool, answer int) {
	type key struct {
		from, to int
		class    svm.Class
	}
	want := map[key][][]byte{}
	expected := make([]int, len(ports))
	for _, l := range letters {
		k := key{l.from, l.to, l.class}
		want[k] = append(want[k], l.bytes)
		expected[l.to]++
	}
	got := make([]int, len(ports))
	yes := append([]byte("this is the answer to a request"), make([]byte, answer)...)
	answers := make([]int, len(ports)) // not in want
	take := func(x *host.Context, node int, class svm.Class) bool {
		r, ok := ports[node].Receive(x, class)
		if !ok {
			return false
		}
		from, b := r.From, r.Bytes
		if service && class == svm.Answer && bytes.Equal(b, yes) {
			answers[node]++
			return true
		}
		k := key{from, node, class}
		require.NotEmpty(t, want[k], "%v", k)
		require.True(t, bytes.Equal(want[k][0], b), "%v: %d bytes, want %d", k, len(b), len(want[k][0]))
		want[k] = want[k][1:]
		got[node]++
		if service && class == svm.Request {
			require.NoError(t, ports[node].Send(x, from, trace.Meta{Kind: trace.LockGrant}, yes, svm.Answer))
		}
		return true
	}
	requests := make([]int, len(ports)) // sent
	ended := 0
	for node := range ports {
		h := c.Nodes[node].Host
		if service {
			serve := h.Go("service", host.Handler, func(x *host.Context) {
				for {
					x.WaitInterrupt("a request")
					for take(x, node, svm.Request) {
					}
				}
			})
			ports[node].OnRequest(serve.Interrupt)
		} else {
			ports[node].OnRequest(ports[node].Watch().Fire)
		}
		h.Go("program", host.Application, func(x *host.Context) {
			for _, l := range letters {
				if l.from != node {
					continue
				}
				if l.class == svm.Request {
					requests[node]++
				}
				require.NoError(t, ports[node].Send(x, l.to, trace.Meta{Kind: trace.Diff}, l.bytes, l.class))
			}
			for got[node] < expected[node] || service && answers[node] < requests[node] {
				if take(x, node, svm.Answer) || !service && take(x, node, svm.Request) {
					continue
				}
				if service {
					x.SpinFor(ports[node].Watch(), 100*sim.Microsecond, "letters")
				} else {
					x.Spin(ports[node].Watch(), "letters")
				}
			}
			ended++
			// Others may still wait for room that only this node can give.
			for ended < len(ports) {
				take(x, node, svm.Answer)
				x.SpinFor(ports[node].Watch(), 100*sim.Microsecond, "the end")
			}
		})
	}
	defer c.Engine.Close()
	for ended < len(ports) {
		require.True(t, c.Engine.Step())
		require.Less(t, c.Engine.Now(), sim.Time(20*sim.Second), "letters taken: %v of %v, answers: %v", got, expected, answers)
	}
	for c.Engine.Step() {
	}
	for k, left := range want {
		require.Empty(t, left, "%v", k)
	}
	for _, p := range ports {
		require.Zero(t, p.Stats().Damaged)
	}
}

// drawLetters draws letters of all sizes: empty ones, some that fill the ring
// to its end, some longer than a quarter of it, some longer than all of it.
func drawLetters(t *rapid.T, nodes, ring int) []letter {
	size := rapid.OneOf(
		rapid.IntRange(0, 80),
		rapid.SampledFrom([]int{0, 1, 3, 4, ring/4 - 21, ring/4 - 20, ring/4 - 19, ring / 2, ring - 20, ring, ring + 1}),
		rapid.IntRange(0, 12<<10),
	)
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "bytes"), 0))
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) letter {
		l := letter{from: rapid.IntRange(0, nodes-1).Draw(t, "from"), class: rapid.SampledFrom([]svm.Class{svm.Request, svm.Answer}).Draw(t, "class")}
		l.to = (l.from + rapid.IntRange(1, nodes-1).Draw(t, "to")) % nodes
		l.bytes = make([]byte, size.Draw(t, "size"))
		for i := range l.bytes {
			l.bytes[i] = byte(random.Uint32())
		}
		return l
	}), 1, 60).Draw(t, "letters")
}

// ways are the clusters that letters go over.
var ways = []struct {
	name   string
	change func(*cluster.Spec)
}{
	{"as it is", nil},
	{"errors", func(s *cluster.Spec) { s.Faults = fabric.Faults{ErrorPerByte: 1e-5} }},
	{"free slots", func(s *cluster.Spec) { s.Cards = ni.Uncontended{Slots: true} }},
	{"free host DMA", func(s *cluster.Spec) { s.Cards = ni.Uncontended{HostDMA: true} }},
	{"free slots and host DMA", func(s *cluster.Spec) { s.Cards = ni.Uncontended{Slots: true, HostDMA: true} }},
	{"all free", func(s *cluster.Spec) {
		s.Cards = ni.Uncontended{Processor: true, HostDMA: true, NetDMA: true, SRAM: true, Slots: true}
		s.Ports, s.Hosts = true, host.Uncontended{MemBus: true, IOBus: true}
	}},
}

// TestLetters: letters of any size come whole and in order, over rings of a
// page, smaller ones, and larger ones whose records take several packets, with and
// without a service process that interrupts the program.
func TestLetters(t *testing.T) {
	for _, way := range ways {
		for _, service := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, service %t", way.name, service), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					const nodes = 3
					ring := rapid.SampledFrom([]int{ring / 4, ring, 16 * ring}).Draw(t, "ring")
					c, ports := connect(t, nodes, 1, ring, way.change)
					answer := rapid.SampledFrom([]int{1, 500, 2 * ring}).Draw(t, "answer")
					exchange(t, c, ports, drawLetters(t, nodes, ring), service, answer)
				})
			})
		}
	}
}

// TestMutualWait: two nodes that fill one another's ring at the same time with
// letters longer than it give each other room.
func TestMutualWait(t *testing.T) {
	for _, service := range []bool{false, true} {
		c, ports := connect(t, 2, 1, ring, nil)
		var letters []letter
		for i := range 12 {
			for from := range 2 {
				letters = append(letters, letter{from, 1 - from, svm.Class(i % 2), bytes.Repeat([]byte{byte(i), byte(from), 7}, ring)})
			}
		}
		exchange(t, c, ports, letters, service, 1)
		for _, p := range ports {
			s := p.Stats()
			require.NotZero(t, s.Waits)
			require.NotZero(t, s.Credits)
			require.EqualValues(t, 12*12, s.Parts, "of 12 KB each in pieces of less than 1 KB")
		}
	}
}

// TestPages: a page is received when all of it is in its frame, once, on every way,
// with other messages between.
func TestPages(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			const pages = 20
			c, ports := connect(t, 3, pages, ring, way.change)
			content := func(from, page int) byte { return byte(1 + 100*from + page) }
			receiver := ports[2]
			receiver.OnRequest(receiver.Watch().Fire)
			var frames [pages]svm.Frame
			for page := range frames {
				receiver.Expect(svm.Page(page), &frames[page])
			}
			for from := range 2 {
				c.Nodes[from].Host.Go("sender", host.Application, func(x *host.Context) {
					for page := from; page < pages; page += 2 {
						source := new(svm.Frame)
						for i := range source.Bytes() {
							source.Bytes()[i] = content(from, page)
						}
						require.NoError(t, ports[from].Deposit(x, 2, trace.Meta{Kind: trace.PageReply}, svm.Page(page), source))
						require.NoError(t, ports[from].Send(x, 2, trace.Meta{Kind: trace.LockGrant}, []byte{byte(page)}, svm.Answer))
					}
				})
			}
			var landed, messages []int
			c.Nodes[2].Host.Go("receiver", host.Application, func(x *host.Context) {
				for len(landed)+len(messages) < 2*pages {
					r, ok := receiver.Receive(x, svm.Answer)
					if !ok {
						x.Spin(receiver.Watch(), "pages")
						continue
					}
					if !r.Landed {
						page := int(r.Bytes[0])
						require.Equal(t, page%2, r.From)
						if way.change == nil {
							require.Contains(t, landed, page, "the network keeps the order of packets")
						}
						messages = append(messages, page)
						continue
					}
					require.EqualValues(t, r.Page%2, r.From)
					for _, v := range frames[r.Page].Bytes() {
						require.Equal(t, content(r.From, int(r.Page)), v)
					}
					require.NotContains(t, landed, int(r.Page))
					landed = append(landed, int(r.Page))
					receiver.Landed(r.Page)
				}
			})
			require.NoError(t, c.Engine.Run(sim.Never))
			require.Len(t, landed, pages)
			require.Len(t, messages, pages)
			require.Zero(t, receiver.Stats().Damaged)
		})
	}
}

// TestUnexpectedPage is refused, and the receiver does not learn of it.
func TestUnexpectedPage(t *testing.T) {
	c, ports := connect(t, 2, 4, ring, nil)
	ports[1].OnRequest(func() {})
	c.Nodes[0].Host.Go("program", host.Application, func(x *host.Context) {
		require.NoError(t, ports[0].Deposit(x, 1, trace.Meta{Kind: trace.PageReply}, 2, new(svm.Frame)))
	})
	require.NoError(t, c.Engine.Run(sim.Never))
	require.EqualValues(t, 1, c.Nodes[1].VMMC.Stats().Protection)
	c.Nodes[1].Host.Go("program", host.Application, func(x *host.Context) {
		for _, class := range []svm.Class{svm.Request, svm.Answer} {
			_, ok := ports[1].Receive(x, class)
			require.False(t, ok)
		}
	})
	require.NoError(t, c.Engine.Run(sim.Never))
}

// TestDamagedRecord: what cannot be a record ends the program with a message that no
// protocol can read.
func TestDamagedRecord(t *testing.T) {
	good := wire.Record(8, svm.Request, 0, false, 0, 0)
	with := func(word int, v byte) []byte {
		b := bytes.Clone(good)
		b[4*word] = v
		return b
	}
	for name, b := range map[string][]byte{
		"length": with(0, 12), "total": with(1, 12), "sender": with(2, 1), "sequence": with(3, 1), "tail": with(6, 1),
		"short": good[:wire.EnvelopeBytes-4], "part": wire.Record(8, svm.Request, 3, false, 0, 0), "far": wire.Record(8, svm.Request, 0, false, 0, 1<<31),
	} {
		t.Run(name, func(t *testing.T) {
			c, ports := connect(t, 2, 4, ring, nil)
			noticed := 0
			ports[1].OnRequest(func() { noticed++ })
			ports[1].Arrive(0, 0, b, true, true)
			require.EqualValues(t, 1, ports[1].Stats().Damaged)
			require.Equal(t, 1, noticed)
			c.Nodes[1].Host.Go("program", host.Application, func(x *host.Context) {
				for _, class := range []svm.Class{svm.Request, svm.Answer} {
					r, ok := ports[1].Receive(x, class)
					require.True(t, ok)
					require.Empty(t, r.Bytes)
				}
			})
			require.NoError(t, c.Engine.Run(sim.Never))
		})
	}
}

// TestThirdLongMessage: two long letters can be on the way to a peer, the
// program's and that of a service process; a third is an error.
func TestThirdLongMessage(t *testing.T) {
	c, ports := connect(t, 2, 1, ring, nil)
	ports[1].OnRequest(func() {})
	var errs []error
	for range 3 {
		c.Nodes[0].Host.Go("program", host.Application, func(x *host.Context) {
			errs = append(errs, ports[0].Send(x, 1, trace.Meta{Kind: trace.Diff}, make([]byte, 50*ring), svm.Request))
		})
	}
	defer c.Engine.Close()
	require.NoError(t, c.Engine.RunUntil(func() bool { return len(errs) > 0 }))
	require.ErrorContains(t, errs[0], "node 0 sends a third long message to node 1 while two are in flight")
}

// FuzzRecord lets anything lie in a ring. Whatever is not a record is counted
// as damaged and never panics.
func FuzzRecord(f *testing.F) {
	for part := range 4 {
		f.Add(wire.Record(8, svm.Answer, part, part == 1, 0, 0), uint16(64), true, true)
	}
	f.Add(wire.Record(8, svm.Request, 0, false, 1, 0), uint16(0), true, true)
	f.Add(wire.Record(8, svm.Request, 0, false, 0, 1<<31), uint16(0), true, true)
	f.Add([]byte{}, uint16(ring-1), true, true)
	f.Add([]byte{1, 2, 3}, uint16(ring-3), false, true)
	f.Fuzz(func(t *testing.T, b []byte, offset uint16, first, last bool) {
		if len(b) == 0 || int(offset)+len(b) > ring {
			return
		}
		_, ports := connect(t, 2, 4, ring, nil)
		ports[1].OnRequest(func() {})
		ports[1].Arrive(0, int(offset), b, first, last)
		if len(b) < wire.EnvelopeBytes && first && last {
			require.EqualValues(t, 1, ports[1].Stats().Damaged)
		}
		if len(b) >= wire.HeaderBytes {
			require.Equal(t, b[:wire.HeaderBytes], wire.Reread(b[:wire.HeaderBytes]))
		}
	})
}

// TestServiceInterruptsSender: a service process that has a letter longer than
// the ring to send interrupts a program that has taken room in the same ring
// and not yet posted its record. The letter needs room that is only free when
// the record has been read.
func TestServiceInterruptsSender(t *testing.T) {
	for size := 100; size <= 1000; size += 300 {
		c, ports := connect(t, 2, 1, ring, nil)
		var letters []letter
		for range 300 {
			letters = append(letters, letter{0, 1, svm.Answer, make([]byte, size)}, letter{1, 0, svm.Request, make([]byte, 4)})
		}
		exchange(t, c, ports, letters, true, 2*ring)
	}
}
