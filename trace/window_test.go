package trace

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWindows: a window has the time that its packets spend in it, added up packet by packet and
// ns by ns, and rows give the same windows again.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes, length = 3, 5000
		w := NewWindows(nodes, 0, length)
		want := map[[2]int64]spent{} // by node and window
		time := rapid.Int64Range(-100, length+100)
		for range rapid.IntRange(0, 8).Draw(t, "packets") {
			r := PacketRow{Sender: rapid.Int64Range(0, 2).Draw(t, "sender"), Receiver: 1}
			for _, at := range []*Opt[int64]{&r.T1Ns, &r.T2Ns, &r.T3Ns, &r.T4Ns, &r.T5Ns, &r.T6Ns} {
				*at = Opt[int64]{Value: time.Draw(t, "time"), OK: rapid.IntRange(0, 9).Draw(t, "known") > 0}
			}
			w.Add(&r)
			for ns := int64(0); ns < w.width*int64(w.n); ns++ {
				in := func(node int64, st Stage, a, b Opt[int64]) {
					if a.OK && b.OK && a.Value <= ns && ns < b.Value {
						s := want[[2]int64{node, ns / w.width}]
						s[st]++
						want[[2]int64{node, ns / w.width}] = s
					}
				}
				in(r.Sender, Source, r.T1Ns, r.T2Ns)
				in(r.Sender, LANai, r.T2Ns, r.T4Ns)
				in(r.Receiver, Net, r.T3Ns, r.T5Ns)
				in(r.Receiver, Dest, r.T5Ns, r.T6Ns)
			}
		}
		rows := w.Done().Rows()
		got := map[[2]int64]spent{}
		for _, r := range rows {
			require.NoError(t, CheckRow(&r))
			got[[2]int64{r.Node, r.FromNs / w.width}] = spent{r.SourceNs, r.LANaiNs, r.NetNs, r.DestNs}
		}
		require.Equal(t, want, got)
		again, err := WindowsOf(nodes, length, rows)
		require.NoError(t, err)
		for node := range nodes {
			for _, st := range RecordedStages() {
				from := rapid.Int64Range(0, length-1).Draw(t, "from")
				to := rapid.Int64Range(from+1, length).Draw(t, "to")
				require.Equal(t, w.Load(st, node, from, to), again.Load(st, node, from, to))
			}
		}
	})
}

// TestFewerWindowsHaveTheSameTime: windows for few packets are wider, and have the same time.
func TestFewerWindowsHaveTheSameTime(t *testing.T) {
	const nodes, length = 3, 1 << 20
	w := NewWindows(nodes, 0, length)
	for i := range int64(1000) {
		w.Add(&PacketRow{Sender: i % nodes, T1Ns: Some(i * 1000), T2Ns: Some(i*1000 + 700)})
	}
	w.Done()
	few := w.ForPackets(1000)
	require.LessOrEqual(t, few.nodes*few.n, fewWindows)
	require.Equal(t, 4*w.WidthNs(), few.WidthNs())
	require.Equal(t, w, w.ForPackets(1<<30))
	require.Equal(t, few, w.Coarse(few.WidthNs()))
	require.Equal(t, few, w.Coarse(2*few.WidthNs()-1))
	require.Equal(t, w, w.Coarse(0))
	sum := func(w *Windows) (sum int64) {
		for _, r := range w.Rows() {
			sum += r.SourceNs
		}
		return sum
	}
	require.EqualValues(t, 700_000, sum(w))
	require.EqualValues(t, 700_000, sum(few))
	again, err := WindowsOf(nodes, length, few.Rows())
	require.NoError(t, err)
	require.Equal(t, few, again)
}

// TestWindowsOfManyNodes: the windows of any number of nodes and packets can be written.
func TestWindowsOfManyNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes, n := rapid.IntRange(1, 4096).Draw(t, "nodes"), rapid.Int64Range(0, 1<<32).Draw(t, "packets")
		few := NewWindows(nodes, 0, rapid.Int64Range(1, 1<<40).Draw(t, "ns")).Done().ForPackets(n)
		require.LessOrEqual(t, few.nodes*few.n, roomWindows)
		_, err := WindowsOf(nodes, few.from+few.width*int64(few.n), few.Rows())
		require.NoError(t, err)
	})
}

// TestLoad: a long window still tells the most and the least of its parts.
func TestLoad(t *testing.T) {
	w := NewWindows(1, 0, 4*mostWindows)
	w.Add(&PacketRow{T1Ns: Some[int64](40), T2Ns: Some[int64](48)})
	w.Done()
	require.Equal(t, Load{Mean: 0.02, Most: 1}, w.Load(Source, 0, 0, 400))
	require.Equal(t, Load{1, 1, 1}, w.Load(Source, 0, 40, 48))
	require.Equal(t, Load{}, w.Load(Net, 0, 40, 48))
	require.Equal(t, Load{}, w.Load(Source, 1, 40, 48))
	for _, wrong := range []WindowRow{{FromNs: 3, ToNs: 5}, {FromNs: 1, ToNs: 4}, {FromNs: 300, ToNs: 303}, {Node: 1, ToNs: 3}} {
		_, err := WindowsOf(1, 100, []WindowRow{{FromNs: 0, ToNs: 3}, wrong})
		require.ErrorContains(t, err, "wanted one of")
	}
}
