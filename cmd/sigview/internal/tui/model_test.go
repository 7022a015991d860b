package tui

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sigview/sigview/cmd/sigview/internal/folder"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// rig is a model whose commands run at once, as the terminal's loop would run
// them.
type rig struct {
	*Model
	t *testing.T
}

func newRig(t *testing.T, shell Shell, dirs ...string) *rig {
	t.Helper()
	r := &rig{NewModel(t.Context(), shell, NewState(look(t, "dark", cell.Braille, cell.Colours256)), dirs), t}
	r.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	r.run(r.Init(), 0)
	return r
}

func (r *rig) send(msg tea.Msg) {
	_, cmd := r.Update(msg)
	r.View()
	r.run(cmd, 0)
}

// run does a command and what follows from it.
func (r *rig) run(cmd tea.Cmd, depth int) {
	if cmd == nil || depth > 300 {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			r.run(c, depth+1)
		}
	case tea.QuitMsg:
	default:
		if list, ok := sequence(msg); ok {
			for _, c := range list {
				r.run(c, depth+1)
			}
			return
		}
		_, next := r.Update(msg)
		r.View()
		r.run(next, depth+1)
	}
}

// Keys sends keys by their names, letters one by one.
func (r *rig) Keys(names ...string) {
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"ctrl+u": tea.KeyCtrlU, "ctrl+d": tea.KeyCtrlD, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	for _, n := range names {
		if k, ok := special[n]; ok {
			r.send(tea.KeyMsg{Type: k})
			continue
		}
		for _, c := range n {
			if c == ' ' {
				r.send(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
				continue
			}
			r.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
		}
	}
}

func (r *rig) Text() string { return Draw(r.state, r.width, r.height).String() }

// fakeShell makes up what the command line does.
type fakeShell struct {
	t      testing.TB
	run    func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)
	why    func(context.Context, string, experiment.Watch) (*why.Explanation, error)
	tested *why.Explanation
	others []folder.Entry
}

// newShell returns a made-up command line in a folder with runs.
func newShell(t testing.TB) *fakeShell {
	t.Helper()
	inRuns(t)
	return &fakeShell{t: t}
}

func (*fakeShell) Commands() []string { return []string{"run", "logp"} }

func (s *fakeShell) Run(ctx context.Context, spec experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
	if s.run != nil {
		return s.run(ctx, spec, watch)
	}
	second := busy(3)
	second.addNs[trace.Dest] = 9000
	run := second.make(s.t)
	if run.Manifest.Seed = spec.Seed; spec.Seed == 13 {
		return nil, errors.New("seed 13 is unlucky")
	}
	for i := range int64(5) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		watch(experiment.Progress{Stage: spec.Workload, Done: i * 100, Unit: "packets", SimulatedNs: i * 1000, Look: func() (*trace.Run, error) { return &run, nil }})
	}
	return &run, nil
}

func (s *fakeShell) Shelf() ([]folder.Entry, error) {
	run, err := rundir.ReadSummary("after")
	return append([]folder.Entry{folder.OfRun("after", run.Manifest), {Dir: "logp-001", Verdict: "measurement"}}, s.others...), err
}

func (*fakeShell) Keep(context.Context, *trace.Run) (string, error) { return "kept-001", nil }

func (s *fakeShell) Why(ctx context.Context, dir string, watch experiment.Watch) (*why.Explanation, error) {
	return s.why(ctx, dir, watch)
}

func (s *fakeShell) Tested(string) (*why.Explanation, bool) { return s.tested, s.tested != nil }

func TestTwoDirectoriesAreOverlaid(t *testing.T) {
	r := newRig(t, newShell(t), "before", "after")
	require.Len(t, r.state.Runs, 2)
	require.Equal(t, "after", r.state.Data().Dir)
	require.Equal(t, "before", r.state.Second().Dir)
	require.NotNil(t, r.state.Compared, "compared in a command")
	require.Empty(t, r.state.Loading)
	r.Keys("9")
	require.Regexp(t, `\? under_128 +Dest +3.59 +12.31 +\+8.73`, r.Text(), "as sigview diff says of one run a side")
	require.Contains(t, r.Text(), "Dest of under_128 (tag 0) cannot be told")
	require.NotContains(t, r.Text(), "▲")
	r.Keys("]")
	require.Equal(t, "before", r.state.Data().Dir)
	require.Equal(t, "after", r.state.Second().Dir)
	r.Keys("v")
	require.Nil(t, r.state.Second())
}

func TestTraceIsReadAfterTheFirstPicture(t *testing.T) {
	shell := newShell(t)
	m := NewModel(t.Context(), shell, NewState(look(t, "mono", cell.Braille, cell.NoColour)), nil)
	_, cmd := m.Update(m.open("before", false)())
	require.NotNil(t, m.state.Data(), "the run is there")
	m.state.show(6)
	require.Contains(t, Draw(m.state, 80, 24).String(), "still being read")
	(&rig{m, t}).run(cmd, 0)
	require.Contains(t, Draw(m.state, 80, 24).String(), "packets in Net at each node")
	m.state.show(5)
	require.Contains(t, Draw(m.state, 80, 24).String(), "page_fetch")
	require.Empty(t, m.state.Loading)

	damage(t, "before/packets.arrow")
	r := newRig(t, shell, "before")
	require.Contains(t, r.Text(), "packets.arrow")
	require.NotNil(t, r.state.Data(), "the rest is usable")
}

func TestKeysThatCameTogether(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3ss")})
	require.Equal(t, 3, r.state.View)
	require.Equal(t, trace.NetMinusLANai, r.state.Sel.Stage)
}

func TestBadDirectoryLeavesTheRestUsable(t *testing.T) {
	r := newRig(t, newShell(t), "broken", "before")
	require.Len(t, r.state.Problems, 1)
	require.Contains(t, r.Text(), "run directory broken")
	require.Equal(t, "before", r.state.Data().Dir)
	r.Keys(":open nothing", "enter")
	require.Len(t, r.state.Problems, 2)
	r.Keys("3")
	require.Contains(t, r.Text(), "rows send")
}

func TestKeysSelect(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("1", "s")
	require.Equal(t, trace.Dest, r.state.Sel.Stage)
	r.Keys("k")
	require.Equal(t, trace.Net, r.state.Sel.Stage)
	r.Keys("K")
	require.Equal(t, "data", r.state.Sel.Kind)
	r.Keys("a", "S", "S", "R")
	require.Equal(t, []int{1, 0}, []int{r.state.Sel.Sender, r.state.Sel.Receiver})
	r.Keys("a", "left", "h")
	require.Equal(t, int64(1024), r.state.Sel.SizeBytes)
	r.Keys("+")
	require.Less(t, r.state.Sel.ToBytes-r.state.Sel.FromBytes, int64(4064))
	r.Keys("-", "-")
	require.Equal(t, [2]int64{data.MinBytes, data.MaxBytes}, [2]int64{r.state.Sel.FromBytes, r.state.Sel.ToBytes})
	r.Keys("enter")
	require.Equal(t, "matrix", views.Kinds[r.state.View].Name)
	r.Keys("esc", "b", "i", "tab", "T")
	require.True(t, r.state.Sel.NoBaseline)
	require.True(t, r.state.Sel.Intervals)
	require.Equal(t, "light", r.state.Look.Theme.Name)
	require.Equal(t, 2, r.state.View)
	r.Keys("q")
	require.Empty(t, r.View(), "nothing is left on the screen")
}

func TestFilterAndCommands(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	r.Keys("/", "ctrl+u", "kind=page-reply/first stage=dest size=2000", "enter")
	require.Equal(t, "page-reply/first", r.state.Sel.KindName())
	require.Equal(t, trace.Dest, r.state.Sel.Stage)
	require.Equal(t, int64(2016), r.state.Sel.SizeBytes, "the bin that holds it")
	r.Keys("/", "ctrl+u", "sender=9", "enter")
	require.Contains(t, r.state.Note, "nodes 0 to 3")
	r.Keys("/", "ctrl+u", "colour=blue", "enter")
	require.Contains(t, r.state.Note, `unknown word "colour"`)
	r.Keys(":theme mauve", "enter")
	require.Contains(t, r.state.Note, "want one of")
	r.Keys(":theme mono", "enter", ":view clock", "enter")
	require.Equal(t, "mono", r.state.Look.Theme.Name)
	require.Equal(t, "clock", views.Kinds[r.state.View].Name)
	r.Keys(":exprot x", "enter")
	require.Contains(t, r.state.Note, `did you mean "export"`)
	r.Keys(":baseline base", "enter")
	require.Equal(t, "base", r.state.OtherBase)
	require.True(t, r.state.Data().Signature.Rows[0].BaselineNs.OK)
}

// TestSelectionTextRoundTrip: what is exported can be asked for again.
func TestSelectionTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := NewState(Look{})
		s.View = rapid.IntRange(0, len(views.Kinds)-1).Draw(t, "view")
		for _, w := range rapid.SliceOf(rapid.SampledFrom([]string{
			"kind=diff", "kind=page-reply/later", "sender=3", "receiver=0", "stage=source", "class=4096", "size=96", "latency=4000", "zoom=64-1024",
			"at=12", "from=1", "to=500", "metric=2", "row=7", "baseline=off", "intervals=on", "tag=2", "dest up", "series=1", "against=none", "against=2", "curve=3", "point=16", "scale=log",
		})).Draw(t, "words") {
			require.NoError(t, s.selectAfresh(s.Text()+" "+w))
		}
		again := NewState(Look{})
		again.View = s.View
		require.NoError(t, again.selectBy(s.Text()))
		require.Equal(t, s.Sel, again.Sel)
		require.Equal(t, s.view(), again.view())
	})
}

func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	r := newRig(t, newShell(t), "before", "after")
	r.Keys("1")
	for _, name := range []string{"a.svg", "a.png", "a.csv", "a.txt"} {
		r.Keys(":export "+name, "enter")
		require.Contains(t, r.state.Note, "wrote "+name)
		require.Contains(t, r.state.Note, "sigview view before after")
		require.Contains(t, r.state.Note, "--export "+name)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(100_000), name)
	}
	data, err := os.ReadFile("a.csv")
	require.NoError(t, err)
	require.Contains(t, string(data), "size_lo_bytes")
	r.Keys(":export a.jpg", "enter")
	require.Contains(t, r.state.Note, ".jpg")
	require.NoFileExists(t, "a.jpg")
	files, err := filepath.Glob(".a*")
	require.NoError(t, err)
	require.Empty(t, files, "nothing half written")
}

func TestMouse(t *testing.T) {
	r := newRig(t, newShell(t), "before")
	x := strings.Index(strings.Split(r.Text(), "\n")[1], "3 pairs")
	r.send(tea.MouseMsg{X: x, Y: 1, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Equal(t, 3, r.state.View)
	r.send(tea.MouseMsg{X: 6, Y: 5, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Equal(t, []int{0, 0}, []int{r.state.Sel.Sender, r.state.Sel.Receiver})
	r.Keys("a", "1")
	r.send(tea.MouseMsg{X: 7, Y: 6, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	require.Equal(t, int64(32), r.state.Sel.SizeBytes)
	r.send(tea.MouseMsg{X: 7, Y: 6, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
	require.Greater(t, int64(data.MaxBytes), r.state.Sel.ToBytes)
}

func TestRunFromInside(t *testing.T) {
	r := newRig(t, newShell(t))
	require.Contains(t, r.Text(), "No run is open")
	r.Keys("r", "right")
	require.Contains(t, r.Text(), "radix")
	r.Keys("down", "down", "1")
	require.ErrorContains(t, r.state.Form.wrong, "--nodes is 1")
	r.Keys("enter")
	require.NotNil(t, r.state.Form, "a form that is wrong does not start anything")
	r.Keys("ctrl+u", "4", "down", "ctrl+u", "77")
	require.Contains(t, r.Text(), "sigview run radix --nodes=4 --seed=77")
	r.Keys("enter")
	require.Nil(t, r.state.Form)
	require.Nil(t, r.runner, "ended")
	require.Equal(t, "kept-001", r.state.Data().Dir)
	require.Equal(t, uint64(77), r.state.Data().Run.Manifest.Seed)
	require.Contains(t, r.state.Note, "kept-001")
}

// TestRunIsPausedSteppedAndStopped drives the runner without a screen.
func TestRunIsPausedSteppedAndStopped(t *testing.T) {
	seen := make(chan int64, 1000)
	shell := &fakeShell{run: func(ctx context.Context, _ experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
		for i := int64(0); ctx.Err() == nil; i++ {
			seen <- i
			watch(experiment.Progress{Done: i})
		}
		return nil, ctx.Err()
	}}
	run := start(t.Context(), shell, Task{Spec: &experiment.RunSpec{}})
	run.pause(true, 0)
	var last int64
	quiet := func() {
		for {
			select {
			case last = <-seen:
			case <-time.After(50 * time.Millisecond):
				return
			}
		}
	}
	quiet()
	before := last
	run.pause(true, 1)
	quiet()
	require.Equal(t, before+1, last, "one step")
	run.stop()
	require.Eventually(t, func() bool {
		msg := run.ask()().(liveTick)
		return msg.now.ended && strings.Contains(msg.now.trouble, "canceled")
	}, 5*time.Second, time.Millisecond)
}

func TestStoppedRunStaysOnTheScreen(t *testing.T) {
	shell := newShell(t)
	var r *rig
	shell.run = func(ctx context.Context, _ experiment.RunSpec, watch experiment.Watch) (*trace.Run, error) {
		run := busy(3).make(t)
		watch(experiment.Progress{Stage: "fft", Look: func() (*trace.Run, error) { return &run, nil }})
		<-ctx.Done()
		return nil, ctx.Err()
	}
	r = newRig(t, shell)
	_, cmd := r.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'r'}})
	require.Nil(t, cmd)
	_, ask := r.Update(tea.KeyMsg{Type: tea.KeyEnter})
	for r.state.Data() == nil {
		_, ask = r.Update(ask())
	}
	require.Contains(t, r.Text(), "in progress")
	r.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}})
	r.run(ask, 0)
	require.Contains(t, r.Text(), "CUT OFF")
	require.Contains(t, r.state.Note, "was stopped")
	require.Empty(t, r.state.Problems)
}

// TestModelPanicBecomesAMessage: a broken invariant in a run does not end the
// program.
func TestModelPanicBecomesAMessage(t *testing.T) {
	shell := newShell(t)
	shell.run = func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error) {
		panic("ni: 3 ms: ring")
	}
	r := newRig(t, shell)
	r.Keys("r", "enter")
	require.Contains(t, r.state.Note, "the model stopped: ni: 3 ms: ring")
	require.Nil(t, r.runner)
}

func TestEnvironment(t *testing.T) {
	var out bytes.Buffer
	for _, c := range []struct {
		env    []string
		glyphs cell.Glyphs
	}{
		{[]string{"LANG=C", "TERM=xterm"}, cell.ASCII},
		{[]string{"LANG=de_DE.UTF-8", "TERM=xterm-256color"}, cell.Braille},
		{[]string{"LC_ALL=C.UTF-8", "TERM=linux"}, cell.Block},
		{[]string{"TERM=dumb"}, cell.ASCII},
	} {
		l, err := Options{Environ: c.env}.look(&out)
		require.NoError(t, err)
		require.Equal(t, c.glyphs, l.Glyphs, c.env)
		require.Equal(t, cell.NoColour, l.Depth, "no terminal")
	}
	l, err := Options{Environ: []string{"COLORFGBG=0;15"}}.look(&out)
	require.NoError(t, err)
	require.Equal(t, "light", l.Theme.Name)
	_, err = Options{Theme: "x"}.State(&out)
	require.Error(t, err)
	_, err = Options{View: "x"}.State(&out)
	require.Error(t, err)
	_, err = Options{Select: "x=1"}.State(&out)
	require.Error(t, err)
}

// TestEveryKeyIsInTheHelp and leads somewhere, once.
func TestKeyMap(t *testing.T) {
	keys, names := map[string]bool{}, map[string]bool{}
	for _, b := range usualKeys {
		require.False(t, names[b.called], "name %q twice", b.called)
		names[b.called] = true
		require.NotEmpty(t, b.Help().Desc)
		for _, k := range b.Keys() {
			require.False(t, keys[k], "key %q twice", k)
			keys[k] = true
		}
	}
}

// TestCommandLineMakesTheSamePicture: what export and :command write down,
// given to a new program, draws what was seen.
func TestCommandLineMakesTheSamePicture(t *testing.T) {
	for _, keys := range [][]string{
		{"s", "left", "i"}, {"2", "left", "up", "up", "K"}, {"3", "down", "right", "m", "c"}, {"4", "m", "s"}, {"]", "5", "down"},
		{"]", "6", "+", "+", "right", "right", "down", "s"}, {"8", "down", "m"}, {"9", "down", "down"}, {"v", "1", "+", "b"}, {"w", "T", "T"},
	} {
		shell := newShell(t)
		r := newRig(t, shell, "before", "after")
		r.Keys(keys...)
		words := strings.Split(strings.ReplaceAll(r.commandLine(""), "' --", " --"), " --")
		o := Options{Dirs: strings.Fields(words[0])[2:]}
		for _, w := range words[1:] {
			name, value, _ := strings.Cut(w, " ")
			switch value = strings.Trim(value, "'"); name {
			case "view":
				o.View = value
			case "select":
				o.Select = value
			case "theme":
				o.Theme = value
			case "glyphs":
				o.Glyphs = value
			case "findings":
				o.Findings = true
			}
		}
		again, err := o.State(&bytes.Buffer{})
		require.NoError(t, err)
		require.NoError(t, Load(o, again))
		require.Equal(t, Draw(Still(r.state), 100, 30).String(), Draw(Still(again), 100, 30).String(), "%v: %s", keys, r.commandLine(""))
	}
}

// damage writes over a byte in the middle of a file.
func damage(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	data[len(data)/2] ^= 0xff
	require.NoError(t, os.WriteFile(file, data, 0o644))
}
