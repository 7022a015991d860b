package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/chart/cell"
)

// State is everything that a picture depends on. Draw reads it and changes
// nothing.
type State struct {
	scene.Scene
	View  int          // index of kinds
	views []views.View // the state of each
	Asked bool         // for this view, on the command line
	trail []crumb      // from where enter led here, the first one first

	// OtherBase is the directory of a baseline that replaces those of the runs.
	OtherBase string
	Look      Look
	keys      keyMap
	Paper     cell.Paper // of an exported picture
	Findings  bool       // the text takes the whole body
	Help      bool
	Glossary  bool
	Page      viewport.Model // of the text
	Sought    string         // words that are looked for in it
	Match     int            // the line of it that has been found

	Problems []string // directories that could not be read, newest last
	Loading  []string
	Hint     bool // the line for first use
	Prompt   *prompt
	Form     *form
	Shelf    *shelf // the list of runs takes the whole body
	Asking   bool   // what to do with the run in progress before the end
	Live     *live  // nil before the first run from here
	Testing  string // the progress of a test of the cause, empty without one
}

// Look is how a picture looks.
type Look struct {
	Theme  cell.Theme
	Glyphs cell.Glyphs
	Depth  cell.Depth
}

// NewState returns a state without runs.
func NewState(look Look) *State {
	return &State{Scene: scene.Scene{Over: -1, Sel: data.NewSelection()}, views: views.FreshViews(), Look: look, keys: usualKeys, Hint: true}
}

// Still returns a copy without messages, prompts and anything in progress.
func Still(s *State) *State {
	p := s.clone()
	p.Glossary, p.Sought = false, ""
	p.Note, p.Prompt, p.Help, p.Form, p.Shelf, p.Asking, p.Hint, p.Loading, p.Live, p.Problems, p.trail, p.Testing = "", nil, false, nil, nil, false, false, nil, nil, nil, nil, ""
	return p
}

// clone returns a copy that later changes of the state do not affect.
func (s *State) clone() *State {
	p := *s
	p.Runs, p.Measured = slices.Clone(s.Runs), slices.Clone(s.Measured)
	p.views = make([]views.View, len(s.views))
	for i, v := range s.views {
		p.views[i] = views.Kinds[i].Clone(v)
	}
	return &p
}

// view returns the current view.
func (s *State) view() views.View { return s.views[s.View] }

// Unread is Scene.unread for the current view.
func (s *State) Unread() (d *data.Data, want data.Request, ok bool) {
	if v, ok := s.view().(*views.TimelineView); ok && s.Data() != nil {
		return s.Scene.Unread(v.Lane.At(s.Nodes()))
	}
	return s.Scene.Unread(data.Everyone)
}

func (s *State) Subject() views.Subject { return s.view().Subject(&s.Scene) }

// show goes to a view. The first one begins a new trail.
func (s *State) show(view int) {
	if view == 0 {
		s.trail = nil
	}
	if v, ok := s.view().(*views.TimelineView); ok && view != s.View {
		v.Unpick(&s.Sel)
	}
	s.View = view
	s.open(false, false, false)
}

// open opens the keys, the glossary or the findings, or none of these texts.
func (s *State) open(help, glossary, findings bool) {
	s.Help, s.Glossary, s.Findings = help, glossary, findings
	s.Page, s.Match, s.Hint = viewport.Model{}, -1, false
	if !help && !glossary && !findings {
		s.Sought = ""
	}
}

// crumb is a step of a trail. It has a name unless that is the view's. A place that is Over is so seen from the next one.
type crumb struct {
	data.Place
	name string
}

// crumb returns what the view shows by itself, empty if that is what it is called after.
func (s *State) crumb() string {
	if v, ok := s.view().(interface{ Crumb() string }); ok {
		return v.Crumb()
	}
	return ""
}

// place is what is shown.
func (s *State) place() data.Place { return data.Place{View: views.Kinds[s.View].Name, Sel: s.Text()} }

// goTo goes to a place, from where leave comes back. How values are shown stays.
func (s *State) goTo(p data.Place) error {
	here, name := s.place(), s.crumb()
	p.Sel = scene.Manner(&s.Sel) + " " + p.Sel
	if err := s.moveTo(p); err != nil {
		return err
	}
	here.Over = p.Over
	s.trail = append(slices.Clip(s.trail), crumb{here, name})
	return nil
}

// back goes back to a place of the trail.
func (s *State) back(to int) {
	if err := s.moveTo(s.trail[to].Place); err != nil {
		s.Note = err.Error()
	}
	s.trail = s.trail[:to]
}

func (s *State) moveTo(p data.Place) error {
	at, err := views.ViewOf(p.View)
	if err != nil {
		return err
	}
	next := s.clone()
	if p.Over && next.Second() != nil {
		next.Active, next.Over = next.Over, next.Active
	}
	next.show(at)
	next.trail = s.trail
	if err := next.selectAfresh(p.Sel); err != nil {
		return err
	}
	*s = *next
	s.Settle()
	return nil
}

// showMeasured goes to the view of measurements: to the newest one if wanted, or if
// no run is open and no view was asked for.
func (s *State) showMeasured(wanted bool) {
	at := slices.IndexFunc(s.views, func(v views.View) bool { _, ok := v.(*views.LogpView); return ok })
	switch n := len(s.Measured); {
	case n == 0:
	case wanted:
		s.show(at)
		s.views[at].(*views.LogpView).LookAt(len(s.Series()) - len(s.Measured[n-1].Series))
	case s.Data() == nil && !s.Asked:
		s.View = at
	}
}

// showRun leaves a view of measurements for one of runs.
func (s *State) showRun() {
	if s.Subject() == views.AMeasurement {
		s.show(0)
	}
}

// Text writes the settings of the selection and of the current view that differ from
// fresh ones. selectBy reads it.
func (s *State) Text() string {
	own := scene.Written(s.view().Words(), views.Kinds[s.View].Fresh().Words())
	return strings.TrimSpace(scene.Text(&s.Sel) + " " + strings.Join(own, " "))
}

// selectAfresh is selectBy, beginning with a fresh selection and a fresh view.
func (s *State) selectAfresh(text string) error {
	next := s.clone()
	next.Sel = data.NewSelection()
	next.views[s.View] = views.Kinds[s.View].Fresh()
	if err := next.selectBy(text); err != nil {
		return err
	}
	*s = *next
	return nil
}

// selectBy sets the selection and the current view by a text such as "kind=diff sender=3".
// A word that only other views know sets those. Words without "=" filter lists.
// On an error the words before it have been applied.
func (s *State) selectBy(text string) error {
	s.Sel.Filter = ""
	for _, part := range strings.Fields(text) {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			s.Sel.Filter = strings.TrimSpace(s.Sel.Filter + " " + part)
			continue
		}
		list := named(append(scene.Words(&s.Sel), s.view().Words()...), name)
		if len(list) == 0 {
			for _, v := range s.views {
				list = append(list, named(v.Words(), name)...)
			}
		}
		if len(list) == 0 {
			return names.Check("word", name, lists.Map(views.AllWords(), func(w scene.Word) string { return w.Name }))
		}
		for _, w := range list {
			if err := w.Set(value); err != nil {
				return fmt.Errorf("%s: %w; want %s", name, err, w.Want)
			}
		}
	}
	return nil
}

// named returns the words of a name.
func named(list []scene.Word, name string) []scene.Word {
	return lists.Filter(list, func(w scene.Word) bool { return w.Name == name })
}

// read removes a directory from those that are being read.
func (s *State) read(dir string) {
	if i := slices.Index(s.Loading, dir); i >= 0 {
		s.Loading = slices.Delete(slices.Clone(s.Loading), i, i+1)
	}
}
