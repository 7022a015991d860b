package tui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/stretchr/testify/require"

	tea "github.com/charmbracelet/bubbletea"
)

// pages returns all of a text that fills the body, page by page.
func (r *rig) pages() string {
	var out strings.Builder
	for before := ""; before != r.Text(); r.Keys("pgdown") {
		before = r.Text()
		out.WriteString(before)
	}
	return out.String()
}

// TestEndOfAChainIsReached: whatever packet a finding leads to at 80×24, its six instants are there, and the end of
// what it waits for, which is the cause, is on the screen or by w.
func TestEndOfAChainIsReached(t *testing.T) {
	shell := newShell(t)
	spec := experiment.DefaultRun("fft")
	spec.Nodes, spec.Size, spec.Trace = 4, 1024, experiment.TraceWaits
	run, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	require.NoError(t, rundir.WriteRun(t.Context(), "waits", *run))
	r := newRig(t, shell, "waits")
	r.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	cut := 0
	for i, f := range r.state.Data().Findings {
		if !strings.Contains(f.Place.Sel, "packet=") {
			continue
		}
		r.Keys("0", "home", strings.Repeat("j", i), "enter")
		if strings.Contains(f.Place.Sel, ":") {
			require.Contains(t, r.Text(), "T6", f.Place.Sel)
		}
		section := r.state.view().Findings(&r.state.Scene)[0]
		require.Contains(t, section.Head, "The packet at the cursor: It waits")
		last := section.Items[len(section.Items)-1]
		end := strings.Fields(last)[len(strings.Fields(last))-3:]
		shown := strings.Join(strings.Fields(r.Text()), " ")
		if !strings.Contains(shown, strings.Join(strings.Fields(last), " ")) {
			cut++
			require.Contains(t, shown, "more lines, w shows all", f.Place.Sel)
		}
		r.Keys("w", "home")
		require.Contains(t, strings.Join(strings.Fields(r.pages()), " "), strings.Join(end, " "))
	}
	require.Positive(t, cut, "some do not fit")
}

// TestPacketIsFoundByAnotherClock: the time in the log of who waited for whom and the instants of the packet are of
// two clocks.
func TestPacketIsFoundByAnotherClock(t *testing.T) {
	m, _ := logged(t)
	p := m.state.Data().Packets
	for _, k := range p.List {
		for _, off := range []int64{-3, 0, 3, data.Clocks} {
			found, ok := p.Find(k.Id(), k.Begin()+off)
			require.True(t, ok)
			require.Equal(t, k, found)
		}
	}
}

// TestPartOfAPickedPacketEndsWithIt: the part of the run around a packet that u or n shows lies in the run, and is
// no selection of other views; the one that was selected before is again.
func TestPartOfAPickedPacketEndsWithIt(t *testing.T) {
	for _, before := range [][2]int64{{0, 0}, {60_000, 90_000}} {
		for _, key := range []string{"u", "n"} {
			m, d := logged(t)
			r := &rig{m, t}
			r.state.Sel.FromNs, r.state.Sel.ToNs = before[0], before[1]
			r.Keys(key)
			sel := &r.state.Sel
			require.Contains(t, r.Text(), "Number 1 of")
			require.NotEqual(t, before, [2]int64{sel.FromNs, sel.ToNs})
			require.True(t, sel.FromNs >= 0 && sel.FromNs < sel.ToNs && sel.ToNs <= d.Packets.EndNs, "%d to %d", sel.FromNs, sel.ToNs)
			r.Keys("1")
			require.Equal(t, before, [2]int64{sel.FromNs, sel.ToNs})
		}
	}
	m, _ := logged(t)
	r := &rig{m, t}
	r.Keys("u", "+")
	part := [2]int64{r.state.Sel.FromNs, r.state.Sel.ToNs}
	r.Keys("1")
	require.Equal(t, part, [2]int64{r.state.Sel.FromNs, r.state.Sel.ToNs}, "what the user has chosen stays")
	r.Keys("/", "ctrl+u", "from=50000 to=900000000", "enter")
	require.Equal(t, r.state.Data().Packets.EndNs, r.state.Sel.ToNs, "no part is longer than the run")
}

// TestEmptyMatrixSaysWhy: it names what is not kept, and keys only where they help.
func TestEmptyMatrixSaysWhy(t *testing.T) {
	for _, x := range []struct {
		change func(*trace.Run)
		want   string
	}{
		{func(r *trace.Run) {
			r.Pairs = nil
			r.Manifest.Warnings = []string{"histograms coarsened: sums per pair of nodes: dropped"}
		}, "kept no sums of the pairs of 4 nodes: their memory is too small. Histograms coarsened: sums per pair of nodes: dropped. A run with --trace"},
		{func(r *trace.Run) { r.Pairs, r.Manifest.Detail = nil, trace.DetailFast }, "--detail full"},
		{func(r *trace.Run) { *r = bare(t) }, "--monitor full"},
	} {
		l := busy(2)
		l.traced = false
		run := l.make(t)
		x.change(&run)
		s := NewState(look(t, "mono", cell.Braille, cell.NoColour))
		s.Add(data.NewData("run", run, nil))
		s.show(3)
		text := strings.Join(strings.Fields(Draw(s, 120, 36).String()), " ")
		require.Contains(t, text, x.want)
		require.NotContains(t, text, "c changes the size class")
	}
}

// TestAdviceIsOfWhatIsOpen: the mean of runs is not advised to be traced, nor are real hosts.
func TestAdviceIsOfWhatIsOpen(t *testing.T) {
	run := bare(t)
	run.Manifest.Seeds = []uint64{1, 2, 3}
	s := NewState(look(t, "mono", cell.Braille, cell.NoColour))
	s.Add(data.NewData("set", run, nil))
	for _, view := range []int{5, 6} {
		s.show(view)
		text := Draw(s, 120, 36).String()
		require.Contains(t, text, "the mean of 3 runs")
		require.NotContains(t, text, "sigview run")
	}
	run.Manifest.Seeds, run.Manifest.Detail = nil, trace.DetailLive
	d := data.NewData("live", run, nil).WithExplained(&explain.Brief{Note: "the trace does not tell when processes wait"})
	s = NewState(s.Look)
	s.Add(d)
	s.show(5)
	require.NoError(t, s.selectBy("metric=7"))
	require.NotContains(t, Draw(s, 120, 36).String(), "sigview run")
}

// TestCausesThatAreNotShown: the overview of a run that recorded them says so.
func TestCausesThatAreNotShown(t *testing.T) {
	m, d := logged(t)
	brief, err := explain.ExplainBriefly(d.Dir, d.Run, nil) // as of a log that is too long to be read
	require.NoError(t, err)
	m.state.Refine(d, d.WithExplained(brief))
	m.state.show(0)
	require.Contains(t, Draw(m.state, 80, 24).String(), "Causes are not shown: the trace is long: sigview trace run explains it.")
}

// TestFigureHasNoFrame: an exported figure has what is shown, without tabs and keys to press.
func TestFigureHasNoFrame(t *testing.T) {
	s := two(t, look(t, "dark", cell.Braille, cell.TrueColour))
	for i := range views.Kinds {
		s.show(i)
		var svg bytes.Buffer
		require.NoError(t, Write(&svg, s, 120, 36, "x.svg", ""))
		require.NotContains(t, svg.String(), fmt.Sprintf("%d %s ", (i+1)%10, views.Kinds[(i+1)%10].Name))
		require.NotContains(t, svg.String(), ">quit<")
		require.NotRegexp(t, `(?i)\b(enter|arrows|w shows|m shows|m:)`, svg.String(), views.Kinds[i].Name)
		require.Contains(t, svg.String(), "fft on shrimp")
		drawn := strings.Split(figure(s, 120, 36).String(), "\n")
		require.Len(t, drawn, len(strings.Split(Draw(s, 120, 36).String(), "\n")))
	}
}

// TestBothBaselinesAreNamed: where a size has all packets of its class and the class another baseline, which
// findings are of, the view names both.
func TestBothBaselinesAreNamed(t *testing.T) {
	run := busy(2).make(t)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, differ := range []bool{false, true} {
			for i := range run.Signature {
				run.Signature[i].BaselineNs = trace.Some(42_010.0)
			}
			for i := range run.Classes {
				run.Classes[i].BaselineNs = trace.Some(map[bool]float64{false: 42_010, true: 43_820}[differ])
			}
			s := NewState(look(t, "mono", cell.Braille, cell.NoColour))
			s.Add(data.NewData("run", run, nil))
			s.show(1)
			text := Draw(s, size[0], size[1]).String()
			require.NotContains(t, text, "(op.)")
			require.Equal(t, differ, strings.Contains(text, "of class 4096, by kinds: base 43.82"), text)
		}
	}
}
