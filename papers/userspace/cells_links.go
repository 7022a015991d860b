package userspace

import (
	"slices"

	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
)

// Three leaf switches of a tree: four routes between nodes of different ones.
// Two nodes exchange messages; a third route crosses their link, too, and nobody
// uses it.
const (
	treeNodes        = 9
	hereNode         = 0
	thereNode        = 4
	idleFrom, idleTo = 1, 8
)

// management lets the link between two nodes die while they exchange messages.
// Whether they go on tells static routes from dynamic ones; whether a route that
// nobody uses was replaced with theirs tells a full map from one on demand.
func (l lab) management() (finding, error) {
	c, err := l.cluster(treeNodes)
	if err != nil {
		return finding{}, err
	}
	defer c.Engine.Close()
	const n, messages, last = 64, 20, 5
	p, err := newLivePair(c, n)
	if err != nil {
		return finding{}, err
	}
	a, b := newMail(p.procs[hereNode], n), newMail(p.procs[thereNode], n)
	a.peer, b.peer = thereNode, hereNode
	used, idle := c.Net.Route(hereNode, thereNode), c.Net.Route(idleFrom, idleTo)
	var died sim.Time
	var failed error
	t, err := p.talk(a, b, messages, n, func(x *host.Context, i int) {
		if i == last {
			died = x.Now()
			failed = c.Net.Break(fabric.Break{From: hereNode, To: thereNode, At: died})
		}
	})
	switch {
	case err != nil:
		return finding{}, err
	case failed != nil:
		return finding{}, failed
	case !t.whole():
		return found("Static", "%v; %d packets into the dead link", t, c.Net.Stats().Severed)
	case slices.Equal(used, c.Net.Route(hereNode, thereNode)):
		return found("unclear", "%v, by the route whose link is dead", t)
	case slices.Equal(idle, c.Net.Route(idleFrom, idleTo)):
		return found("Dynamic/Demand", "%v, %v after the link's death; a route that nobody used still crosses it", t, c.Engine.Now().Sub(died))
	}
	return found("Dynamic/Full", "%v, %v after the link's death; a route that nobody used was replaced, too", t, c.Engine.Now().Sub(died))
}
