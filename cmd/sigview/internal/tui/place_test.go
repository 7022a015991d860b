package tui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// line2 is what the third line of the screen says.
func (r *rig) line2() string { return strings.Split(r.text(), "\n")[2] }

// TestTrail: enter leads from a finding to its size and stage and on, and esc leads back
// the same way, to the same selection.
func TestTrail(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys(":baseline base", "enter", "down", "i")
	require.Equal(t, "overview", kinds[r.state.View].name)
	f := r.state.data().findings[1]
	r.keys("enter")
	require.Equal(t, "signature", kinds[r.state.View].name)
	require.Contains(t, f.place.Sel, "stage="+r.state.Sel.Stage.String())
	require.True(t, r.state.Sel.Intervals, "how values are shown stays")
	require.Contains(t, r.line2(), "overview › signature  tag 0 fft · all packets")
	r.keys("left", "K")
	there := r.state.text()
	r.keys("enter", "up", "K", "s")
	require.Contains(t, r.line2(), "overview › signature › matrix  ")
	require.NotEqual(t, there, r.state.text())
	r.keys("esc")
	require.Equal(t, "signature", kinds[r.state.View].name)
	require.Equal(t, there, r.state.text())
	r.keys("6")
	require.Contains(t, r.line2(), "overview › timeline", "a number goes elsewhere at the same depth")
	r.keys("esc")
	require.Equal(t, "overview", kinds[r.state.View].name)
	require.Equal(t, "intervals=on row=1", r.state.text(), "the finding is still selected")
	require.Empty(t, r.state.trail)
	r.keys("3", "enter", "esc")
	require.Equal(t, "matrix", kinds[r.state.View].name)
	r.keys("esc")
	require.Equal(t, "overview", kinds[r.state.View].name)
}

// TestTrailCanBePointedAt: a click on a view of the trail goes back to it.
func TestTrailCanBePointedAt(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("3", "down", "right", "enter", "enter")
	require.Contains(t, r.line2(), "matrix › histogram › timeline  ")
	do, dx, dy, ok := Draw(r.state, r.width, r.height).Hit(2, 2)
	require.True(t, ok)
	do.(pointed)(dx, dy)
	require.Equal(t, "matrix", kinds[r.state.View].name)
	require.Empty(t, r.state.trail)
}

// TestWrongPlaceLeavesTheState: it gives a message.
func TestWrongPlaceLeavesTheState(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	before := s.text()
	require.ErrorContains(t, s.goTo(Place{"nowhere", ""}), "nowhere")
	require.ErrorContains(t, s.goTo(Place{"signature", "stage=mauve"}), "mauve")
	require.Equal(t, before, s.text())
	require.Zero(t, s.View)
	require.Empty(t, s.trail)
}

// TestSettingsChangeTheBody: a setting changes the body of the views that obey it and
// leaves those of the others as they are; line 2 says in either case which of the two it is.
func TestSettingsChangeTheBody(t *testing.T) {
	words := map[settings]string{
		ofTag: "tag=1", ofKind: "kind=page-reply", ofSender: "sender=1", ofReceiver: "receiver=2", ofClass: "class=4096",
		ofSize: "size=64", ofStage: "stage=source", ofTime: "from=1000000 to=9000000", ofFilter: "lock",
	}
	traced := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	traced.Over = -1
	plain := NewState(traced.Look)
	l := busy(2)
	l.traced = false
	plain.add(sample(t, "plain", l))
	for _, first := range []*State{traced, plain} {
		for i, k := range kinds {
			for _, also := range []string{"", "sender=2", "kind=data"} {
				s := first.clone()
				s.show(i)
				require.NoError(t, s.selectBy(also))
				before := Draw(s, 120, 40)
				for of, text := range words {
					if strings.HasPrefix(text, strings.Split(also+"=", "=")[0]) {
						continue
					}
					changed := s.clone()
					require.NoError(t, changed.selectBy(strings.TrimSpace(also+" "+text)))
					after := Draw(changed, 120, 40)
					obeyed := changed.view().obeys(&changed.Scene)&of != 0
					require.Equal(t, obeyed, body(before) != body(after), "%s %s obeys %s", k.name, also, text)
					claim := filter(changed.Sel.claims(changed.data()), func(c claim) bool { return c.of == of })[0]
					require.Contains(t, strings.Split(after.String(), "\n")[2], claim.text+map[bool]string{false: ": not here"}[obeyed], "%s %s", k.name, text)
				}
			}
		}
	}
}

// body is a picture without header and footer.
func body(c *cell.Canvas) string {
	lines := strings.Split(c.ANSI(cell.Theme{}, cell.NoColour), "\n")
	return strings.Join(lines[3:len(lines)-2], "\n")
}

// TestPlaceOfAFinding is the size of the class that costs most.
func TestPlaceOfAFinding(t *testing.T) {
	d := sample(t, "run", busy(2))
	for _, f := range d.Diagnosis.Findings {
		p := d.placeOf(f.Change)
		s := NewState(Look{})
		s.add(d)
		require.NoError(t, s.goTo(p))
		require.Equal(t, f.Stage, s.Sel.Stage)
		cols, _ := s.Sel.columns(d)
		at := cols[s.Sel.cursor(cols)]
		of := sizesOf(d.Signature)[f.Class]
		require.Greater(t, at.SizeHiBytes, of.SizeLoBytes)
		require.LessOrEqual(t, at.SizeHiBytes, of.SizeHiBytes)
	}
}

// TestFindingsAreOfTheSelection: they count the packets that are selected, as recorded for
// kinds, and by the trace for nodes.
func TestFindingsAreOfTheSelection(t *testing.T) {
	d := sample(t, "run", busy(2))
	whole := NewSelection()
	require.Equal(t, d.Diagnosis, whole.diagnosis(d))
	kind := NewSelection()
	require.NoError(t, kind.setKind("data"))
	for _, f := range kind.diagnosis(d).Findings {
		rows := filter(d.Signature.Classes, func(r trace.ClassRow) bool {
			return r.Kind == "data" && !r.First.OK && r.Class == f.Class && r.Stage == f.Stage
		})
		require.Len(t, rows, 1)
		require.Equal(t, rows[0].Count, f.CountB)
		require.Equal(t, rows[0].MeanNs, f.MeanBNs)
	}
	pair := NewSelection()
	pair.Sender, pair.Receiver = 1, 2
	found := pair.diagnosis(d).Findings
	require.NotEmpty(t, found)
	for _, f := range found {
		pair.Class = f.Class
		of, ok := pair.ofPair(d, 1, 2)
		require.True(t, ok, f.Class)
		require.Equal(t, of.Stat(f.Stage).Count, f.CountB)
		require.InEpsilon(t, of.Stat(f.Stage).MeanNs.Value, f.MeanBNs.Value, 0.001)
	}
}

// TestCompareSaysWhatDiffers between the origins of two runs, and how much of a difference
// is due to the sizes of packets.
func TestCompareSaysWhatDiffers(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	require.Equal(t, "A → B: seeds 2 → 3.", originsApart(s.over(), s.data()))
	require.Equal(t, "A and B have the same specification and seed.", originsApart(s.over(), s.over()))
	free := *s.data()
	free.Run.Manifest.Spec = []byte(`{"workload":"fft","uncontended":["membus"],"layer":"gam"}`)
	require.Equal(t, "A → B: layer none → gam, uncontended none → membus, seeds 2 → 3.", originsApart(s.over(), &free))
	x := s.Compared.made[0]
	x.MixNs = x.DiffNs.Value / 2
	require.Contains(t, changeText(x, true), "because the packets of the class have other sizes")
	x.MixNs = 0
	require.NotContains(t, changeText(x, true), "other sizes")
	x.DiffNs.OK = false
	require.Contains(t, changeText(x, true), "cannot be compared.")
}

// TestFromASizeToAPair: enter leads from a size to the pair of nodes whose packets of its class
// wait most beyond the baseline, and on to the latencies of that pair.
func TestFromASizeToAPair(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("1", ":baseline base", "enter", "enter")
	require.Equal(t, "matrix", kinds[r.state.View].name)
	d, sel := r.state.data(), r.state.Sel
	require.Contains(t, trace.Classes(), sel.Class)
	cost := func(from, to int) float64 {
		p, _ := sel.ofPair(d, from, to)
		x := p.Stat(sel.Stage)
		return x.DeviationNs.Value * float64(x.Count)
	}
	for from := range d.nodes {
		for to := range d.nodes {
			require.LessOrEqual(t, cost(from, to), cost(sel.Sender, sel.Receiver))
		}
	}
	require.Positive(t, cost(sel.Sender, sel.Receiver))
	r.keys("enter")
	require.Contains(t, r.line2(), "signature › matrix › histogram")
	require.Equal(t, [2]int{sel.Sender, sel.Receiver}, [2]int{r.state.Sel.Sender, r.state.Sel.Receiver})
}

// TestFromAFindingToAPacket: enter leads from a finding to its size, the bin, and a packet of
// this bin in the timeline, which is the first one listed there.
func TestFromAFindingToAPacket(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.keys("2", "up", "up")
	rows, _, _ := r.state.Sel.bins(r.state.data())
	rows = r.state.Sel.ofSize(rows)
	bin := rows[r.state.Sel.latencyCursor(rows)]
	r.keys("enter")
	require.Equal(t, "timeline", kinds[r.state.View].name)
	require.Contains(t, r.line2(), "histogram › timeline")
	sel, p := &r.state.Sel, r.state.data().Packets
	found := p.near(sel.key(), sel.Sender, sel.AtNs, 1)
	require.Len(t, found, 1)
	require.True(t, found[0].within(bin), "%v in %v", found[0], bin)
	require.Equal(t, sel.AtNs, found[0].begin())
	require.Less(t, sel.FromNs, sel.AtNs)
	require.Greater(t, sel.ToNs, found[0].at[5])
	r.keys("esc")
	require.Equal(t, "histogram", kinds[r.state.View].name)
	require.Equal(t, bin.LatencyLoNs, r.state.Sel.LatencyNs)
	require.Equal(t, everyone, r.state.Sel.Sender)
}
