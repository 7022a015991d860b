package account

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

// Who is a class on one node, as an index: class * nodes + node. Invariant: 0 <= Who < Size.
type Who int32

// Crowd numbers the classes of actors on each node.
type Crowd struct {
	Classes []Class
	ClassOf []int32 // by actor: the index of its class
	Nodes   int     // more than the highest node of an actor
	*Account
	index map[Class]int32
}

// NewCrowd numbers the classes in the order of their first actors.
func NewCrowd(a *Account) *Crowd {
	nodes := 1
	for id := range a.Actors {
		nodes = max(nodes, int(a.Actors[id].Node)+1)
	}
	c := CrowdOf(nodes)
	c.Next(a)
	return c
}

// CrowdOf returns a crowd on so many nodes, of an account that Next has yet to give it.
func CrowdOf(nodes int) *Crowd { return &Crowd{Nodes: nodes, index: map[Class]int32{}} }

// Next replaces the account by another one of the same nodes. Classes keep their numbers, and new ones are numbered after them.
func (c *Crowd) Next(a *Account) {
	c.Account, c.ClassOf = a, make([]int32, len(a.Actors))
	for id := range a.Actors {
		x := &a.Actors[id]
		// The processes of one program differ by the number at the end of their names only.
		class := Class{x.Type, x.Tag, strings.TrimRight(x.Name, " 0123456789")}
		if x.Type.IsPacket() {
			class.Name = x.Kind.String()
		}
		i, ok := c.index[class]
		if !ok {
			i = int32(len(c.Classes))
			c.index[class] = i
			c.Classes = append(c.Classes, class)
		}
		c.ClassOf[id] = i
	}
}

// Who returns the class and node of an actor. An actor of no node (-1) counts at node 0, so that Who stays in
// its range.
func (c *Crowd) Who(id waits.ID) Who {
	return Who(int(c.ClassOf[id])*c.Nodes + int(max(c.Actors[id].Node, 0)))
}

// Class returns the class of a Who.
func (c *Crowd) Class(w Who) Class { return c.Classes[int(w)/c.Nodes] }

// Node returns the node of a Who.
func (c *Crowd) Node(w Who) int { return int(w) % c.Nodes }

// Size returns the number of values of Who.
func (c *Crowd) Size() int { return len(c.Classes) * c.Nodes }

// String names a class in the plural.
func (c Class) String() string {
	if c.Type.IsPacket() {
		return c.Name + " packets"
	}
	return c.Name + map[waits.Type]string{waits.Process: " processes", waits.Handler: " handlers", waits.Task: " tasks", waits.Job: "s"}[c.Type]
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
		return fmt.Sprintf("%s packet #%d from node %d to %d", x.Kind, a.Number(id), x.Node, x.Peer)
	}
	return fmt.Sprintf("%s on node %d", x.Name, x.Node)
}
