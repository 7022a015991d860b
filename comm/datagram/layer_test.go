package datagram_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/datagram"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

const (
	on = "linux-udp"
	us = sim.Microsecond
)

var message = trace.Meta{Kind: trace.Message}

// with changes the layer's section.
func with(change func(*datagram.Spec)) testbed.Change {
	return func(s *cluster.Spec) { change(s.Profile.Datagram) }
}

// small lets sockets hold few messages, and queueing disciplines and drivers.
func small(receive, send int) testbed.Change {
	return with(func(s *datagram.Spec) { s.Firmware.ReceiveBuffers, s.Firmware.SendPackets = receive, send })
}

// narrow is a slow network that holds few bytes.
func narrow(s *cluster.Spec) {
	n := &s.Profile.Network
	n.LinkRate, n.WireDelay, n.SwitchDelay = sim.MBps(100), 50*sim.Nanosecond, 50*sim.Nanosecond
	n.SlackBytes, n.StopBytes, n.GoBytes = 128, 64, 32
}

// TestMessages: what every layer has to pass, with receivers that are blocked or spin, and also
// with kernels that hold one message.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 20000
		size := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, most))
		sizes := rapid.SliceOfN(size, 1, 30).Draw(t, "sizes")
		few := rapid.SampledFrom([]int{1, 2, 3, 64})
		spin := with(func(s *datagram.Spec) { s.Spin = rapid.Bool().Draw(t, "spin") })
		r := testbed.New(t, on, "datagram", 2, most, spin, small(few.Draw(t, "receive buffers"), few.Draw(t, "send packets")))
		r.Deliver(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 30).Draw(t, "turn"), sizes...)
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
		require.True(t, r.Nodes[0].Layer.Quiet() && r.Nodes[1].Layer.Quiet())
	})
}

// TestGather: the two pieces arrive as one message.
func TestGather(t *testing.T) {
	r := testbed.New(t, on, "datagram", 2, 4096)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			at := p.Endpoint.Buffer(16)
			p.Space.WriteAt(at, []byte("the head the body"))
			require.NoError(t, p.Endpoint.(comm.Gatherer).Gather(c, 1, comm.Piece{At: at, Bytes: 4}, comm.Piece{At: at + 13, Bytes: 4}, message))
		},
		func(c *host.Context, p *testbed.Process) {
			got, err := p.Endpoint.Receive(c, 0, 0, 0)
			require.NoError(t, err)
			data := make([]byte, got.Bytes)
			p.Space.ReadAt(got.At, data)
			require.Equal(t, "the body", string(data))
		})
}

// stages measures messages between two nodes and returns the means of the stages, µs.
func stages(t *testing.T, bytes int, late sim.Duration, changes ...testbed.Change) (means [trace.NumStages]float64) {
	t.Helper()
	const messages = 20
	r := testbed.New(t, on, "datagram", 2, bytes, append(changes, testbed.Monitored)...)
	n := r.Measured(func() {
		begin := r.Engine.Now().Add(sim.Millisecond)
		side := func(do func(*host.Context, *testbed.Process, int)) func(*host.Context, *testbed.Process) {
			return func(c *host.Context, p *testbed.Process) {
				for i := range messages {
					c.Sleep(begin.Add(sim.Duration(i) * sim.Millisecond).Sub(c.Now()))
					do(c, p, i)
				}
			}
		}
		m0, m1 := r.Mails(bytes)
		r.Go(
			side(func(c *host.Context, _ *testbed.Process, i int) { m0.Put(c, bytes, uint32(i)) }),
			side(func(c *host.Context, _ *testbed.Process, i int) {
				c.Sleep(late)
				require.EqualValues(t, i, m1.Take(c, bytes))
			}))
	})
	require.Equal(t, testbed.EachStage(messages), n)
	for stage := range means {
		means[stage] = r.Moments(histo.Query{Stage: trace.Stage(stage)}).MeanNs / 1000
	}
	return means
}

// TestLateReceiver: a message stays in the kernel until the program asks for it, so a receiver that
// is late lengthens Dest by as much, and no other stage.
func TestLateReceiver(t *testing.T) {
	const by = 300
	spin := with(func(s *datagram.Spec) { s.Spin = true })
	late, later := stages(t, 1000, 200*us, spin), stages(t, 1000, (200+by)*us, spin)
	t.Logf("µs: %.1f, later %.1f", late, later)
	require.InDelta(t, by, later[trace.Dest]-late[trace.Dest], 1)
	for _, stage := range []trace.Stage{trace.Source, trace.LANai, trace.Net} {
		require.InDelta(t, late[stage], later[stage], 0.5, stage)
	}
}

// TestHandOver: with it the time on the wire is in Net alone; otherwise T4 is the end of the
// insertion, which is in LANai too.
func TestHandOver(t *testing.T) {
	const bytes, fast, slow = 10000, 1000, 100
	grows := func(handOver bool) (lanai, net float64) {
		link := func(mbps float64) [trace.NumStages]float64 {
			return stages(t, bytes, 0, func(s *cluster.Spec) {
				s.Profile.Network.LinkRate, s.Profile.Monitor.HandOver = sim.MBps(mbps), handOver
			})
		}
		at, atSlow := link(fast), link(slow)
		return atSlow[trace.LANai] - at[trace.LANai], atSlow[trace.Net] - at[trace.Net]
	}
	const wire = bytes/slow - bytes/fast
	for _, handOver := range []bool{true, false} {
		lanai, net := grows(handOver)
		want := 0.0
		if !handOver {
			want = wire
		}
		require.InDelta(t, want, lanai, 1, "hand_over %v", handOver)
		require.InDelta(t, wire, net, 1)
	}
}

// TestStages: each cost is in the stage that a kernel's stamps would have it in, and in no other.
func TestStages(t *testing.T) {
	const none = trace.NumStages
	at := func(change func(*platform.Profile)) [trace.NumStages]float64 {
		return stages(t, 10000, 0, func(s *cluster.Spec) {
			p := s.Profile
			p.NI.HostDMAToNIMBps, p.NI.HostDMAToHostMBps, p.NI.Loop.NetStartCycles = 1000, 1000, 0
			p.Datagram.Firmware.Cycles.TakeRequest, p.Datagram.Receive = 0, 0
			change(p)
		})
	}
	base := at(func(*platform.Profile) {})
	for name, x := range map[string]struct {
		stage  trace.Stage
		us     float64
		change func(*platform.Profile)
	}{
		"call":          {trace.Source, 30, func(p *platform.Profile) { p.Datagram.Firmware.Cycles.TakeRequest = 30000 }},
		"copy":          {trace.Source, 10, func(p *platform.Profile) { p.NI.HostDMAToNIMBps = 500 }},
		"driver":        {trace.LANai, 8, func(p *platform.Profile) { p.NI.Loop.NetStartCycles = 8000 }},
		"receive":       {trace.Dest, 30, func(p *platform.Profile) { p.Datagram.Receive = 30000 }},
		"copy, receive": {trace.Dest, 10, func(p *platform.Profile) { p.NI.HostDMAToHostMBps = 500 }},
		"return":        {none, 0, func(p *platform.Profile) { p.Datagram.Host.Return += 30 * us }},
	} {
		for stage, got := range at(x.change) {
			want := base[stage]
			if trace.Stage(stage) == x.stage {
				want += x.us
			}
			require.InDelta(t, want, got, 0.3, "%s, %v", name, trace.Stage(stage))
		}
	}
}

// TestWake: a receiver that waits for the message pays wake_us in Dest if it is blocked, and
// nothing if it spins or does not wait.
func TestWake(t *testing.T) {
	dest := func(spin bool, late, wake sim.Duration) float64 {
		return stages(t, 1000, late, with(func(s *datagram.Spec) { s.Spin, s.Host.Wake = spin, wake }))[trace.Dest]
	}
	const wake = 40
	costs := func(spin bool, late sim.Duration) float64 { return dest(spin, late, wake*us) - dest(spin, late, 0) }
	require.InDelta(t, wake, costs(false, 0), 1)
	require.InDelta(t, 0, costs(true, 0), 1)
	require.InDelta(t, 0, costs(false, 500*us), 1, "the message is there")
}

// TestBlocked: other programs of the host run while a receiver is blocked, but not while it spins.
func TestBlocked(t *testing.T) {
	const work = sim.Millisecond
	ends := func(spin bool) (at sim.Time) {
		r := testbed.New(t, on, "datagram", 2, 4, with(func(s *datagram.Spec) { s.Spin = spin }), func(s *cluster.Spec) {
			s.Profile.Host.CPUs, s.Profile.Host.Quantum = 1, 10*work
		})
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				c.Sleep(3 * work)
				testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 1)
			},
			func(c *host.Context, p *testbed.Process) {
				r.Nodes[1].Host.Go("other", host.Application, func(c *host.Context) {
					c.Spend(work)
					at = c.Now()
				})
				testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 1)
			})
		return at
	}
	require.Less(t, ends(false), sim.Time(2*work))
	require.Greater(t, ends(true), sim.Time(3*work))
}

// TestDepositsWake: a program on deposits that waits for one pays wake_us as well.
func TestDepositsWake(t *testing.T) {
	sees := func(spin bool, wake sim.Duration) (at sim.Time) {
		r, err := testbed.Build(t.Context(), testbed.Spec{Platform: on, Cold: true, Silent: true, Monitor: "off", Profile: func(p *platform.Profile) {
			p.Datagram.Spin, p.Datagram.Host.Wake = spin, wake
		}})
		require.NoError(t, err)
		ports, err := deposit.Open(r.Deposits(), "test", 0)
		require.NoError(t, err)
		from, to := deposit.Setup{Port: ports[0]}, deposit.Setup{Port: ports[1]}
		arrived := false
		m := from.Import(to.Export(ports[1].Space().Alloc(8), 8, nil, func(deposit.Arrival) { arrived = true }))
		require.NoError(t, cmp.Or(from.Err, to.Err))
		r.Play(
			func(c *host.Context) {
				c.Sleep(sim.Millisecond)
				r.Keep(ports[0].Send(c, ports[0].Space().Alloc(8), m, 0, 8, message, false))
			},
			func(c *host.Context) {
				var w host.Watch
				for !arrived {
					ports[1].Wait(c, &w, "a deposit")
				}
				at = c.Now()
			})
		require.NoError(t, r.Err())
		return at
	}
	const wake = 40 * us
	require.Equal(t, wake, sees(false, wake).Sub(sees(false, 0)))
	require.Equal(t, sees(true, 0), sees(true, wake))
}

// TestSendReturns: a send returns return_us after the kernel has the data, however long the
// driver takes then.
func TestSendReturns(t *testing.T) {
	const bytes = 50000
	took := func(change func(*cluster.Spec)) float64 {
		r := testbed.New(t, on, "datagram", 2, bytes, change)
		from, to := r.Mails(bytes)
		var sent sim.Duration
		r.Go(func(c *host.Context, _ *testbed.Process) {
			begin := c.Now()
			from.Put(c, bytes, 1)
			sent = c.Now().Sub(begin)
			from.Space.Store32(from.Out, 2) // the buffer is the program's again
		}, func(c *host.Context, _ *testbed.Process) { require.EqualValues(t, 1, to.Take(c, bytes)) })
		return sent.Us()
	}
	of := func(copying float64, back sim.Duration, driver int, wire float64) float64 {
		return took(func(s *cluster.Spec) {
			p := s.Profile
			p.NI.HostDMAToNIMBps, p.Datagram.Host.Return, p.NI.Loop.NetStartCycles, p.Network.LinkRate = copying, back, driver, sim.MBps(wire)
		})
	}
	none := of(1000, 0, 0, 1000)
	t.Logf("%.2f µs", none)
	require.InDelta(t, none, of(1000, 0, 9000, 100), 0.1, "a slow driver and a slow wire")
	require.InDelta(t, none+30, of(1000, 30*us, 0, 1000), 0.1)
	require.InDelta(t, none+bytes/1000, of(500, 0, 0, 1000), 0.5)
}

// TestBothSend: processes that send more than their kernels and the network hold, and receive only
// then, come to an end: the library takes messages while a send waits.
func TestBothSend(t *testing.T) {
	for _, nodes := range []int{2, 3} {
		r := testbed.New(t, on, "datagram", nodes, 4, small(3, 2), narrow)
		r.SendFirst(300)
		require.NotZero(t, r.Count(0, "moved"))
		require.Zero(t, r.Lost())
		require.Zero(t, r.Net.InUse())
	}
}

// TestTakesMeanwhile: a send that has waited for long takes messages that come then.
func TestTakesMeanwhile(t *testing.T) {
	const messages, long = 50, 100 * sim.Millisecond
	r := testbed.New(t, on, "datagram", 3, 4, small(3, 2), narrow)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			testbed.SendNumbers(t, c, p.Endpoint, 1, 0, messages)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 2, 0, messages)
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(long)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, messages)
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(long / 10)
			testbed.SendNumbers(t, c, p.Endpoint, 0, 0, messages)
			require.Less(t, c.Now(), sim.Time(long))
		})
}

// TestOneOfTwo: a receiver that waits for one sender does not wait for ever if messages of another
// one fill its kernel. They are received later, in order.
func TestOneOfTwo(t *testing.T) {
	const messages = 20
	r := testbed.New(t, on, "datagram", 3, 4, small(4, 1))
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			testbed.ReceiveNumbers(t, c, p.Endpoint, 2, 0, messages)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 1, 0, messages)
		},
		func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 0, 0, messages) },
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sim.Millisecond)
			testbed.SendNumbers(t, c, p.Endpoint, 0, 0, messages)
		})
	require.NotZero(t, r.Count(0, "moved"))
}

// TestRoom: a receiver that does not ask keeps the sender back, when its kernel has no room, and
// nothing is lost.
func TestRoom(t *testing.T) {
	const room, send, messages = 5, 3, 100
	r := testbed.New(t, on, "datagram", 2, 4, small(room, send), narrow)
	sent := 0
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			for i := range messages {
				testbed.SendNumbers(t, c, p.Endpoint, 1, i, 1)
				sent++
			}
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(20 * sim.Millisecond)
			require.Less(t, sent, messages)
			require.GreaterOrEqual(t, sent, room+send)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, messages)
		})
	require.Equal(t, messages, sent)
	require.Zero(t, r.Lost())
}

// TestTooLong: a message longer than the buffer is an error, and stays for a receive with room for
// it.
func TestTooLong(t *testing.T) {
	r := testbed.New(t, on, "datagram", 2, 100)
	from, to := r.Mails(100)
	r.Go(
		func(c *host.Context, _ *testbed.Process) {
			from.Put(c, 100, 7)
			from.Put(c, 8, 8)
		},
		func(c *host.Context, p *testbed.Process) {
			_, err := p.Endpoint.Receive(c, 0, to.In, 99)
			require.ErrorContains(t, err, "a message of 100 B of node 0, want at most the 99 B of the buffer")
			for i, n := range []int{100, 8} {
				got, err := p.Endpoint.Receive(c, 0, to.In, 100)
				require.NoError(t, err)
				require.Equal(t, comm.Message{From: 0, Bytes: n, At: to.In}, got)
				require.EqualValues(t, 7+i, p.Space.Load32(to.In))
			}
		})
}

// TestPoll: a poll tells of messages once, and they can still be received.
func TestPoll(t *testing.T) {
	r := testbed.New(t, on, "datagram", 2, 4)
	r.Go(
		func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 2) },
		func(c *host.Context, p *testbed.Process) {
			due := p.Endpoint.(comm.Attended).Due
			require.Equal(t, sim.Never, due())
			c.Sleep(sim.Millisecond)
			require.Zero(t, due())
			require.Equal(t, 2, p.Endpoint.Poll(c))
			require.Zero(t, p.Endpoint.Poll(c))
			require.False(t, r.Nodes[1].Layer.Quiet())
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 2)
			require.Equal(t, sim.Never, due())
		})
}

// TestDamage: a damaged message stops the interface. What came before is delivered, and calls say
// why there is no more.
func TestDamage(t *testing.T) {
	const messages = 10
	r := testbed.New(t, on, "datagram", 2, 4)
	r.Hurt(6)
	r.Go(
		func(c *host.Context, p *testbed.Process) { testbed.SendNumbers(t, c, p.Endpoint, 1, 0, messages) },
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sim.Millisecond)
			testbed.ReceiveNumbers(t, c, p.Endpoint, 0, 0, 5)
			_, err := p.Endpoint.Receive(c, 0, 0, 4)
			require.ErrorContains(t, err, "node 1 has received a damaged message, of node 0")
			require.Equal(t, err, p.Endpoint.Send(c, 0, p.Endpoint.Buffer(4), 4, message))
		})
	require.EqualValues(t, 1, r.Count(1, "damaged"))
	require.EqualValues(t, messages-6, r.Count(1, "abandoned"))
	require.Zero(t, r.Net.InUse())
}

// TestDamageMeanwhile: so do calls that wait when it arrives.
func TestDamageMeanwhile(t *testing.T) {
	for name, call := range map[string]func(*host.Context, comm.Endpoint) error{
		"receive": func(c *host.Context, e comm.Endpoint) error {
			_, err := e.Receive(c, 0, 0, 4)
			return err
		},
		"send": func(c *host.Context, e comm.Endpoint) (err error) {
			for at := e.Buffer(4); err == nil; {
				err = e.Send(c, 2, at, 4, message) // nobody receives
			}
			return err
		},
	} {
		r := testbed.New(t, on, "datagram", 3, 4, small(3, 2), narrow)
		r.Hurt(1)
		var failed error
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				c.Sleep(sim.Millisecond)
				testbed.SendNumbers(t, c, p.Endpoint, 1, 0, 1)
			},
			func(c *host.Context, p *testbed.Process) {
				failed = call(c, p.Endpoint)
				require.InDelta(t, 1, sim.Duration(c.Now()).Us()/1000, 0.1, "ms")
			})
		require.ErrorContains(t, failed, "node 1 has received a damaged message, of node 0", name)
	}
}

// TestReset: a forward reset takes the messages in the kernel, which stops the interface. The one
// whose copy has begun is delivered; one that the program has asked for before is an error.
func TestReset(t *testing.T) {
	const bytes = 50000 // 50 µs of copying
	for _, x := range []struct {
		arrival   int // cycles of the kernel for each
		receive   sim.Duration
		delivered int
	}{{0, sim.Millisecond, 1}, {90000, 150 * us, 0}} {
		r := testbed.New(t, on, "datagram", 2, bytes, func(s *cluster.Spec) {
			s.Profile.NI.HostDMAToHostMBps, s.Profile.Datagram.Firmware.Cycles.Demultiplex = 1000, x.arrival
		})
		from, to := r.Mails(bytes)
		begin := r.Engine.Now().Add(x.receive)
		r.Nodes[1].Host.Go("reset", host.Application, func(c *host.Context) {
			c.Sleep(begin.Add(25 * us).Sub(c.Now()))
			r.Nodes[1].NIC.Reset()
		})
		r.Go(
			func(c *host.Context, p *testbed.Process) {
				for i := range 3 {
					from.Put(c, bytes, uint32(i))
				}
			},
			func(c *host.Context, p *testbed.Process) {
				c.Sleep(begin.Sub(c.Now()))
				for range x.delivered {
					require.Zero(t, to.Take(c, bytes))
				}
				_, err := to.Receive(c, bytes)
				require.ErrorContains(t, err, "node 1 has lost a message by a forward reset, of node 0")
				require.Equal(t, err, to.Send(c, 4, 0))
			})
		require.EqualValues(t, 3-x.delivered, r.Count(1, "flushed"))
		require.Zero(t, r.Net.InUse())
		require.True(t, r.Nodes[1].Layer.Quiet())
	}
}

// TestOneProcess: the layer serves one process of a node.
func TestOneProcess(t *testing.T) {
	r := testbed.New(t, on, "datagram", 2, 4)
	_, err := r.Nodes[1].Layer.Open(r.Procs[1].Space, 0)
	require.ErrorContains(t, err, "datagram: node 1: a process has the interface")
}
