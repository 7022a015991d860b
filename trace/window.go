package trace

import "fmt"

// WindowRow is how much time packets spend at a node in a window of time, summed over them:
// divided by the window's length, the mean number of packets in each stage. Long traces have
// these rows, so that a view of all of the run need not read the packets.
type WindowRow struct {
	Node     int64 `col:"node" range:"0.." doc:"sender in source and lanai, receiver in net and dest"`
	FromNs   int64 `col:"from_ns" unit:"ns" doc:"begin of the window"`
	ToNs     int64 `col:"to_ns" unit:"ns" doc:"its end"`
	SourceNs int64 `col:"source_ns" range:"0.." unit:"ns" doc:"packets times time in source"`
	LANaiNs  int64 `col:"lanai_ns" range:"0.." unit:"ns" doc:"packets times time in lanai"`
	NetNs    int64 `col:"net_ns" range:"0.." unit:"ns" doc:"packets times time in net"`
	DestNs   int64 `col:"dest_ns" range:"0.." unit:"ns" doc:"packets times time in dest"`
}

// TableName implements Row.
func (WindowRow) TableName() string { return "packet_windows" }

// Conditions implements the interface of that name.
func (r WindowRow) Conditions() error {
	if r.ToNs <= r.FromNs {
		return fmt.Errorf("to_ns: %d, wanted more than from_ns, %d", r.ToNs, r.FromNs)
	}
	return nil
}

// Room for windows: of a node, and of all nodes.
const (
	mostWindows = 1 << 15
	roomWindows = 1 << 18
)

// Files have a window of a node for so many packets at least, but not fewer windows than these.
const (
	packetsPerWindow = 16
	fewWindows       = 1 << 15
)

// Windows sums the time that packets spend in each stage at each node, by windows of a period.
// Its memory depends on neither the number of packets nor the period.
type Windows struct {
	from, width int64
	nodes, n    int
	busy        []spent  // by node and window
	steps       []spent  // what changes from one window to the next, until Done
	coarser     *Windows // two windows as one; nil if there are few
}

// spent is time by stage.
type spent [NumStages]int64

// NewWindows returns windows of a period, without packets.
func NewWindows(nodes int, from, to int64) *Windows {
	n := min(max(roomWindows/max(nodes, 1), 1), mostWindows, int(min(max(to-from, 1), mostWindows)))
	w := &Windows{from: from, nodes: nodes, n: n, width: max((to-from+int64(n)-1)/int64(n), 1)}
	w.busy, w.steps = make([]spent, nodes*n), make([]spent, nodes*(n+1))
	return w
}

// WindowsOf returns the windows of a whole run from their rows, which have one width.
func WindowsOf(nodes int, length int64, rows []WindowRow) (*Windows, error) {
	w := &Windows{nodes: nodes, n: 1, width: max(length, 1)}
	if len(rows) > 0 {
		w.width = max(rows[0].ToNs-rows[0].FromNs, 1)
		w.n = int(min((max(length, 1)+w.width-1)/w.width, int64(max(roomWindows/max(nodes, 1), 1)))) // rows beyond are refused
	}
	w.busy = make([]spent, nodes*w.n)
	for _, r := range rows {
		if r.Node >= int64(nodes) || r.FromNs < 0 || r.ToNs-r.FromNs != w.width || r.FromNs%w.width != 0 || r.FromNs/w.width >= int64(w.n) {
			return nil, fmt.Errorf("packet_windows: node %d, %d to %d ns, wanted one of %d windows of %d ns of %d nodes", r.Node, r.FromNs, r.ToNs, w.n, w.width, nodes)
		}
		w.busy[int(r.Node)*w.n+int(r.FromNs/w.width)] = spent{Source: r.SourceNs, LANai: r.LANaiNs, Net: r.NetNs, Dest: r.DestNs}
	}
	return w.pyramid(), nil
}

// Add adds a packet.
func (w *Windows) Add(r *PacketRow) {
	w.spend(r.Sender, Source, r.T1Ns, r.T2Ns)
	w.spend(r.Sender, LANai, r.T2Ns, r.T4Ns)
	w.spend(r.Receiver, Net, r.T3Ns, r.T5Ns)
	w.spend(r.Receiver, Dest, r.T5Ns, r.T6Ns)
}

// spend adds the time of a packet in a stage. The windows that it fills are noted at the first
// of them and behind the last, however many they are.
func (w *Windows) spend(node int64, stage Stage, begin, end Opt[int64]) {
	if !begin.OK || !end.OK || node < 0 || node >= int64(w.nodes) {
		return
	}
	from, to := max(begin.Value-w.from, 0), min(end.Value-w.from, w.width*int64(w.n))
	if from >= to {
		return
	}
	first, last := from/w.width, (to-1)/w.width
	busy := w.busy[int(node)*w.n:]
	if first == last {
		busy[first][stage] += to - from
		return
	}
	busy[first][stage] += (first+1)*w.width - from
	busy[last][stage] += to - last*w.width
	steps := w.steps[int(node)*(w.n+1):]
	steps[first+1][stage] += w.width
	steps[last][stage] -= w.width
}

// Done ends the adding of packets: call it once before the windows are read.
func (w *Windows) Done() *Windows {
	for node := range w.nodes {
		var full spent
		for i := range w.n {
			at := &w.busy[node*w.n+i]
			for st, by := range w.steps[node*(w.n+1)+i] {
				full[st] += by
				at[st] += full[st]
			}
		}
	}
	w.steps = nil
	return w.pyramid()
}

// fewest is how many windows of a node are not merged any more.
const fewest = 64

// pyramid makes the coarser windows.
func (w *Windows) pyramid() *Windows {
	if w.n > fewest {
		w.coarser = w.halved().pyramid()
	}
	return w
}

// Coarse returns the longest windows that are not longer than a time, or the shortest if all are.
func (w *Windows) Coarse(width int64) *Windows {
	for w.coarser != nil && w.coarser.width <= width {
		w = w.coarser
	}
	return w
}

// ForPackets returns windows that are as fine as is worth it for a number of packets: two
// become one as often as there are too many.
func (w *Windows) ForPackets(n int64) *Windows {
	for w.coarser != nil && w.nodes*w.n > fewWindows && int64(w.nodes*w.n) > n/packetsPerWindow {
		w = w.coarser
	}
	return w
}

func (w *Windows) halved() *Windows {
	out := &Windows{from: w.from, width: 2 * w.width, nodes: w.nodes, n: (w.n + 1) / 2}
	out.busy = make([]spent, out.nodes*out.n)
	for node := range w.nodes {
		for i := range w.n {
			for st, ns := range w.busy[node*w.n+i] {
				out.busy[node*out.n+i/2][st] += ns
			}
		}
	}
	return out
}

// Rows returns the rows of the windows in which there are packets.
func (w *Windows) Rows() []WindowRow {
	out := []WindowRow{}
	for i, s := range w.busy {
		if s == (spent{}) {
			continue
		}
		from := w.from + int64(i%w.n)*w.width
		out = append(out, WindowRow{int64(i / w.n), from, from + w.width, s[Source], s[LANai], s[Net], s[Dest]})
	}
	return out
}

// WidthNs returns the length of a window: what lies in one cannot be told apart.
func (w *Windows) WidthNs() int64 { return w.width }

// Covers reports whether a period is within that of the windows.
func (w *Windows) Covers(from, to int64) bool {
	return from >= w.from && to <= w.from+int64(w.n)*w.width
}

// Load is a number of packets over a period: the mean, and the least and the most that a single
// window has on average.
type Load struct{ Mean, Least, Most float64 }

// Load returns the number of packets in a stage at a node in the windows that touch a period.
func (w *Windows) Load(stage Stage, node int, from, to int64) (l Load) {
	if node >= w.nodes {
		return l
	}
	first := min(max((from-w.from)/w.width, 0), int64(w.n-1))
	last := min(max((to-1-w.from)/w.width, first), int64(w.n-1))
	for i := first; i <= last; i++ {
		v := float64(w.busy[node*w.n+int(i)][stage]) / float64(w.width)
		l.Mean += v / float64(last-first+1)
		l.Most = max(l.Most, v)
		if i == first || v < l.Least {
			l.Least = v
		}
	}
	return l
}
