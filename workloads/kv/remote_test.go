package kv_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/kv"
)

// reaching is a layer whose interfaces read and change the memory of other nodes, in a time and no more.
type reaching struct {
	comm.Layer
	spaces map[int]*host.Space
	node   int
	defect defect
}

// defect is what an interface of a test does wrong.
type defect int

const (
	none         defect = iota
	takesAllLock        // compare-and-swap always stores
	losesAdds           // a fetch-and-add takes effect late, with what it has read
)

// OpenPort implements deposit.Native.
func (l *reaching) OpenPort(space *host.Space, tag trace.Tag) deposit.Port {
	l.spaces[l.node] = space
	return &port{l.Layer.(deposit.Native).OpenPort(space, tag), l}
}

type port struct {
	deposit.Port
	*reaching
}

// settle waits until what the node has deposited is there, and for the way.
func (p *port) settle(c *host.Context) {
	for !p.Quiet() {
		c.Sleep(sim.Microsecond)
	}
	c.Spend(3 * sim.Microsecond)
}

// Read fetches the two halves at different instants.
func (p *port) Read(c *host.Context, to int, at, into host.Addr, n int) error {
	p.settle(c)
	b := make([]byte, n)
	p.spaces[to].ReadAt(at, b[:n/2])
	c.Spend(2 * sim.Microsecond)
	p.spaces[to].ReadAt(at+host.Addr(n/2), b[n/2:])
	p.Space().WriteAt(into, b)
	return nil
}

func (p *port) change(to int, at host.Addr, f func(uint64) uint64) (was uint64) {
	var b [8]byte
	p.spaces[to].ReadAt(at, b[:])
	was = binary.LittleEndian.Uint64(b[:])
	binary.LittleEndian.PutUint64(b[:], f(was))
	p.spaces[to].WriteAt(at, b[:])
	return was
}

func (p *port) FetchAdd(c *host.Context, to int, at host.Addr, add uint64) (uint64, error) {
	p.settle(c)
	was := p.change(to, at, func(v uint64) uint64 { return v })
	if p.defect == losesAdds {
		c.Spend(sim.Microsecond)
	}
	p.change(to, at, func(uint64) uint64 { return was + add })
	return was, nil
}

func (p *port) CompareSwap(c *host.Context, to int, at host.Addr, old, swap uint64) (uint64, error) {
	p.settle(c)
	was := p.change(to, at, func(v uint64) uint64 {
		if v == old || p.defect == takesAllLock {
			return swap
		}
		return v
	})
	if p.defect == takesAllLock {
		return old, nil
	}
	return was, nil
}

// oneSided runs a program on such a layer.
func oneSided(t *testing.T, s kv.Spec, d defect) *kv.KV {
	p := job.Run(t, s, nil, func(_ *cluster.Cluster, nodes []deposit.Node) {
		spaces := map[int]*host.Space{}
		for i := range nodes {
			nodes[i].Layer = &reaching{nodes[i].Layer, spaces, i, d}
		}
	}).Job
	for i := range max(1, s.Options.Servers) {
		shares := p.Shares(i)
		require.Zero(t, shares.Time[host.Messaging], "a server's process has nothing to do")
	}
	return p
}

// TestOneSided: without the servers' processes every operation is explained, too, also where reads are
// torn and locks are taken.
func TestOneSided(t *testing.T) {
	for _, s := range specs() {
		how, wrong := oneSided(t, s, none).Verify()
		require.NoError(t, wrong)
		require.Contains(t, how, "reads repeated")
	}
	s := kv.Spec{Nodes: 9, Ops: 2000, Options: kv.Options{Keys: 2, Bytes: 4096, Gets: 1, Puts: 1, Adds: 1}}
	how, wrong := oneSided(t, s, none).Verify()
	require.NoError(t, wrong)
	require.NotContains(t, how, " 0 reads repeated")
	require.NotContains(t, how, " 0 locks refused")
	t.Log(how)
}

// TestDefectsAreNoticed: locks that two clients have, and additions that are lost.
func TestDefectsAreNoticed(t *testing.T) {
	s := kv.Spec{Nodes: 9, Ops: 1000, Options: kv.Options{Keys: 1, Bytes: 4096, Gets: 1, Puts: 3, Adds: 1}}
	_, wrong := oneSided(t, s, losesAdds).Verify()
	require.ErrorContains(t, wrong, "added to")
	s.Options.Gets = 0
	_, wrong = oneSided(t, s, takesAllLock).Verify()
	require.ErrorContains(t, wrong, "which it has locked, has become")
}
