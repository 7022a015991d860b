package tui

import (
	"strings"
	"testing"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/stretchr/testify/require"
)

// line2 is what the third line of the screen says.
func (r *rig) line2() string { return strings.Split(r.Text(), "\n")[2] }

// TestTrail: enter leads from a finding to its size and stage and on, and esc leads back
// the same way, to the same selection.
func TestTrail(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys(":baseline base", "enter", "down", "i")
	require.Equal(t, "overview", views.Kinds[r.state.View].Name)
	f := r.state.Data().Findings[1]
	r.Keys("enter")
	require.Equal(t, "signature", views.Kinds[r.state.View].Name)
	require.Contains(t, f.Place.Sel, "stage="+r.state.Sel.Stage.String())
	require.True(t, r.state.Sel.Intervals, "how values are shown stays")
	require.Contains(t, r.line2(), "overview › signature  tag 0 fft · all packets")
	r.Keys("left", "K")
	there := r.state.Text()
	r.Keys("enter", "up", "K", "s")
	require.Contains(t, r.line2(), "overview › signature › matrix  ")
	require.NotEqual(t, there, r.state.Text())
	r.Keys("esc")
	require.Equal(t, "signature", views.Kinds[r.state.View].Name)
	require.Equal(t, there, r.state.Text())
	r.Keys("6")
	require.Contains(t, r.line2(), "overview › timeline", "a number goes elsewhere at the same depth")
	r.Keys("esc")
	require.Equal(t, "overview", views.Kinds[r.state.View].Name)
	require.Equal(t, "intervals=on row=1", r.state.Text(), "the finding is still selected")
	require.Empty(t, r.state.trail)
	r.Keys("3", "enter", "esc")
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name)
	r.Keys("esc")
	require.Equal(t, "overview", views.Kinds[r.state.View].Name)
}

// TestTrailCanBePointedAt: a click on a view of the trail goes back to it.
func TestTrailCanBePointedAt(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("3", "down", "right", "enter", "enter")
	require.Contains(t, r.line2(), "matrix › histogram › timeline  ")
	do, dx, dy, ok := Draw(r.state, r.width, r.height).Hit(2, 2)
	require.True(t, ok)
	do.(action.Pointed)(dx, dy)
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name)
	require.Empty(t, r.state.trail)
}

// TestWrongPlaceLeavesTheState: it gives a message.
func TestWrongPlaceLeavesTheState(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	before := s.Text()
	require.ErrorContains(t, s.goTo(data.Place{View: "nowhere", Sel: ""}), "nowhere")
	require.ErrorContains(t, s.goTo(data.Place{View: "signature", Sel: "stage=mauve"}), "mauve")
	require.Equal(t, before, s.Text())
	require.Zero(t, s.View)
	require.Empty(t, s.trail)
}

// TestSettingsChangeTheBody: a setting changes the body of the views that obey it and
// leaves those of the others as they are; line 2 says in either case which of the two it is.
func TestSettingsChangeTheBody(t *testing.T) {
	words := map[scene.Settings]string{
		scene.OfTag: "tag=1", scene.OfKind: "kind=page-reply", scene.OfSender: "sender=1", scene.OfReceiver: "receiver=2", scene.OfClass: "class=4096",
		scene.OfSize: "size=64", scene.OfStage: "stage=source", scene.OfTime: "from=1000000 to=9000000", scene.OfFilter: "lock",
	}
	traced := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	traced.Over = -1
	plain := NewState(traced.Look)
	l := busy(2)
	l.traced = false
	plain.Add(sample(t, "plain", l))
	for _, first := range []*State{traced, plain} {
		for i, k := range views.Kinds {
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
					obeyed := changed.view().Obeys(&changed.Scene)&of != 0
					require.Equal(t, obeyed, body(before) != body(after), "%s %s obeys %s", k.Name, also, text)
					claim := lists.Filter(scene.Claims(&changed.Sel, changed.Data()), func(c scene.Claim) bool { return c.Of == of })[0]
					require.Contains(t, strings.Split(after.String(), "\n")[2], claim.Text+map[bool]string{false: ": not here"}[obeyed], "%s %s", k.Name, text)
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
		p := d.PlaceOf(f.Change)
		s := NewState(Look{})
		s.Add(d)
		require.NoError(t, s.goTo(p))
		require.Equal(t, f.Stage, s.Sel.Stage)
		cols, _ := s.Sel.Columns(d)
		at := cols[s.Sel.Cursor(cols)]
		of := data.SizesOf(d.Signature)[f.Class]
		require.Greater(t, at.SizeHiBytes, of.SizeLoBytes)
		require.LessOrEqual(t, at.SizeHiBytes, of.SizeHiBytes)
	}
}

// TestFindingsAreOfTheSelection: they count the packets that are selected, as recorded for
// kinds, and by the trace for nodes.
func TestFindingsAreOfTheSelection(t *testing.T) {
	d := sample(t, "run", busy(2))
	whole := data.NewSelection()
	require.Equal(t, d.Diagnosis, scene.Diagnosis(&whole, d))
	kind := data.NewSelection()
	require.NoError(t, kind.SetKind("data"))
	for _, f := range scene.Diagnosis(&kind, d).Findings {
		rows := lists.Filter(d.Signature.Classes, func(r trace.ClassRow) bool {
			return r.Kind == "data" && !r.First.OK && r.Class == f.Class && r.Stage == f.Stage
		})
		require.Len(t, rows, 1)
		require.Equal(t, rows[0].Count, f.CountB)
		require.Equal(t, rows[0].MeanNs, f.MeanBNs)
	}
	pair := data.NewSelection()
	pair.Sender, pair.Receiver = 1, 2
	found := scene.Diagnosis(&pair, d).Findings
	require.NotEmpty(t, found)
	for _, f := range found {
		pair.Class = f.Class
		of, ok := pair.OfPair(d, 1, 2)
		require.True(t, ok, f.Class)
		require.Equal(t, of.Stat(f.Stage).Count, f.CountB)
		require.InEpsilon(t, of.Stat(f.Stage).MeanNs.Value, f.MeanBNs.Value, 0.001)
	}
}

// TestCompareSaysWhatDiffers between the origins of two runs, and how much of a difference
// is due to the sizes of packets.
func TestCompareSaysWhatDiffers(t *testing.T) {
	s := two(t, look(t, "mono", cell.Braille, cell.NoColour))
	require.Equal(t, "A → B: seeds 2 → 3.", views.OriginsApart(s.Second(), s.Data()))
	require.Equal(t, "A and B have the same specification and seed.", views.OriginsApart(s.Second(), s.Second()))
	free := *s.Data()
	free.Run.Manifest.Spec = []byte(`{"workload":"fft","uncontended":["membus"],"layer":"gam"}`)
	require.Equal(t, "A → B: layer none → gam, uncontended none → membus, seeds 2 → 3.", views.OriginsApart(s.Second(), &free))
	x := s.Compared.Made[0]
	x.MixNs = x.DiffNs.Value / 2
	require.Contains(t, views.ChangeText(x, true), "because the packets of the class have other sizes")
	x.MixNs = 0
	require.NotContains(t, views.ChangeText(x, true), "other sizes")
	x.DiffNs.OK = false
	require.Contains(t, views.ChangeText(x, true), "cannot be compared.")
}

// TestFromASizeToAPair: enter leads from a size to the pair of nodes whose packets of its class
// wait most beyond the baseline, and on to the latencies of that pair.
func TestFromASizeToAPair(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("1", ":baseline base", "enter", "enter")
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name)
	d, sel := r.state.Data(), r.state.Sel
	require.Contains(t, trace.Classes(), sel.Class)
	cost := func(from, to int) float64 {
		p, _ := sel.OfPair(d, from, to)
		x := p.Stat(sel.Stage)
		return x.DeviationNs.Value * float64(x.Count)
	}
	for from := range d.Nodes {
		for to := range d.Nodes {
			require.LessOrEqual(t, cost(from, to), cost(sel.Sender, sel.Receiver))
		}
	}
	require.Positive(t, cost(sel.Sender, sel.Receiver))
	r.Keys("enter")
	require.Contains(t, r.line2(), "signature › matrix › histogram")
	require.Equal(t, [2]int{sel.Sender, sel.Receiver}, [2]int{r.state.Sel.Sender, r.state.Sel.Receiver})
}

// TestFromAFindingToAPacket: enter leads from a finding to its size, the bin, and a packet of
// this bin in the timeline, which is the first one listed there.
func TestFromAFindingToAPacket(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("2", "up", "up")
	rows, _, _ := scene.Bins(&r.state.Sel, r.state.Data())
	rows = scene.RowsOfSize(&r.state.Sel, rows)
	bin := rows[scene.LatencyCursor(&r.state.Sel, rows)]
	r.Keys("enter")
	require.Equal(t, "timeline", views.Kinds[r.state.View].Name)
	require.Contains(t, r.line2(), "histogram › timeline")
	sel, p := &r.state.Sel, r.state.Data().Packets
	found := p.Near(sel.Key(), sel.Sender, sel.AtNs, 1)
	require.Len(t, found, 1)
	require.True(t, views.Within(&found[0], bin), "%v in %v", found[0], bin)
	require.Equal(t, sel.AtNs, found[0].Begin())
	require.Less(t, sel.FromNs, sel.AtNs)
	require.Greater(t, sel.ToNs, found[0].At[5])
	r.Keys("esc")
	require.Equal(t, "histogram", views.Kinds[r.state.View].Name)
	require.Equal(t, bin.LatencyLoNs, r.state.Sel.LatencyNs)
	require.Equal(t, data.Everyone, r.state.Sel.Sender)
}

// TestPartOfADifferenceLeadsToBothRuns: from a part of the waterfall enter leads to where it is longest in B, and in A if that is chosen; esc comes back,
// and undo too.
func TestPartOfADifferenceLeadsToBothRuns(t *testing.T) {
	shell := newShell(t)
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size, spec.Trace = 4, 1024, experiment.TraceWaits
	for _, name := range []string{"calm", "stalled"} {
		run, err := experiment.Run(t.Context(), spec, nil)
		require.NoError(t, err)
		require.NoError(t, rundir.WriteRun(t.Context(), name, *run))
		spec.Faults.Stalls = []experiment.Stall{{Node: 2, At: sim.Time(1 * sim.Millisecond), For: 2 * sim.Millisecond}}
		spec.Memory.Homes = "single"
	}
	r := newRig(t, shell, "calm", "stalled")
	at := func(dir, view, text string) {
		t.Helper()
		require.Equal(t, dir, r.state.Data().Dir)
		require.Equal(t, view, views.Kinds[r.state.View].Name)
		require.Contains(t, r.Text(), text)
	}
	back := func() { // a packet is closed first, if there is one
		for views.Kinds[r.state.View].Name == "timeline" {
			r.Keys("esc")
		}
	}
	r.Keys("9")
	at("stalled", "compare", "node 2 takes no packets")
	r.Keys("enter")
	at("stalled", "timeline", "node 2 takes no packets")
	back()
	at("stalled", "compare", "node 2 takes no packets")
	r.Keys("left", "enter")
	require.Contains(t, r.state.Note, "In A this has no place")
	var p data.Place
	for range 4 { // some parts are in one run only
		r.Keys("down")
		if p = r.state.view().(*views.CompareView).Ahead(&r.state.Scene); p.Over {
			break
		}
	}
	require.True(t, p.Over)
	r.Keys("enter")
	at("calm", "timeline", strings.Fields(p.Sel)[0][len("row="):]+"▶")
	require.Equal(t, "stalled", r.state.Second().Dir)
	r.undo()
	at("stalled", "compare", "node 2 takes no packets")
	r.redo()
	at("calm", "timeline", "▶")
	back()
	at("stalled", "compare", "node 2 takes no packets")
	require.Equal(t, "calm", r.state.Second().Dir)
}
