package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sigview/sigview/report/chart/cell"
)

// Update changes the state by a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handled(msg)
	if a, b := m.state.Second(), m.state.Data(); m.state.Uncompared() && !m.comparing {
		m.comparing = true
		cmd = tea.Batch(cmd, func() tea.Msg {
			made := data.NewCompared(a, b)
			return result(func(m *Model) tea.Cmd {
				m.comparing, m.state.Compared = false, made
				return nil
			})
		})
	}
	return m, tea.Batch(cmd, m.readPart(), m.readWaits(), m.readOperation())
}

// handled handles a message, and notes for undo what a key or the mouse has changed.
func (m *Model) handled(msg tea.Msg) tea.Cmd {
	key, isKey := msg.(tea.KeyMsg)
	if _, isMouse := msg.(tea.MouseMsg); !isKey && !isMouse {
		return m.handle(msg)
	}
	before := m.state.moment()
	cmd := m.handle(msg)
	dx, dy := m.state.keys.action(key).Steps()
	m.history.keep(before, m.state, dx != 0 || dy != 0)
	return cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyMsg:
		return m.Key(msg)
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

func (m *Model) Key(msg tea.KeyMsg) tea.Cmd {
	s := m.state
	if tooSmall(m.width, m.height) && m.state.keys.action(msg) != action.Quit {
		return nil // nothing is seen that a key could be for
	}
	s.Note = ""
	switch {
	case tooSmall(m.width, m.height) && s.Asking:
		return m.answer(msg)
	case tooSmall(m.width, m.height):
		return m.quit()
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
		return tea.Sequence(lists.Map(msg.Runes, func(r rune) tea.Cmd {
			return m.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt})
		})...)
	}
	if r := msg.String(); len(r) == 1 && r[0] >= '0' && r[0] <= '9' && int(r[0]-'0') < len(views.Kinds) {
		s.show(int(r[0] - '0'))
		return nil
	}
	return m.do(m.state.keys.action(msg))
}

// do does an action. The view comes first, and then what the action means in all
// views.
func (m *Model) do(a action.Action) tea.Cmd {
	s := m.state
	text, reading := s.reading(m.width)
	if reading && m.read(text, a) {
		return nil
	}
	if !reading && s.Subject() != views.Nothing && s.view().Act(&s.Scene, a) {
		s.Settle()
		m.follow()
		return nil
	}
	switch a {
	case action.Quit:
		return m.quit()
	case action.ShowHelp:
		s.open(!s.Help && !s.Glossary, s.Help, s.Findings)
	case action.ShowFindings:
		s.open(false, false, !s.Findings)
	case action.Leave:
		s.leave()
	case action.NextView:
		s.show((s.View + 1) % len(views.Kinds))
	case action.PreviousView:
		s.show((s.View + len(views.Kinds) - 1) % len(views.Kinds))
	case action.NextSlowest:
		return m.toNext(1, false)
	case action.PreviousSlowest:
		return m.toNext(-1, false)
	case action.NextWaiting:
		return m.toNext(1, true)
	case action.PreviousWaiting:
		return m.toNext(-1, true)
	case action.NextTheme:
		m.theme(lists.Cycle(cell.Themes(), s.Look.Theme.Name, 1))
	case action.AskFilter:
		s.Prompt = newPrompt("/", strings.TrimLeft(s.Text()+" ", " "), m.Narrow, m.completeSelection)
	case action.AskCommand:
		return m.openPalette()
	case action.CopyLine:
		return m.copyLine()
	case action.CopyRow:
		return m.copyRow()
	case action.Undo:
		m.history.undo(s)
	case action.Redo:
		m.history.redo(s)
	case action.AskExport:
		s.Prompt = newPrompt("export to ", "sigview-"+views.Kinds[s.View].Name+".svg", m.export, completeFile)
	case action.TestCause:
		return m.test()
	case action.NewRun:
		return m.openForm("")
	case action.ListRuns:
		return m.showShelf()
	case action.RunAgain:
		return m.again()
	case action.PauseRun, action.StepRun, action.StopRun:
		m.steer(a)
	case action.NextRun:
		s.OtherRun(1)
	case action.PreviousRun:
		s.OtherRun(-1)
	case action.NextOver:
		s.NextOver()
	default:
		if d := s.Data(); d != nil && !reading {
			m.everywhere(a)
		}
	}
	return nil
}

// everywhere does an action that means the same in all views of a run.
func (m *Model) everywhere(a action.Action) {
	s := m.state
	s.Scene.Act(s.Data(), a)
	if a == action.LookAtAll {
		s.views[s.View] = views.Kinds[s.View].Fresh()
	}
}

// follow goes to the place that the view has led to.
func (m *Model) follow() {
	s := m.state
	if p := s.Leads; p != nil {
		s.Leads = nil
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
		s.open(false, false, false)
	case len(s.trail) > 0:
		s.back(len(s.trail) - 1)
	case s.View != 0:
		s.show(0)
	default:
		s.SelectAll()
	}
}

// Narrow sets the selection by words. It warns about those that the run lacks.
func (m *Model) Narrow(text string) tea.Cmd {
	s := m.state
	if err := s.selectAfresh(text); err != nil {
		s.Note = err.Error()
		return nil
	}
	d, sel := s.Data(), &s.Sel
	if d == nil {
		return nil
	}
	if !slices.Contains(d.Tags, sel.Tag) {
		s.Note = fmt.Sprintf("tag %d has no packets; tags of this run: %v", sel.Tag, d.Tags)
	} else if sel.Sender >= d.Nodes || sel.Receiver >= d.Nodes {
		s.Note = fmt.Sprintf("the run has nodes 0 to %d", d.Nodes-1)
	} else if !slices.Contains(d.Kinds(sel.Tag), sel.Group()) {
		s.Note = fmt.Sprintf("no packets of kind %s in this run", sel.KindName())
	}
	s.Settle()
	return nil
}

// mouse does what the zone at a place says; a click on what the cursor is at opens it. The picture is drawn again to find the
// zone, so that no zones are kept.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	s := m.state
	if tooSmall(m.width, m.height) || msg.Action != tea.MouseActionPress || s.Prompt != nil || s.Form != nil || s.Shelf != nil || s.Asking {
		return nil
	}
	wheel := map[tea.MouseButton]action.Action{tea.MouseButtonWheelUp: action.ZoomIn, tea.MouseButtonWheelDown: action.ZoomOut}
	if by, ok := wheel[msg.Button]; ok {
		if text, reading := s.reading(m.width); reading {
			s.Page, _ = m.page(text).Update(msg)
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
	case action.Action:
		return m.do(do)
	case action.Pointed:
		before := s.place()
		if do(dx, dy); s.place() == before {
			return m.do(action.Enter)
		}
		s.Settle()
	}
	return nil
}
