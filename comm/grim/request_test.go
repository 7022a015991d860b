package grim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
)

// TestRequestsOverFaults: with every valid set of options, two processes that ask one another
// have each request served once and in order, with its data, also over a network that loses and
// damages packets.
func TestRequestsOverFaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 6000
		errors, drops := faulty(t)
		r := testbed.New(t, on, "grim", 2, most, options(t), errors)
		drops(r)
		type operation struct{ kind, bytes int }
		operations := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) operation {
			return operation{rapid.IntRange(0, 2).Draw(t, "kind"), rapid.IntRange(1, most).Draw(t, "bytes")}
		}), 1, 15).Draw(t, "operations")
		var served, answered [2]int
		var targets, sources [2]host.Addr
		for i, p := range r.Procs {
			targets[i], sources[i] = p.Space.Alloc(int64(most*len(operations))), p.Space.Alloc(int64(most*len(operations)))
			for k := range operations {
				p.Space.WriteAt(sources[i]+host.Addr(most*k), testbed.Pattern(uint64(100*i+k), most))
			}
		}
		holds := func(p *testbed.Process, at host.Addr, n, of, k int) {
			b := make([]byte, n)
			p.Space.ReadAt(at, b)
			require.Equal(t, testbed.Pattern(uint64(100*of+k), most)[:n], b)
		}
		side := func(c *host.Context, p *testbed.Process) {
			me, peer := p.Number, 1-p.Number
			e := p.Endpoint.(comm.Requester)
			e.Handle(5, func(_ *host.Context, q comm.Call) [4]uint32 {
				k := served[me]
				served[me]++
				require.Equal(t, [4]uint32{uint32(k), 2, 3, 4}, q.Args)
				if operations[k].kind == 1 {
					holds(p, q.At, q.Bytes, peer, k)
				}
				return [4]uint32{uint32(k), uint32(me)}
			})
			e.Answered(5, func(_ *host.Context, q comm.Call) {
				k := answered[me]
				answered[me]++
				require.Equal(t, [4]uint32{uint32(k), uint32(peer)}, q.Args)
				if operations[k].kind == 2 {
					holds(p, q.At, q.Bytes, peer, k)
				}
			})
			for k, o := range operations {
				words, at := [4]uint32{uint32(k), 2, 3, 4}, host.Addr(most*k)
				switch o.kind {
				case 0:
					require.NoError(t, e.Request(c, peer, 5, words))
				case 1:
					require.NoError(t, e.Store(c, peer, sources[me]+at, targets[peer]+at, o.bytes, 5, words))
				case 2:
					require.NoError(t, e.Get(c, peer, sources[peer]+at, targets[me]+at, o.bytes, 5, words))
				}
			}
			for e.Outstanding() > 0 || served[me] < len(operations) {
				e.Wait(c)
			}
		}
		r.Go(side, side)
		require.Equal(t, [2]int{len(operations), len(operations)}, answered)
		require.Zero(t, r.Lost())
	})
}
