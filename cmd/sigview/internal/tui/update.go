package tui

import (
	"fmt"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/chart/cell"
	"github.com/sigview/sigview/trace"
)

// Update changes the state by a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.update(msg)
	if a, b := m.state.over(), m.state.data(); m.state.uncompared() && !m.comparing {
		m.comparing = true
		cmd = tea.Batch(cmd, func() tea.Msg { return NewCompared(a, b) })
	}
	return m, cmd
}

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case loaded:
		m.state.read(msg.dir)
		if msg.err != nil {
			m.state.Problems = append(m.state.Problems, msg.err.Error())
			break
		}
		if msg.measured != nil {
			m.state.addMeasured(msg.measured)
			m.state.showMeasured(msg.show)
			break
		}
		m.state.add(msg.data)
		if msg.show && m.state.measuring() {
			m.state.show(0)
		}
		return m.readTrace(msg.data)
	case tracedData:
		m.state.read(msg.dir)
		if msg.err != nil {
			m.state.Problems = append(m.state.Problems, msg.err.Error())
		} else {
			m.state.replace(msg.of, msg.got)
		}
	case rebased:
		return m.rebased(msg)
	case *Compared:
		m.comparing, m.state.Compared = false, msg
	case completed:
		if m.state.Prompt != nil {
			m.state.Prompt.take(completion(msg))
		}
	case exported:
		m.state.Note = msg.text()
	case liveTick:
		return m.liveTick(msg)
	case kept:
		return m.kept(msg)
	}
	return nil
}

func (m *Model) rebased(msg rebased) tea.Cmd {
	s := m.state
	s.read(msg.dir)
	first := m.base == nil && len(s.Runs) == 0
	if msg.err != nil {
		s.Problems = append(s.Problems, "baseline: "+msg.err.Error())
	} else {
		m.base, s.OtherBase = msg.base, msg.dir
		for _, d := range msg.runs {
			s.add(d)
		}
	}
	if first && len(m.dirs) > 0 {
		return m.openAll()
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	if m.runner != nil {
		m.runner.stop()
	}
	m.ended = true
	return tea.Quit
}

func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	s := m.state
	s.Note = ""
	switch {
	case s.Prompt != nil:
		return s.Prompt.key(m, msg)
	case s.Form != nil:
		return s.Form.key(m, msg)
	}
	if len(msg.Runes) > 1 && !msg.Paste {
		// Keys that came together were still typed one by one.
		var all []tea.Cmd
		for _, r := range msg.Runes {
			all = append(all, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
		}
		return tea.Sequence(all...)
	}
	if r := msg.String(); len(r) == 1 && r[0] >= '1' && int(r[0]-'1') < len(views) {
		s.show(int(r[0] - '1'))
		return nil
	}
	return m.do(actionOf(msg))
}

// show goes to a view.
func (s *State) show(view int) {
	s.View, s.Help, s.Words, s.Top, s.Sel.Metric, s.Sel.Row = view, false, false, 0, 0, 0
	s.Hint = false
}

// do does what a key or a place pointed at stands for.
func (m *Model) do(a action) tea.Cmd {
	s := m.state
	if act := views[s.View].act; act != nil && !s.Help && !s.Words && act(s, a) {
		return nil
	}
	switch a {
	case quit:
		return m.quit()
	case showHelp:
		s.Help, s.Top, s.Hint = !s.Help, 0, false
	case leave:
		m.leave()
	case pageDown:
		s.Top += max(m.height-8, 1)
	case pageUp:
		s.Top = max(s.Top-max(m.height-8, 1), 0)
	case nextView:
		s.show((s.View + 1) % len(views))
	case previousView:
		s.show((s.View + len(views) - 1) % len(views))
	case showWords:
		s.Words, s.Top, s.Help = !s.Words, 0, false
	case nextTheme:
		t, err := cell.ThemeOf(cycle(cell.Themes(), s.Look.Theme.Name, 1))
		if err == nil {
			s.Look.Theme = t
		}
	case askFilter:
		s.Prompt = newPrompt("/", s.Sel.Text(), (*Model).narrow, completeSelection)
	case askCommand:
		s.Prompt = newPrompt(":", "", (*Model).command, completeCommand)
	case askExport:
		s.Prompt = newPrompt("export to ", "sigview-"+views[s.View].name+".svg", (*Model).export, completeFile)
	case newRun:
		return m.openForm("")
	case pauseRun, stepRun, stopRun:
		m.steer(a)
	case nextRun, previousRun:
		s.otherRun(map[action]int{nextRun: 1, previousRun: -1}[a])
	case nextOver:
		s.nextOver()
	default:
		if d := s.data(); d != nil && !s.Help && !s.Words {
			s.look(d, a)
		} else if a == goDown || a == goUp {
			s.Top = max(s.Top+map[action]int{goDown: 1, goUp: -1}[a], 0)
		}
	}
	return nil
}

// leave goes back: from help, words, a histogram reached from a signature, or
// a narrower selection.
func (m *Model) leave() {
	s := m.state
	switch {
	case s.Help || s.Words:
		s.Help, s.Words, s.Top = false, false, 0
	case s.View != 0:
		s.show(0)
	default:
		s.all()
	}
}

func pow10(v float64) float64 { return math.Pow(10, v) }

func (s *State) all() {
	stage, tag := s.Sel.Stage, s.Sel.Tag
	s.Sel = NewSelection()
	s.Sel.Stage, s.Sel.Tag = stage, tag
	s.settle()
}

func (s *State) otherRun(by int) {
	if len(s.Runs) > 1 {
		s.Active = (s.Active + by + len(s.Runs)) % len(s.Runs)
		if s.Over == s.Active {
			s.Over = (s.Active - by + len(s.Runs)) % len(s.Runs)
		}
		s.settle()
	}
}

// nextOver lays the next other run over this one, and none after the last.
func (s *State) nextOver() {
	if len(s.Runs) < 2 {
		s.Note = "There is no other run to lay over: open one with :open DIR."
		return
	}
	for s.Over++; s.Over == s.Active; s.Over++ {
	}
	if s.Over >= len(s.Runs) {
		s.Over = -1
	}
}

// look does what concerns the packets that are looked at.
func (s *State) look(d *Data, a action) {
	v := views[s.View]
	moves := map[action][2]int{goLeft: {-1, 0}, goRight: {1, 0}, goUp: {0, -1}, goDown: {0, 1}}
	if by, ok := moves[a]; ok {
		if v.move != nil {
			v.move(s, d, by[0], by[1])
		}
		return
	}
	switch a {
	case nextStage:
		s.Sel.Stage = cycle(trace.Stages(), s.Sel.Stage, 1)
	case nextTag:
		s.Sel.Tag = cycle(d.tags, s.Sel.Tag, 1)
	case nextKind:
		g := cycle(d.kinds(s.Sel.Tag), trace.Group{Tag: s.Sel.Tag, Kind: s.Sel.Kind, First: s.Sel.First}, 1)
		s.Sel.Kind, s.Sel.First = g.Kind, g.First
	case nextSender:
		s.Sel.Sender = nextNode(s.Sel.Sender, d.nodes)
	case nextReceiver:
		s.Sel.Receiver = nextNode(s.Sel.Receiver, d.nodes)
	case nextClass:
		s.Sel.Class = cycle(append(trace.Classes(), trace.AllSizes), s.Sel.Class, 1)
	case nextMetric:
		if n := len(v.metrics); n > 0 {
			s.Sel.Metric = (s.Sel.Metric + 1) % n
			s.Note = "showing " + v.metrics[s.Sel.Metric]
		}
	case toggleBaseline:
		s.Sel.NoBaseline = !s.Sel.NoBaseline
		if v.bare != "" {
			s.Note = "A baseline holds mean latencies and no " + v.bare + ": it cannot be laid over here. v lays another run over."
		}
	case toggleIntervals:
		s.Sel.Intervals = !s.Sel.Intervals
	case zoomIn, zoomOut:
		s.zoom(d, map[action]int{zoomIn: 1, zoomOut: -1}[a])
	case lookAtAll:
		s.all()
	case enter:
		s.enter()
	}
	s.settle()
}

// zoom goes closer, on the time axis of the timeline and else on that of
// sizes.
func (s *State) zoom(d *Data, in int) {
	if views[s.View].name != "timeline" {
		s.Sel.zoom(in)
	} else if d.Packets != nil {
		s.Sel.zoomTime(d.Packets, in)
	}
}

func nextNode(n, nodes int) int {
	if n+1 >= nodes {
		return everyone
	}
	return n + 1
}

// zoom halves or doubles the part of the size axis that is shown, on the
// logarithmic axis and around the cursor.
func (s *Selection) zoom(in int) {
	if in < 0 && s.FromBytes <= minBytes && s.ToBytes >= maxBytes {
		return
	}
	if in > 0 && s.ToBytes <= s.FromBytes*5/4 {
		return
	}
	at := axis{float64(s.FromBytes), float64(s.ToBytes), true, 1 << 20}
	centre := float64(at.clamp(float64(s.SizeBytes))) / (1 << 20)
	span, lo := at.of(at.hi)-at.of(at.lo), at.of(at.lo)
	wider := span / 2
	if in < 0 {
		wider = float64(span * 2)
	}
	from := lo + float64(centre*(span-wider))
	s.FromBytes = max(int64(pow10(from)+0.5), minBytes)
	s.ToBytes = min(max(int64(pow10(from+wider)+0.5), s.FromBytes+1), maxBytes)
}

// enter opens what the cursor is at.
func (s *State) enter() {
	v, err := ViewOf(views[s.View].enters)
	if err == nil {
		s.show(v)
	}
}

// narrow changes the selection by words.
func (m *Model) narrow(text string) tea.Cmd {
	s := m.state
	base := NewSelection()
	base.NoBaseline, base.Intervals = false, false
	sel, err := base.Narrow(text)
	if err != nil {
		s.Note = err.Error()
		return nil
	}
	s.Sel = sel
	d := s.data()
	if d == nil {
		return nil
	}
	if !slices.Contains(d.tags, sel.Tag) {
		s.Note = fmt.Sprintf("tag %d has no packets; tags of this run: %v", sel.Tag, d.tags)
	} else if sel.Sender >= d.nodes || sel.Receiver >= d.nodes {
		s.Note = fmt.Sprintf("the run has nodes 0 to %d", d.nodes-1)
	} else if !slices.Contains(d.kinds(sel.Tag), trace.Group{Tag: sel.Tag, Kind: sel.Kind, First: sel.First}) {
		s.Note = fmt.Sprintf("no packets of kind %s in this run", sel.kindName())
	}
	s.settle()
	return nil
}

// mouse does what the place stands for. The picture is drawn again to find
// out what was there, so that nothing has to be remembered.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	s := m.state
	if msg.Action != tea.MouseActionPress || s.Prompt != nil || s.Form != nil {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		if s.Help || s.Words {
			return m.do(goUp)
		}
		return m.do(zoomIn)
	case tea.MouseButtonWheelDown:
		if s.Help || s.Words {
			return m.do(goDown)
		}
		return m.do(zoomOut)
	case tea.MouseButtonLeft:
	default:
		return nil
	}
	do, dx, dy, ok := Draw(s, m.width, m.height).Hit(msg.X, msg.Y)
	if !ok {
		return nil
	}
	s.Note = ""
	switch do := do.(type) {
	case showView:
		s.show(int(do))
	case action:
		return m.do(do)
	case trace.Stage:
		s.Sel.Stage = do
	case place:
		if v := views[s.View]; v.point != nil && (s.data() != nil || v.act != nil) {
			do.dx, do.dy = dx, dy
			v.point(s, s.data(), do)
			s.settle()
		}
	}
	return nil
}
