package page

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/trace"
)

// Room of a timeline.
const (
	mostLanes   = 64      // rows; more nodes share them
	mostCells   = 1 << 16 // by row, window and size class
	mostWindows = 1 << 12
)

// grid sums packets by rows of nodes and windows of time.
type grid struct {
	nodes, block   int // nodes in all, and in a row
	lanes, windows int
	width          int64 // of a window, ns
	his            []int64
	busy           *trace.Windows
	sent, received []analysis.EndSums // by row, window and class
	pairs          []pair             // by row and row
	byNode         []analysis.NodeSums
}

// pair is packets from one row to another, by stage, with the sums of their latencies in ns and of the squares.
type pair [trace.NumStages]struct{ n, ns, squares float64 }

// newGrid returns the grid of a run, without packets. Size classes are by their largest sizes.
func newGrid(m *trace.Manifest, his []int64) *grid {
	g := &grid{nodes: m.Nodes, his: his, busy: trace.NewWindows(m.Nodes, 0, max(m.SimulatedNs, 1))}
	g.block = max((m.Nodes+mostLanes-1)/mostLanes, 1)
	g.lanes = (m.Nodes + g.block - 1) / g.block
	most := min(max(mostCells/(g.lanes*len(his)), 1), mostWindows)
	all := (max(m.SimulatedNs, 1) + g.busy.WidthNs() - 1) / g.busy.WidthNs()
	g.width = (all + int64(most) - 1) / int64(most) * g.busy.WidthNs()
	g.windows = int((max(m.SimulatedNs, 1) + g.width - 1) / g.width)
	cells := g.lanes * g.windows * len(his)
	g.sent, g.received = make([]analysis.EndSums, cells), make([]analysis.EndSums, cells)
	g.pairs, g.byNode = make([]pair, g.lanes*g.lanes), make([]analysis.NodeSums, m.Nodes)
	return g
}

// name names a row.
func (g *grid) name(lane int) string {
	from, to := g.members(lane)
	if g.block == 1 {
		return fmt.Sprintf("node %d", from)
	}
	return fmt.Sprintf("nodes %d to %d", from, to)
}

// members returns the first and the last node of a row.
func (g *grid) members(lane int) (from, to int) {
	return lane * g.block, min((lane+1)*g.block, g.nodes) - 1
}

func (g *grid) add(r *trace.PacketRow) {
	if r.Sender >= int64(g.nodes) || r.Receiver >= int64(g.nodes) {
		return
	}
	g.busy.Add(r)
	class := 0
	for class < len(g.his)-1 && r.SizeBytes > g.his[class] {
		class++
	}
	begin, _ := r.Extent()
	window := min(max(begin/g.width, 0), int64(g.windows-1))
	at := func(node int64) int {
		return (int(node)/g.block*g.windows+int(window))*len(g.his) + class
	}
	if r.SourceNs.OK {
		g.sent[at(r.Sender)].Add(r.SourceNs, r.LANaiNs)
		g.byNode[r.Sender].Sent.Add(r.SourceNs, r.LANaiNs)
	}
	if r.NetNs.OK {
		g.received[at(r.Receiver)].Add(r.NetNs, r.DestNs)
		g.byNode[r.Receiver].Received.Add(r.NetNs, r.DestNs)
	}
	p := &g.pairs[int(r.Sender)/g.block*g.lanes+int(r.Receiver)/g.block]
	for st, ns := range [trace.NumStages]trace.Opt[int64]{r.SourceNs, r.LANaiNs, r.NetNs, r.DestNs} {
		if ns.OK {
			x := float64(ns.Value)
			p[st].n++
			p[st].ns += x
			p[st].squares += square(x)
		}
	}
}

// write adds the columns of the packets.
func (g *grid) write(c *columns) {
	g.busy.Done()
	for st := range trace.NumStages {
		var busy []int64
		for lane := range g.lanes {
			for w := range g.windows {
				sum, from := 0.0, int64(w)*g.width
				for n, to := g.members(lane); n <= to; n++ {
					sum += float64(g.busy.Load(st, n, from, from+g.width).Mean * float64(g.width))
				}
				busy = append(busy, int64(sum+0.5))
			}
		}
		c.add(fmt.Sprintf("busy%d", st), varint, busy)
	}
	for _, x := range []struct {
		names [3]string
		of    []analysis.EndSums
	}{{[3]string{"sent", "source", "lanai"}, g.sent}, {[3]string{"received", "net", "dest"}, g.received}} {
		var figures [3][]int64
		for _, n := range x.of {
			for i, v := range []int64{n.N, n.First, n.Second} {
				figures[i] = append(figures[i], v)
			}
		}
		for i, name := range x.names {
			c.add(name, varint, figures[i])
		}
	}
}

// full is a share of 1 in a byte.
const full = 255

// doings adds the columns of what the parts of nodes do: when they serve somebody, when somebody waits for them, where the
// critical path is, and in which of the operations the program is.
func (g *grid) doings(c *columns, l *lanes.Lanes, path *lanes.Path, operations []string) {
	number := map[string]int64{}
	for i, name := range operations {
		number[name] = int64(i + 1)
	}
	c.add("op", plain, g.each(func(lane int, from, to int64) int64 {
		first, _ := g.members(lane)
		name, _ := l.Operation(first, from, to)
		return number[name]
	}))
	if path == nil {
		return
	}
	for part := range lanes.Part(lanes.NumParts) {
		serves := func(node int, from, to int64) float64 { share, _ := l.Shares(node, part, from, to); return share }
		waits := func(node int, from, to int64) float64 { _, share := l.Shares(node, part, from, to); return share }
		c.add(fmt.Sprintf("part%d", part), plain, g.each(g.share(serves)))
		c.add(fmt.Sprintf("wait%d", part), plain, g.each(g.share(waits)))
	}
	c.add("path", plain, g.along(path))
}

// each returns a number of each window of each row.
func (g *grid) each(of func(lane int, from, to int64) int64) (out []int64) {
	for lane := range g.lanes {
		for w := range g.windows {
			out = append(out, of(lane, int64(w)*g.width, int64(w+1)*g.width))
		}
	}
	return out
}

// share is the mean share over the nodes of a row.
func (g *grid) share(of func(node int, from, to int64) float64) func(lane int, from, to int64) int64 {
	return func(lane int, from, to int64) int64 {
		first, last := g.members(lane)
		sum := 0.0
		for n := first; n <= last; n++ {
			sum += of(n, from, to)
		}
		return int64(float64(full*min(sum/float64(last-first+1), 1)) + 0.5)
	}
}

// along says in which part of a row the critical path is longest in a window.
func (g *grid) along(path *lanes.Path) []int64 {
	out := make([]int64, g.lanes*g.windows)
	for w := range g.windows {
		from, to := int64(w)*g.width, int64(w+1)*g.width
		if n := path.Node(from, to); n >= 0 {
			out[n/g.block*g.windows+w] = int64(path.Part(n, from, to)) + 1
		}
	}
	return out
}
