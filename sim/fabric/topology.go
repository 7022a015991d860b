package fabric

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// Shape is a family of topologies.
type Shape uint8

// Shapes of a network.
const (
	// Tree is the smallest fat tree of crossbars with half of the ports up and
	// half down, the top level using all its ports downwards. Up to Radix
	// nodes it is one crossbar.
	Tree  Shape = iota
	Cable       // two nodes and no switch
	Mesh        // of switches in two or three dimensions, dimension-order routes
)

var shapeNames = names.NewEnum[Shape]("topology", "tree", "cable", "mesh")

// String returns the name.
func (s Shape) String() string { return shapeNames.Name(s) }

// Words returns the names.
func (Shape) Words() names.Words { return shapeNames.Words() }

// UnmarshalText reads a shape by its name.
func (s *Shape) UnmarshalText(name []byte) error { return shapeNames.Set(s, name) }

// Topology describes the connections of nodes and switches.
type Topology struct {
	Shape Shape `toml:"topology"`
	Nodes int   `range:"2..16384"`
	Radix int   `toml:"switch_ports" range:"0..1024"`  // Tree: ports per crossbar, even; 0: 8
	Trees int   `toml:"trees,omitempty" range:"0..16"` // Tree: equal trees above the links of nodes; 0: one

	// Of a mesh.
	Width       int `range:"0.."`                                  // switches per row, a divisor of their number; 0: nearest to a square or cube
	Dimensions  int `toml:"dimensions,omitempty" range:"0..3"`     // 2 or 3; 0: 2
	SwitchNodes int `toml:"switch_nodes,omitempty" range:"0..100"` // nodes at a switch; 0: 1
}

const defaultRadix = 8

// validate returns an error for fields that contradict one another.
func (t *Topology) validate() error {
	switch {
	case t.Shape == Cable && t.Nodes != 2:
		return bounds.Wrong("network.Nodes", t.Nodes, "2 for a cable")
	case t.Shape == Tree && t.Radix != 0 && (t.Radix < 4 || t.Radix > 128 || t.Radix%2 != 0):
		return bounds.Wrong("network.switch_ports", t.Radix, "an even number from 4 to 128")
	case t.Shape != Tree && t.Trees > 1:
		return bounds.Wrong("network.trees", t.Trees, "1 for a %v", t.Shape)
	case t.Shape != Mesh && t.Dimensions > 0:
		return bounds.Wrong("network.dimensions", t.Dimensions, "none for a %v", t.Shape)
	case t.Shape != Mesh && t.SwitchNodes > 0:
		return bounds.Wrong("network.switch_nodes", t.SwitchNodes, "none for a %v", t.Shape)
	case t.Dimensions == 1:
		return bounds.Wrong("network.dimensions", t.Dimensions, "2 or 3")
	case t.Shape == Mesh && t.Width > 0 && newMesh(t).switches()%t.Width != 0:
		return bounds.Wrong("network.Width", t.Width, "0 or a divisor of the %d switches", newMesh(t).switches())
	}
	return nil
}

// layout is a topology with numbered channels. Channel i leaves node i and channel
// nodes+i enters node i; a cable has only the former.
type layout interface {
	channels() int
	// ways returns how many routes lead from src to dst. All routes of all
	// pairs together are free of deadlock.
	ways(src, dst int) int
	// route appends the channels of a way from src to dst; way 0 is the default.
	route(path []int32, src, dst, route int) []int32
	// opposite returns the other direction of a link between two switches.
	opposite(channel int32) int32
	// ends returns the switches at which a channel begins and ends, counted from 0, or noSwitch
	// for a node.
	ends(channel int32) (from, to int32)
	// ports returns the most ports of a switch.
	ports() int
	name(channel int) string
}

// Switches returns how many switches are on the default route between two nodes.
func (t *Topology) Switches(a, b int) int { return len(t.layout().route(nil, a, b, 0)) - 1 }

// Ports names the ports of switches; a cable has none.
func (t *Topology) Ports() (out []string) {
	l := t.layout()
	for c := t.Nodes; c < l.channels(); c++ {
		out = append(out, l.name(c))
	}
	return out
}

// Farthest returns the first of the nodes that are farthest from node 0, in switches.
func (t *Topology) Farthest() int {
	l, node, most := t.layout(), 1, 0
	for b := 1; b < t.Nodes; b++ {
		if n := len(l.route(nil, 0, b, 0)); n > most {
			node, most = b, n
		}
	}
	return node
}

func (t *Topology) layout() layout {
	switch t.Shape {
	case Cable:
		return cable{}
	case Mesh:
		return newMesh(t)
	default:
		one := newTree(t.Nodes, cmp.Or(t.Radix, defaultRadix))
		if t.Trees > 1 && one.levels > 1 {
			return trees{one, t.Trees}
		}
		return one
	}
}

type cable struct{}

func (cable) channels() int { return 2 }

func (cable) ways(int, int) int { return 1 }

func (cable) route(path []int32, src, _, _ int) []int32 { return append(path, int32(src)) }

func (cable) opposite(c int32) int32 { return 1 - c }

func (cable) ends(int32) (from, to int32) { return noSwitch, noSwitch }

func (cable) ports() int { return 0 }

func (cable) name(c int) string { return fmt.Sprintf("node%d>node%d", c, 1-c) }
