package tui

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/sigview/sigview/report/chart/cell"
)

// Update changes the state by a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	if a, b := m.state.over(), m.state.data(); m.state.uncompared() && !m.comparing {
		m.comparing = true
		cmd = tea.Batch(cmd, func() tea.Msg {
			made := NewCompared(a, b)
			return result(func(m *Model) tea.Cmd {
				m.comparing, m.state.Compared = false, made
				return nil
			})
		})
	}
	return m, tea.Batch(cmd, m.readPart(), m.readWaits(), m.readOperation())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	case result:
		return msg(m)
	case completed:
		if m.state.Prompt != nil {
			m.state.Prompt.take(completion(msg))
		}
	case liveTick:
		return m.liveTick(msg)
	case testTick:
		return m.testTick(msg)
	}
	return nil
}

// View is the picture for the terminal.
func (m *Model) View() string {
	if m.ended {
		return ""
	}
	return Draw(m.state, m.width, m.height).ANSI(m.state.Look.Theme, m.state.Look.Depth)
}

func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	s := m.state
	s.Note = ""
	switch {
	case s.Prompt != nil:
		return m.promptKey(msg)
	case s.Form != nil:
		return m.formKey(msg)
	case s.Shelf != nil:
		return m.shelfKey(msg)
	case s.Asking:
		return m.answer(msg)
	}
	if len(msg.Runes) > 1 && !msg.Paste {
		// Several keys in one message were typed one by one.
		return tea.Sequence(made(msg.Runes, func(r rune) tea.Cmd {
			return m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})
		})...)
	}
	if r := msg.String(); len(r) == 1 && r[0] >= '0' && int(r[0]-'0') < len(kinds) {
		s.show(int(r[0] - '0'))
		return nil
	}
	return m.do(actionOf(msg))
}

// do does an action. The view comes first, and then what the action means in all
// views.
func (m *Model) do(a action) tea.Cmd {
	s := m.state
	text, reading := s.reading(m.width)
	if move := scrolling[a]; reading && move != nil {
		s.Page = text.page(s.Page, m.width, bodyHeight(m.height))
		move(&s.Page)
		return nil
	}
	if !reading && s.subject() != nothing && s.view().update(&s.Scene, a) {
		s.settle()
		m.follow()
		return nil
	}
	switch a {
	case quit:
		return m.quit()
	case showHelp:
		s.Help, s.Glossary, s.Page, s.Hint = !s.Help && !s.Glossary, s.Help, viewport.Model{}, false
	case showFindings:
		s.Findings, s.Page, s.Help, s.Glossary = !s.Findings, viewport.Model{}, false, false
	case leave:
		s.leave()
	case nextView:
		s.show((s.View + 1) % len(kinds))
	case previousView:
		s.show((s.View + len(kinds) - 1) % len(kinds))
	case nextSlowest:
		return m.toNext(1, false)
	case previousSlowest:
		return m.toNext(-1, false)
	case nextWaiting:
		return m.toNext(1, true)
	case previousWaiting:
		return m.toNext(-1, true)
	case nextTheme:
		m.theme(cycle(cell.Themes(), s.Look.Theme.Name, 1))
	case askFilter:
		s.Prompt = newPrompt("/", s.text(), m.narrow, m.completeSelection)
	case askCommand:
		return m.openPalette()
	case copyLine:
		return m.copyLine()
	case askExport:
		s.Prompt = newPrompt("export to ", "sigview-"+kinds[s.View].name+".svg", m.export, completeFile)
	case testCause:
		return m.test()
	case newRun:
		return m.openForm("")
	case listRuns:
		return m.showShelf()
	case runAgain:
		return m.again()
	case pauseRun, stepRun, stopRun:
		m.steer(a)
	case nextRun:
		s.otherRun(1)
	case previousRun:
		s.otherRun(-1)
	case nextOver:
		s.nextOver()
	default:
		if d := s.data(); d != nil && !reading {
			m.everywhere(a)
		}
	}
	return nil
}

// everywhere does an action that means the same in all views of a run.
func (m *Model) everywhere(a action) {
	s := m.state
	s.Scene.update(s.data(), a)
	if a == lookAtAll {
		s.views[s.View] = kinds[s.View].fresh()
	}
}

// follow goes to the place that the view has led to.
func (m *Model) follow() {
	s := m.state
	if p := s.leads; p != nil {
		s.leads = nil
		m.note(s.goTo(*p))
	}
}

// quit ends the program. It asks first if a run is in progress.
func (m *Model) quit() tea.Cmd {
	if m.runner != nil {
		m.state.Asking = true
		return nil
	}
	m.ended = true
	return tea.Quit
}

// leave closes a text, or else goes back to the last place, or else to the first view,
// or else selects all.
func (s *State) leave() {
	switch {
	case s.Help || s.Glossary || s.Findings:
		s.Help, s.Glossary, s.Findings, s.Page = false, false, false, viewport.Model{}
	case len(s.trail) > 0:
		s.back(len(s.trail) - 1)
	case s.View != 0:
		s.show(0)
	default:
		s.selectAll()
	}
}

// narrow sets the selection by words. It warns about those that the run lacks.
func (m *Model) narrow(text string) tea.Cmd {
	s := m.state
	if err := s.selectAfresh(text); err != nil {
		s.Note = err.Error()
		return nil
	}
	d, sel := s.data(), &s.Sel
	if d == nil {
		return nil
	}
	if !slices.Contains(d.tags, sel.Tag) {
		s.Note = fmt.Sprintf("tag %d has no packets; tags of this run: %v", sel.Tag, d.tags)
	} else if sel.Sender >= d.nodes || sel.Receiver >= d.nodes {
		s.Note = fmt.Sprintf("the run has nodes 0 to %d", d.nodes-1)
	} else if !slices.Contains(d.kinds(sel.Tag), sel.group()) {
		s.Note = fmt.Sprintf("no packets of kind %s in this run", sel.kindName())
	}
	s.settle()
	return nil
}

// mouse does what the zone at a place says. The picture is drawn again to find the
// zone, so that no zones are kept.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	s := m.state
	if msg.Action != tea.MouseActionPress || s.Prompt != nil || s.Form != nil || s.Shelf != nil || s.Asking {
		return nil
	}
	wheel := map[tea.MouseButton]action{tea.MouseButtonWheelUp: zoomIn, tea.MouseButtonWheelDown: zoomOut}
	if by, ok := wheel[msg.Button]; ok {
		if text, reading := s.reading(m.width); reading {
			s.Page, _ = text.page(s.Page, m.width, bodyHeight(m.height)).Update(msg)
			return nil
		}
		return m.do(by)
	}
	if msg.Button != tea.MouseButtonLeft {
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
	case pointed:
		do(dx, dy)
		s.settle()
	}
	return nil
}
