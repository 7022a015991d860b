package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// nodes builds hosts and cards without a cluster, which would import this package.
func nodes(t *testing.T, n int) []deposit.Node {
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	e := sim.New(1)
	net, err := fabric.New(e, p.FabricSpec(n))
	require.NoError(t, err)
	out := make([]deposit.Node, n)
	for i := range out {
		h := host.New(e, "h", &p.Host, host.Uncontended{})
		o, err := clock.NewOscillator(clock.Perfect())
		require.NoError(t, err)
		card, err := ni.New(e, i, &p.NI, h, net, o, ni.Uncontended{})
		require.NoError(t, err)
		v, err := p.VMMC.Build(card, n)
		require.NoError(t, err)
		out[i] = deposit.Node{Host: h, Frames: &host.Frames{}, Layer: v}
	}
	return out
}

// TestConnectionsAreMadeOnFirstUse: of a thousand nodes those are connected
// that have to do with each other, and their places do not depend on when.
func TestConnectionsAreMadeOnFirstUse(t *testing.T) {
	const n = 1000
	list := nodes(t, n)
	for _, ring := range []int{1 << 10, 4 << 10} {
		ports, err := Connect(Spec{Pages: 4, RingBytes: ring}, list)
		require.NoError(t, err)
		for _, p := range ports {
			for _, q := range p.peers {
				require.Nil(t, q)
			}
		}
		q := ports[7].peer(990)
		require.Same(t, q, ports[7].peer(990))
		require.NotNil(t, ports[990].peers[7])
		require.Nil(t, ports[990].peers[8])
		made := 0
		for _, p := range ports {
			for _, q := range p.peers {
				if q != nil {
					made++
				}
			}
		}
		require.Equal(t, 2, made)

		// No two places overlap, and rings do not cross a page that they fit into.
		p := ports[3]
		type span struct{ from, to host.Addr }
		var spans []span
		for j := range n {
			if j == p.id {
				continue
			}
			q := p.places(p.id, j)
			for _, place := range [][2]int{{q.inbox, ring}, {q.staging, ring}, {q.credit, creditBytes}} {
				s := span{p.rings + host.Addr(place[0]), p.rings + host.Addr(place[0]+place[1])}
				require.True(t, p.space.Valid(s.from, int(s.to-s.from)))
				if ring < host.PageBytes {
					require.Equal(t, s.from.Page(), (s.to - 1).Page())
				}
				spans = append(spans, s)
			}
		}
		seen := map[host.Addr]bool{}
		for _, s := range spans {
			for a := s.from; a < s.to; a += creditBytes {
				require.False(t, seen[a])
				seen[a] = true
			}
		}
	}
}
