package causal

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Class is a sort of actor: packets of a program and a kind, processes or tasks of a name.
type Class struct {
	Type waits.Type
	Tag  trace.Tag
	Name string // kind of packet, or the name without a number at its end
}

// who is a class on one node, as an index.
type who int32

// crowd numbers the classes of actors on each node.
type crowd struct {
	classes []Class
	of      []int32 // by actor: its class
	nodes   int
	*Account
}

func newCrowd(a *Account) *crowd {
	c := &crowd{Account: a, of: make([]int32, len(a.Actors)), nodes: 1}
	index := map[Class]int32{}
	for id := range a.Actors {
		x := &a.Actors[id]
		class := Class{x.Type, x.Tag, strings.TrimRight(x.Name, " 0123456789")}
		if x.Type.IsPacket() {
			class.Name = x.Kind.String()
		}
		i, ok := index[class]
		if !ok {
			i = int32(len(c.classes))
			index[class] = i
			c.classes = append(c.classes, class)
		}
		c.of[id] = i
		c.nodes = max(c.nodes, int(x.Node)+1)
	}
	return c
}

// who returns the class and node of an actor.
func (c *crowd) who(id waits.ID) who {
	return who(int(c.of[id])*c.nodes + int(max(c.Actors[id].Node, 0)))
}

func (c *crowd) class(w who) Class { return c.classes[int(w)/c.nodes] }
func (c *crowd) node(w who) int    { return int(w) % c.nodes }
func (c *crowd) size() int         { return len(c.classes) * c.nodes }

// String names a class in the plural.
func (c Class) String() string {
	if c.Type.IsPacket() {
		return c.Name + " packets"
	}
	return c.Name + map[waits.Type]string{waits.Process: " processes", waits.Handler: " handlers", waits.Task: " tasks"}[c.Type]
}

// Name names an actor, a packet with its number so that it can be found in the tables; 0
// has no name.
func (a *Account) Name(id waits.ID) string {
	x := &a.Actors[id]
	switch {
	case id == 0:
		return ""
	case x.Type.IsPacket() && x.Number >= 0:
		return fmt.Sprintf("%s packet %d from node %d to %d", x.Kind, x.Number, x.Node, x.Peer)
	case x.Type.IsPacket():
		return fmt.Sprintf("%s packet #%d from node %d to %d", x.Kind, id, x.Node, x.Peer)
	}
	return fmt.Sprintf("%s on node %d", x.Name, x.Node)
}
