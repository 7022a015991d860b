package fabric

import "fmt"

// Shape is a family of topologies.
type Shape uint8

// Shapes of a network.
const (
	// Tree is the smallest fat tree of crossbars with half of the ports up and
	// half down, the top level using all its ports downwards. Up to Radix
	// nodes it is one crossbar.
	Tree  Shape = iota
	Cable       // two nodes and no switch
	Mesh        // 2D mesh, one node per switch, dimension-order routes
)

var shapeNames = [...]string{Tree: "tree", Cable: "cable", Mesh: "mesh"}

func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return fmt.Sprintf("shape(%d)", uint8(s))
}

// ParseShape returns the shape of that name.
func ParseShape(s string) (Shape, error) {
	for i, name := range shapeNames {
		if name == s {
			return Shape(i), nil
		}
	}
	return 0, fmt.Errorf("topology %q: want one of %v", s, shapeNames)
}

// Topology describes who is connected to whom.
type Topology struct {
	Shape Shape
	Nodes int
	Radix int // Tree: ports per crossbar, even; 0 means 8
	Width int // Mesh: switches per row, a divisor of Nodes; 0 means nearest to a square
}

// MaxNodes is the largest network.
const MaxNodes = 1 << 14

const defaultRadix = 8

// Validate returns an error that names the first bad field.
func (t *Topology) Validate() error {
	bad := func(field string, value any, want string) error {
		return fmt.Errorf("fabric.Topology.%s = %v: want %s", field, value, want)
	}
	switch {
	case int(t.Shape) >= len(shapeNames):
		return bad("Shape", t.Shape, fmt.Sprint(shapeNames))
	case t.Nodes < 2 || t.Nodes > MaxNodes:
		return bad("Nodes", t.Nodes, fmt.Sprintf("2 to %d", MaxNodes))
	case t.Shape == Cable && t.Nodes != 2:
		return bad("Nodes", t.Nodes, "2 for a cable")
	case t.Shape == Tree && t.Radix != 0 && (t.Radix < 4 || t.Radix > 64 || t.Radix%2 != 0):
		return bad("Radix", t.Radix, "0 or an even number from 4 to 64")
	case t.Shape == Mesh && (t.Width < 0 || t.Width > 0 && t.Nodes%t.Width != 0):
		return bad("Width", t.Width, fmt.Sprintf("0 or a divisor of Nodes = %d", t.Nodes))
	}
	return nil
}

// layout is a topology made concrete. Channel i is the one out of node i and
// channel nodes+i the one into node i, except that a cable has only the former.
type layout interface {
	channels() int
	// ways returns how many routes lead from src to dst. All routes of all
	// pairs together are free of deadlock.
	ways(src, dst int) int
	// route appends the channels of a way from src to dst, the usual one being 0.
	route(path []int32, src, dst, way int) []int32
	// opposite returns the other direction of a link between two switches.
	opposite(channel int32) int32
	name(channel int) string
}

func (t *Topology) layout() layout {
	switch t.Shape {
	case Cable:
		return cable{}
	case Mesh:
		return newMesh(t.Nodes, t.Width)
	default:
		radix := t.Radix
		if radix == 0 {
			radix = defaultRadix
		}
		return newTree(t.Nodes, radix)
	}
}

type cable struct{}

func (cable) channels() int { return 2 }

func (cable) ways(int, int) int { return 1 }

func (cable) route(path []int32, src, _, _ int) []int32 { return append(path, int32(src)) }

func (cable) opposite(c int32) int32 { return 1 - c }

func (cable) name(c int) string { return fmt.Sprintf("node%d>node%d", c, 1-c) }

// linkName names the channels between nodes and switches, which all layouts
// with switches number alike.
func linkName(c, nodes int) string {
	if c < nodes {
		return fmt.Sprintf("node%d>switch", c)
	}
	return fmt.Sprintf("switch>node%d", c-nodes)
}
