package fm_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/fm"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

var message = trace.Meta{Kind: trace.Message}

// TestMessages: what every layer has to pass.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 20000), 1, 12).Draw(t, "sizes")
		r := testbed.New(t, "ppro", rapid.SampledFrom([]string{"fm", "fm21"}).Draw(t, "layer"), 2, 20000)
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 4).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		for _, n := range r.Nodes {
			require.True(t, n.Layer.Quiet())
		}
	})
}

// TestSenderWaitsForCredits: as many packets leave as the ring has places,
// until the receiver looks at it; none is lost.
func TestSenderWaitsForCredits(t *testing.T) {
	r := testbed.New(t, "ppro", "fm", 2, 64)
	places, count, sent := int(r.Nodes[0].Layer.(*fm.Node).Credits()), 1000, 0
	r.Go(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(64)
		for i := range count {
			p.Space.Store32(b, uint32(i))
			must(p.Endpoint.Send(c, 1, b, 64, message))
			sent++
		}
	}, func(c *host.Context, p *testbed.Process) {
		c.Spend(20 * sim.Millisecond)
		require.Equal(t, places, sent)
		b := p.Space.Alloc(64)
		for i := range count {
			_, err := p.Endpoint.Receive(c, 0, b, 64)
			must(err)
			require.EqualValues(t, i, p.Space.Load32(b))
		}
	})
	require.Equal(t, count, sent)
	require.Zero(t, r.Lost())
	given := r.Nodes[1].Layer.(*fm.Node).Stats().Credits
	require.EqualValues(t, count/(places/2), given, "one message for half of the ring")
}

// TestBothSend: nodes that send more to one another than the rings hold handle
// arrivals while they wait.
func TestBothSend(t *testing.T) {
	const size = 1 << 20
	for _, layer := range []string{"fm", "fm21"} {
		r := testbed.New(t, "ppro", layer, 2, size)
		both := func(c *host.Context, p *testbed.Process) {
			out, in := p.Endpoint.Buffer(size), p.Space.Alloc(size)
			for i := range 3 {
				p.Space.WriteAt(out, testbed.Pattern(uint64(10*p.Number+i), size))
				must(p.Endpoint.Send(c, 1-p.Number, out, size, message))
			}
			for i := range 3 {
				got, err := p.Endpoint.Receive(c, 1-p.Number, in, size)
				must(err)
				require.Equal(t, comm.Message{From: 1 - p.Number, Bytes: size, At: in}, got)
				require.Equal(t, testbed.Pattern(uint64(10*(1-p.Number)+i), size), read(p.Space, in, size))
			}
		}
		r.Go(both, both)
		require.Zero(t, r.Lost())
	}
}

func read(s *host.Space, at host.Addr, n int) []byte {
	b := make([]byte, n)
	s.ReadAt(at, b)
	return b
}

// TestAnyone: messages of several senders, received from whom they come, and
// left where they are.
func TestAnyone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, each := rapid.IntRange(2, 5).Draw(t, "nodes"), rapid.IntRange(1, 6).Draw(t, "each")
		size := rapid.IntRange(0, 6000).Draw(t, "size")
		late := rapid.Bool().Draw(t, "late")
		inPlace := rapid.Bool().Draw(t, "in place")
		r := testbed.New(t, "ppro", "fm", nodes, 6000)
		programs := []func(c *host.Context, p *testbed.Process){func(c *host.Context, p *testbed.Process) {
			into := p.Space.Alloc(6000)
			if inPlace {
				into = 0
			}
			if late {
				c.Spend(10 * sim.Millisecond)
				p.Endpoint.Poll(c)
			}
			next := make([]int, nodes)
			for range each * (nodes - 1) {
				got, err := p.Endpoint.Receive(c, comm.Anyone, into, 6000)
				must(err)
				require.Equal(t, size, got.Bytes)
				require.Equal(t, testbed.Pattern(uint64(100*got.From+next[got.From]), size), read(p.Space, got.At, size))
				next[got.From]++
			}
		}}
		for range nodes - 1 {
			programs = append(programs, func(c *host.Context, p *testbed.Process) {
				b := p.Endpoint.Buffer(6000)
				for i := range each {
					p.Space.WriteAt(b, testbed.Pattern(uint64(100*p.Number+i), size))
					must(p.Endpoint.Send(c, 0, b, size, message))
				}
			})
		}
		r.Go(programs...)
		require.Zero(t, r.Lost())
	})
}

// unseen reports whether CRC-8 cannot show by what bits two texts differ: by none, or by pairs a multiple of 127 bits apart, which is
// the period of its polynomial.
func unseen(sent, got []byte) bool {
	var odd [127]bool
	for i := range sent {
		for bit := range 8 {
			if (sent[i]^got[i])>>(7-bit)&1 != 0 {
				odd[(8*i+bit)%127] = !odd[(8*i+bit)%127]
			}
		}
	}
	return !slices.Contains(odd[:], true)
}

// TestDamageStops: a damaged packet is counted as lost, and the programs get an
// error or wait for ever: nothing goes on as if nothing had been.
func TestDamageStops(t *testing.T) {
	stopped, damaged := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		burst := rapid.SampledFrom([]int{1, 1, 8}).Draw(rt, "burst")
		r := testbed.New(rt, "ppro", "fm", 2, 5000, func(s *cluster.Spec) {
			s.Seed = seed
			s.Faults.ErrorPerByte = 1e-5
			s.Faults.BurstBytes = burst
		})
		var failed error
		whole := 0
		err := r.Try(func(c *host.Context, p *testbed.Process) {
			b := p.Endpoint.Buffer(5000)
			for i := range 50 {
				p.Space.WriteAt(b, testbed.Pattern(uint64(i), 2000))
				if err := p.Endpoint.Send(c, 1, b, 2000, message); err != nil {
					return
				}
			}
		}, func(c *host.Context, p *testbed.Process) {
			b := p.Space.Alloc(5000)
			for i := range 50 {
				if _, failed = p.Endpoint.Receive(c, 0, b, 5000); failed != nil {
					return
				}
				whole++
				if burst == 1 {
					require.True(rt, unseen(testbed.Pattern(uint64(i), 2000), read(p.Space, b, 2000)), "message %d", i)
				}
			}
		})
		var stuck *sim.DeadlockError
		if err != nil {
			require.ErrorAs(rt, err, &stuck)
		}
		if data := r.Count(1, "damaged"); data > 0 {
			damaged++
			require.Less(rt, whole, 50)
			require.True(rt, failed != nil || stuck != nil)
		} else if burst == 1 && r.Lost() == 0 {
			require.Equal(rt, 50, whole)
		}
		if failed != nil {
			stopped++
		}
	})
	require.Positive(t, stopped)
	require.Positive(t, damaged)
}

// TestResetStops: a node that takes nothing for longer than the network waits
// loses packets, and its interface those that lie in it.
func TestResetStops(t *testing.T) {
	send := func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(5000)
		for range 100 {
			if p.Endpoint.Send(c, 1, b, 5000, message) != nil {
				return
			}
		}
	}
	var failed error
	receive := func(c *host.Context, p *testbed.Process) {
		b := p.Space.Alloc(5000)
		for range 100 {
			if _, failed = p.Endpoint.Receive(c, 0, b, 5000); failed != nil {
				return
			}
		}
	}
	stopped := func(r *testbed.Test, name string, node int, programs ...func(c *host.Context, p *testbed.Process)) {
		t.Helper()
		failed = nil
		err := r.Try(programs...)
		require.True(t, err != nil || failed != nil, "it went on")
		require.Positive(t, r.Count(node, name))
		require.Positive(t, r.Lost())
	}
	r := testbed.New(t, "ppro", "fm", 2, 5000, func(s *cluster.Spec) {
		s.Faults.Stalls = []fabric.Stall{{Node: 1, At: sim.Time(sim.Millisecond), For: 70 * sim.Millisecond}}
	})
	stopped(r, "reset on the way", 0, send, receive)

	// A control program that hangs; two senders, which are more than one H engine
	// can follow, so that packets wait for it; a ring that takes more packets than the
	// interface, which therefore refuses some.
	hole := false
	for us := 500; us < 600 && !hole; us += 5 {
		r = testbed.New(t, "ppro", "fm", 3, 5000, func(s *cluster.Spec) { s.Profile.FM.RegionBytes = 1 << 17 })
		failed = nil
		for i, f := range []func(*host.Context, *testbed.Process){send, receive, send} {
			r.Nodes[i].Host.Go("program", host.Application, func(c *host.Context) { f(c, r.Procs[i]) })
		}
		require.NoError(t, r.Engine.Run(sim.Time(us)*sim.Time(sim.Microsecond)))
		r.Nodes[1].NIC.Stall(70 * sim.Millisecond)
		require.NoError(t, r.Cluster.Rest(sim.Second))
		hole = r.Nodes[1].Layer.(*fm.Node).Stats().Holes > 0
		if hole {
			require.ErrorContains(t, failed, "has been lost")
			require.Positive(t, r.Count(1, "flushed"))
		}
	}
	require.True(t, hole)
}

// TestOneProcess: 2.02 has no place for a second process, and takes packets of
// any.
func TestOneProcess(t *testing.T) {
	r := testbed.New(t, "ppro", "fm", 2, 64)
	_, err := r.Nodes[0].Layer.Open(host.NewSpace("second", r.Nodes[0].Frames), 1)
	require.ErrorContains(t, err, "version 2.02 serves one")
}

// TestProcessesApart: with 2.1 two programs use the same two interfaces; each
// gets its own messages, and those for a process that is not there are refused.
func TestProcessesApart(t *testing.T) {
	r := testbed.New(t, "ppro", "fm21", 2, 4096)
	var second [2]comm.Endpoint
	for i, n := range r.Nodes {
		var err error
		second[i], err = n.Layer.Open(host.NewSpace(fmt.Sprintf("second%d", i), n.Frames), 1)
		require.NoError(t, err)
		_, err = n.Layer.Open(host.NewSpace("third", n.Frames), 1)
		require.ErrorContains(t, err, "tag 1")
	}
	send := func(c *host.Context, ep comm.Endpoint, tag int) {
		b := ep.Buffer(4096)
		for i := range 200 {
			ep.Space().WriteAt(b, testbed.Pattern(uint64(1000*tag+i), 3000))
			must(ep.Send(c, 1, b, 3000, message))
		}
	}
	ended := 0
	receive := func(c *host.Context, ep comm.Endpoint, tag int) {
		b := ep.Buffer(4096)
		for i := range 200 {
			_, err := ep.Receive(c, 0, b, 4096)
			must(err)
			require.Equal(t, testbed.Pattern(uint64(1000*tag+i), 3000), read(ep.Space(), b, 3000))
		}
		ended++
	}
	r.Nodes[0].Host.Go("second", host.Application, func(c *host.Context) { send(c, second[0], 1) })
	r.Nodes[1].Host.Go("second", host.Application, func(c *host.Context) { receive(c, second[1], 1) })
	r.Go(func(c *host.Context, p *testbed.Process) { send(c, p.Endpoint, 0) },
		func(c *host.Context, p *testbed.Process) { receive(c, p.Endpoint, 0) })
	require.NoError(t, r.Engine.RunUntil(func() bool { return ended == 2 }))
	require.Zero(t, r.Lost())

	lonely, err := r.Nodes[0].Layer.Open(host.NewSpace("lonely", r.Nodes[0].Frames), 2)
	require.NoError(t, err)
	r.Go(func(c *host.Context, _ *testbed.Process) {
		b := lonely.Buffer(8)
		must(lonely.Send(c, 1, b, 8, message))
	})
	require.EqualValues(t, 1, r.Count(1, "refused"))
	require.EqualValues(t, 1, r.Lost())
}

// TestMonitored: the monitor sees all packets, those with credits too, at their six instants.
func TestMonitored(t *testing.T) {
	r := testbed.New(t, "ppro", "fm", 2, 5000, func(s *cluster.Spec) {
		s.Build, s.Estimator, s.Kinds = monitor.Full, "filtered", []trace.Kind{trace.Message, trace.Credit}
	})
	require.NoError(t, r.Warm())
	r.Record()
	r.Deliver(1, 1, 5000, 5000, 100, 0)
	s, err := r.Histograms()
	require.NoError(t, err)
	for stage := range trace.NumStages {
		m, err := s.Moments(histo.Query{Stage: stage})
		require.NoError(t, err)
		require.EqualValues(t, 2*(5+5+1+1), m.Count, stage)
		require.Positive(t, m.MeanNs, stage)
	}
}

// TestTraits: what is behind the words of the comparison.
func TestTraits(t *testing.T) {
	for layer, several := range map[string]bool{"fm": false, "fm21": true} {
		traits := testbed.New(t, "ppro", layer, 2, 64).Procs[0].Endpoint.Traits()
		require.Equal(t, layer, traits.Name)
		require.Equal(t, several, traits.Multiprogramming)
		require.Equal(t, several, traits.InternodeProtection)
		require.True(t, traits.IntranodeProtection)
		require.Equal(t, "PIO(WC)", traits.SendPath)
	}
}

// TestImpossibleCredit: credit for packets that were never sent, as damage makes it, is
// refused, and so is credit less than before. Later ones, which count all packets, make good
// for it.
func TestImpossibleCredit(t *testing.T) {
	for name, wrong := range map[string]func(credit uint64) uint64{
		"too much": func(n uint64) uint64 { return n + 1<<40 },
		"less":     func(uint64) uint64 { return 1 },
	} {
		t.Run(name, func(t *testing.T) {
			const count = 1000
			r := testbed.New(t, "ppro", "fm", 2, 64)
			credits := 0
			r.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Header.Meta.Kind == trace.Credit {
					if credits++; credits == 2 {
						p.Header.Words[0] = wrong(p.Header.Words[0])
					}
				}
				return false
			})
			places := int(r.Nodes[0].Layer.(*fm.Node).Credits())
			sent, taken, ahead := 0, 0, 0
			r.Go(func(c *host.Context, p *testbed.Process) {
				b := p.Endpoint.Buffer(64)
				for range count {
					must(p.Endpoint.Send(c, 1, b, 64, message))
					sent++
					ahead = max(ahead, sent-taken)
				}
			}, func(c *host.Context, p *testbed.Process) {
				b := p.Space.Alloc(64)
				for range count {
					_, err := p.Endpoint.Receive(c, 0, b, 64)
					must(err)
					taken++
				}
			})
			require.EqualValues(t, 1, r.Count(0, "malformed"))
			require.LessOrEqual(t, ahead, places+1, "one may be handled and not counted")
			require.Zero(t, r.Count(1, "overflow"))
		})
	}
}

// TestPacketThatDoesNotFit: a packet at another offset of its message, or longer than what is left
// of it, as damage makes them, ends the messages of the process with an error that says so.
func TestPacketThatDoesNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		word  int
		value uint64
		want  string
	}{"offset": {2, 1000, "at offset 1000 of"}, "length": {1, 10, "of a message of 10 B"}} {
		t.Run(name, func(t *testing.T) {
			r := testbed.New(t, "ppro", "fm", 2, 4096)
			packets := 0
			r.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Dst == 1 && p.Bytes() > 0 {
					if packets++; c.word == 1 || packets == 2 {
						p.Header.Words[c.word] = c.value
					}
				}
				return false
			})
			r.Go(func(c *host.Context, p *testbed.Process) {
				must(p.Endpoint.Send(c, 1, p.Endpoint.Buffer(3000), 3000, message))
			}, func(x *host.Context, p *testbed.Process) {
				_, err := p.Endpoint.Receive(x, 0, p.Space.Alloc(4096), 4096)
				require.ErrorContains(t, err, c.want)
			})
			require.EqualValues(t, 1, r.Count(1, "malformed"))
		})
	}
}

// TestFullRing: packets for which the ring has no place, because damage has given their sender too
// much credit, are dropped; those in the ring stay.
func TestFullRing(t *testing.T) {
	r := testbed.New(t, "ppro", "fm", 2, 64)
	places := int(r.Nodes[0].Layer.(*fm.Node).Credits())
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Header.Meta.Kind == trace.Credit {
			p.Header.Words[0] = uint64(places) // all that have been sent
		}
		return false
	})
	taken, got := places/2, 0 // half of the places return the first credit
	err := r.Try(func(c *host.Context, p *testbed.Process) {
		b := p.Endpoint.Buffer(64)
		for i := range 2 * places {
			p.Space.Store32(b, uint32(i))
			must(p.Endpoint.Send(c, 1, b, 64, message))
		}
	}, func(c *host.Context, p *testbed.Process) {
		b := p.Space.Alloc(64)
		c.Sleep(20 * sim.Millisecond)
		for ; ; got++ {
			if got == taken {
				c.Sleep(20 * sim.Millisecond)
			}
			_, err := p.Endpoint.Receive(c, 0, b, 64)
			must(err)
			require.EqualValues(t, got, p.Space.Load32(b))
		}
	})
	var stuck *sim.DeadlockError
	require.ErrorAs(t, err, &stuck)
	require.Equal(t, places+taken, got)
	require.EqualValues(t, places-taken, r.Count(1, "overflow"))
}
