package gam_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

func interrupts(s *cluster.Spec) { s.Profile.GAM.Interrupts = true }

// A host that never calls the layer serves requests and stores by interrupts, and loses
// the time of each to them.
func TestAComputingHostIsInterrupted(t *testing.T) {
	const requests, apart, work = 20, 300 * sim.Microsecond, 10 * sim.Millisecond
	for _, platform := range platforms {
		t.Run(platform, func(t *testing.T) {
			r := testbed.New(t, platform, "gam", 2, 4096, interrupts)
			b, served := requester(r.Procs[1]), 0
			b.Handle(1, func(*host.Context, comm.Call) [4]uint32 { served++; return [4]uint32{} })
			var took sim.Duration
			r.Go(func(c *host.Context, p *testbed.Process) {
				a, from, at := requester(p), p.Endpoint.Buffer(4096), r.Procs[1].Space.Alloc(4096)
				for i := range requests {
					if i%2 == 0 {
						must(a.Request(c, 1, 1, [4]uint32{}))
					} else {
						must(a.Store(c, 1, from, at, 4096, 1, [4]uint32{}))
					}
					for a.Outstanding() > 0 {
						a.Wait(c)
					}
					c.Sleep(apart)
				}
			}, func(c *host.Context, _ *testbed.Process) {
				begin := c.Now()
				c.Spend(work)
				took = c.Now().Sub(begin)
				c.Sleep(100 * work)
			})
			require.Equal(t, requests, served)
			h := r.Procs[1].Node.Host
			cost := h.Spec().Interrupt.Entry + h.Spec().Interrupt.Return
			require.GreaterOrEqual(t, h.Stats().Interrupts, uint64(requests))
			require.Greater(t, took, work+requests/2*cost)
			require.Zero(t, r.Lost())
		})
	}
}

// Two processes that compute, send, poll and wait in any order handle every request
// once and in order, whether in a call or by interrupt.
func TestInterruptsAndCallsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type act struct{ what, amount int }
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
			return act{rapid.IntRange(0, 4).Draw(t, "what"), rapid.IntRange(1, 4000).Draw(t, "amount")}
		}), 1, 25)
		programs := [2][]act{acts.Draw(t, "node 0"), acts.Draw(t, "node 1")}
		r := testbed.New(t, rapid.SampledFrom(platforms).Draw(t, "platform"), "gam", 2, 4096, interrupts)
		var got, replied [2][]uint32
		for i, p := range r.Procs {
			requester(p).Handle(1, func(_ *host.Context, q comm.Call) [4]uint32 {
				got[i] = append(got[i], q.Args[0])
				return q.Args
			})
			requester(p).Answered(1, func(_ *host.Context, q comm.Call) { replied[i] = append(replied[i], q.Args[0]) })
		}
		var sent [2][]uint32
		ended := 0
		program := func(c *host.Context, p *testbed.Process) {
			me, a := p.Number, requester(p)
			out, far := p.Endpoint.Buffer(4096), r.Procs[1-me].Space.Alloc(4096)
			for k, x := range programs[me] {
				args := [4]uint32{uint32(k)}
				switch x.what {
				case 0:
					c.Spend(sim.Duration(x.amount) * 100 * sim.Nanosecond)
				case 1:
					a.Poll(c)
				case 2:
					must(a.Request(c, 1-me, 1, args))
					sent[me] = append(sent[me], args[0])
				case 3:
					must(a.Store(c, 1-me, out, far, x.amount, 1, args))
					sent[me] = append(sent[me], args[0])
				case 4:
					c.Sleep(sim.Duration(x.amount) * 100 * sim.Nanosecond)
				}
			}
			for a.Outstanding() > 0 {
				a.Wait(c)
			}
			ended++
		}
		r.Go(program, program)
		require.Equal(t, 2, ended)
		require.Equal(t, sent[0], got[1])
		require.Equal(t, sent[1], got[0])
		require.Equal(t, sent, replied)
		require.Zero(t, r.Lost())
	})
}

// Messages arrive whole and in order, as without interrupts.
func TestMessagesUnderInterrupts(t *testing.T) {
	for _, platform := range platforms {
		testbed.New(t, platform, "gam", 2, 4096, interrupts).Deliver(3, 2, 1, 64, 128, 129, 4096, 700, 4096)
	}
}
