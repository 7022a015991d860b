package bip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// TestOverflow: short messages that nobody receives fill the ring; those that
// come then are lost, and no others (userspace §4.1).
func TestOverflow(t *testing.T) {
	const slots, over = 64, 37
	r := testbed.New(t, "ppro", "bip", 2, 100)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			for i := range slots + over {
				send(c, p, 1, 100, uint64(i))
			}
			c.Sleep(sim.Millisecond)
			send(c, p, 1, 100, 1000)
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(5 * sim.Millisecond)
			for i := range slots {
				_, b := receive(c, p, 0, 0, 100)
				require.Equal(t, testbed.Pattern(uint64(i), 100), b)
			}
		})
	require.EqualValues(t, over+1, r.Count(1, "overflow"))
	require.EqualValues(t, over+1, r.Lost())
	r.Deliver(5, 1, 100, 200, 300)
	require.EqualValues(t, over+1, r.Lost())
	require.Zero(t, r.Net.InUse())
}

// TestUnannounced: a long message without an announcement holds its sender for
// 50 ms, is lost, and traffic goes on (userspace §4.1).
func TestUnannounced(t *testing.T) {
	const n = 1 << 20
	r := testbed.New(t, "ppro", "bip", 3, n)
	var sent sim.Duration
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			begin := c.Now()
			send(c, p, 1, n, 1)
			sent = c.Now().Sub(begin)
			send(c, p, 1, 100, 2)
		},
		func(c *host.Context, p *testbed.Process) {
			_, b := receive(c, p, 0, 0, 100)
			require.Equal(t, testbed.Pattern(2, 100), b)
		})
	require.Greater(t, sent, 50*sim.Millisecond)
	require.EqualValues(t, 1, r.Net.Stats().Resets)
	require.EqualValues(t, 4, r.Count(1, "reset"), "what the receive ring holds")
	require.EqualValues(t, 1, r.Count(0, "reset on the way"))
	fragments := r.Count(1, "reset") + r.Count(0, "reset on the way") + r.Count(1, "broken")
	require.Equal(t, r.Lost(), fragments)
	require.EqualValues(t, 74, fragments, "fragments of 1 MB")
	require.Zero(t, r.Net.InUse())

	r.Deliver(3, 1, n, 4, 5000)
	require.Equal(t, r.Lost(), fragments, "nothing more is lost")
}

// TestAnnouncedInTime: an announcement that comes while the sender is held
// saves the message, and what waits behind it stays in order.
func TestAnnouncedInTime(t *testing.T) {
	const n = 200_000
	r := testbed.New(t, "ppro", "bip", 2, n)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			send(c, p, 1, 100, 0)
			send(c, p, 1, 300, 1)
			send(c, p, 1, 100, 2)
			send(c, p, 1, n, 3)
			send(c, p, 1, 50, 4)
		},
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(40 * sim.Millisecond)
			for i, n := range []int{100, 300, 100, n, 50} {
				_, b := receive(c, p, 0, 0, n)
				require.Equal(t, testbed.Pattern(uint64(i), n), b)
			}
		})
	require.Zero(t, r.Lost())
	require.Zero(t, r.Net.Stats().Resets)
}

// TestCutShort: a reset that hits a message on its way leaves its announcement
// to the next one.
func TestCutShort(t *testing.T) {
	const n = 1 << 20
	r := testbed.New(t, "ppro", "bip", 3, n)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sim.Millisecond)
			send(c, p, 1, n, 1)
			c.Sleep(100 * sim.Millisecond)
			send(c, p, 1, n, 2)
		},
		func(c *host.Context, p *testbed.Process) {
			_, b := receive(c, p, 0, post(c, p, 0, n), n)
			require.Equal(t, testbed.Pattern(2, n), b)
		},
		func(c *host.Context, p *testbed.Process) { // nobody waits for this one
			c.Sleep(2 * sim.Millisecond)
			send(c, p, 1, n, 3)
		})
	require.NotZero(t, r.Net.Stats().Resets)
	require.NotZero(t, r.Lost())
	require.Zero(t, r.Net.InUse())
}

// TestTooLong: a message longer than the room announced is lost, and its
// receive fails.
func TestTooLong(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 2, 5000)
	r.Go(
		func(c *host.Context, p *testbed.Process) {
			c.Sleep(sim.Millisecond)
			send(c, p, 1, 5000, 1)
			send(c, p, 1, 100, 2)
			send(c, p, 1, 100, 3)
		},
		func(c *host.Context, p *testbed.Process) {
			at := post(c, p, 0, 4999)
			_, err := p.Endpoint.Receive(c, 0, at, 4999)
			require.ErrorContains(t, err, "a message of 5000 B of node 0, want at most the 4999 B announced")
			_, err = p.Endpoint.Receive(c, 0, at, 99)
			require.ErrorContains(t, err, "a message of 100 B of node 0, want at most the 99 B")
			_, b := receive(c, p, 0, 0, 100)
			require.Equal(t, testbed.Pattern(3, 100), b)
		})
	require.EqualValues(t, 1, r.Count(1, "too long"))
	require.Zero(t, r.Net.InUse())
}

// TestDamage: what the network damages is lost and counted (userspace Table 1:
// errors are catastrophic), what arrives is as it was sent and in order.
func TestDamage(t *testing.T) {
	for _, n := range []int{100, 3000} {
		const messages = 60
		r := testbed.New(t, "ppro", "bip", 2, n, func(s *cluster.Spec) {
			s.Faults.ErrorPerByte = 5 / float64(messages*n)
		})
		got := 0
		err := r.Try(
			func(c *host.Context, p *testbed.Process) {
				for i := range messages {
					c.Sleep(200 * sim.Microsecond)
					send(c, p, 1, n, uint64(i))
				}
			},
			func(c *host.Context, p *testbed.Process) {
				for next := 0; ; got++ {
					_, b := receive(c, p, 0, post(c, p, 0, n), n)
					for string(b) != string(testbed.Pattern(uint64(next), n)) {
						next++
						require.Less(t, next, messages, "a message that nobody has sent, or twice")
					}
					next++
				}
			})
		var stuck *sim.DeadlockError
		require.ErrorAs(t, err, &stuck, "the receiver waits for what is lost")
		require.Less(t, got, messages)
		damaged := r.Count(1, "damaged")
		require.NotZero(t, damaged)
		require.GreaterOrEqual(t, int(damaged), messages-got)
		if n == 100 {
			require.EqualValues(t, messages, got+int(r.Lost()))
		}
	}
}

// TestNoise: errors that the CRC misses change data or lose them, and nothing
// else comes of it.
func TestNoise(t *testing.T) {
	for seed := range uint64(20) {
		r := testbed.New(t, "ppro", "bip", 2, 3000, func(s *cluster.Spec) {
			s.Seed, s.Faults.ErrorPerByte, s.Faults.BurstBytes = seed+1, 1e-2, 64
		})
		err := r.Try(
			func(c *host.Context, p *testbed.Process) {
				for i := range 2000 {
					c.Sleep(50 * sim.Microsecond)
					send(c, p, 1, []int{10, 200, 600}[i%3], uint64(i))
				}
			},
			func(c *host.Context, p *testbed.Process) {
				at := p.Endpoint.Buffer(3000)
				for {
					if _, err := p.Endpoint.Receive(c, 0, at, 3000); err != nil {
						require.ErrorContains(t, err, "want at most")
					}
				}
			})
		var stuck *sim.DeadlockError
		require.ErrorAs(t, err, &stuck)
		require.NotZero(t, r.Net.Stats().Undetected)
	}
}

// TestFragmentOfAnotherMessage: of one message the end is lost, of the next one the beginning.
// What is left of them are no parts of one message, though the offsets follow each other.
func TestFragmentOfAnotherMessage(t *testing.T) {
	const n = 200_000
	r := testbed.New(t, "ppro", "bip", 2, n)
	first, begun := uint32(0), false
	cut := uint64(0) // offset at which one ends and the other begins
	r.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Dst != 1 || p.Bytes() < 1000 {
			return false
		}
		if !begun {
			first, begun = p.Header.Seq, true
		}
		offset := p.Header.Words[1]
		if offset > 0 && cut == 0 {
			cut = offset
		}
		switch p.Header.Seq - first {
		case 0:
			return offset > 0
		case 1:
			return offset == 0
		}
		return false
	})
	r.Go(func(c *host.Context, p *testbed.Process) {
		c.Sleep(sim.Millisecond)
		for number := range uint64(3) {
			send(c, p, 1, n, number)
		}
	}, func(c *host.Context, p *testbed.Process) {
		_, b := receive(c, p, 0, post(c, p, 0, n), n)
		require.Equal(t, testbed.Pattern(2, n), b)
	})
	require.NotZero(t, cut)
	require.NotZero(t, r.Count(1, "broken"))
	require.Zero(t, r.Net.InUse())
}

// TestDamagedFragment: a message with a fragment at another offset, or longer than the message, is
// lost, and its buffer is there for the next one.
func TestDamagedFragment(t *testing.T) {
	for name, damage := range map[string]func(*fabric.Packet){
		"offset": func(p *fabric.Packet) {
			if p.Header.Words[1] > 0 {
				p.Header.Words[1] += 64
			}
		},
		"length": func(p *fabric.Packet) { p.Header.Words[0] = 100 },
	} {
		t.Run(name, func(t *testing.T) {
			const n = 40_000
			r := testbed.New(t, "ppro", "bip", 2, n)
			first, begun := uint32(0), false
			r.Net.DropWhen(func(p *fabric.Packet) bool {
				if p.Dst == 1 && p.Bytes() > 300 {
					if !begun {
						first, begun = p.Header.Seq, true
					}
					if p.Header.Seq == first {
						damage(p)
					}
				}
				return false
			})
			r.Go(func(c *host.Context, p *testbed.Process) {
				c.Sleep(sim.Millisecond)
				send(c, p, 1, n, 0)
				send(c, p, 1, n, 1)
			}, func(c *host.Context, p *testbed.Process) {
				_, b := receive(c, p, 0, post(c, p, 0, n), n)
				require.Equal(t, testbed.Pattern(1, n), b)
			})
			require.NotZero(t, r.Count(1, "broken"))
			require.Zero(t, r.Net.InUse())
		})
	}
}

// TestFlushedSlots: short messages that resets flush give their places in the ring back.
func TestFlushedSlots(t *testing.T) {
	r := testbed.New(t, "ppro", "bip", 4, 250, func(s *cluster.Spec) {
		s.Profile.Host.IOBus, s.Profile.NI.ReceiveBuffers, s.Profile.Network.BlockLimit = sim.MBps(1), 4, 400*sim.Microsecond
	})
	sender := func(c *host.Context, p *testbed.Process) {
		at := p.Endpoint.Buffer(250)
		for range 300 {
			must(p.Endpoint.Send(c, 0, at, 250, data))
		}
	}
	err := r.Try(func(c *host.Context, p *testbed.Process) {
		at := p.Endpoint.Buffer(250)
		for {
			_, err := p.Endpoint.Receive(c, comm.Anyone, at, 250)
			must(err)
		}
	}, sender, sender, sender)
	var stuck *sim.DeadlockError
	require.ErrorAs(t, err, &stuck, "those that were flushed do not come")
	require.Greater(t, r.Count(0, "reset"), uint64(100))
	require.Zero(t, r.Count(0, "overflow"))
}
