package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/viewport"

	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/report/chart/cell"
)

// State is everything that a picture depends on. Draw reads it and changes
// nothing.
type State struct {
	Scene
	View  int     // index of kinds
	views []view  // the state of each
	Asked bool    // for this view, on the command line
	trail []crumb // from where enter led here, the first one first

	// OtherBase is the directory of a baseline that replaces those of the runs.
	OtherBase string
	Look      Look
	Findings  bool // the text takes the whole body
	Help      bool
	Glossary  bool
	Page      viewport.Model // of the text

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
	return &State{Scene: Scene{Over: -1, Sel: NewSelection()}, views: freshViews(), Look: look, Hint: true}
}

// Still returns a copy without messages, prompts and anything in progress.
func Still(s *State) *State {
	p := s.clone()
	p.Glossary = false
	p.Note, p.Prompt, p.Help, p.Form, p.Shelf, p.Asking, p.Hint, p.Loading, p.Live, p.Problems, p.trail, p.Testing = "", nil, false, nil, nil, false, false, nil, nil, nil, nil, ""
	return p
}

// clone returns a copy that later changes of the state do not affect.
func (s *State) clone() *State {
	p := *s
	p.Runs, p.Measured = slices.Clone(s.Runs), slices.Clone(s.Measured)
	p.views = make([]view, len(s.views))
	for i, v := range s.views {
		p.views[i] = kinds[i].clone(v)
	}
	return &p
}

// view returns the current view.
func (s *State) view() view { return s.views[s.View] }

// unread is Scene.unread for the current view.
func (s *State) unread() (d *Data, want request, ok bool) {
	if v, ok := s.view().(*timelineView); ok && s.data() != nil {
		return s.Scene.unread(v.lane.at(s.nodes()))
	}
	return s.Scene.unread(everyone)
}

func (s *State) subject() subject { return s.view().subject(&s.Scene) }

// show goes to a view. The first one begins a new trail.
func (s *State) show(view int) {
	if view == 0 {
		s.trail = nil
	}
	s.View, s.Help, s.Glossary, s.Findings, s.Page, s.Hint = view, false, false, false, viewport.Model{}, false
}

// crumb is a step of a trail. It has a name unless that is the view's.
type crumb struct {
	Place
	name string
}

// crumb returns what the view shows by itself, empty if that is what it is called after.
func (s *State) crumb() string {
	if v, ok := s.view().(interface{ crumb() string }); ok {
		return v.crumb()
	}
	return ""
}

// goTo goes to a place, from where leave comes back. How values are shown stays.
func (s *State) goTo(p Place) error {
	here, name := Place{kinds[s.View].name, s.text()}, s.crumb()
	p.Sel = s.Sel.manner() + " " + p.Sel
	if err := s.moveTo(p); err != nil {
		return err
	}
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

func (s *State) moveTo(p Place) error {
	at, err := ViewOf(p.View)
	if err != nil {
		return err
	}
	next := s.clone()
	next.show(at)
	next.trail = s.trail
	if err := next.selectAfresh(p.Sel); err != nil {
		return err
	}
	*s = *next
	s.settle()
	return nil
}

// showMeasured goes to the view of measurements: to the newest one if wanted, or if
// no run is open and no view was asked for.
func (s *State) showMeasured(wanted bool) {
	at := slices.IndexFunc(s.views, func(v view) bool { _, ok := v.(*logpView); return ok })
	switch n := len(s.Measured); {
	case n == 0:
	case wanted:
		s.show(at)
		s.views[at].(*logpView).lookAt(len(s.series()) - len(s.Measured[n-1].Series))
	case s.data() == nil && !s.Asked:
		s.View = at
	}
}

// showRun leaves a view of measurements for one of runs.
func (s *State) showRun() {
	if s.subject() == aMeasurement {
		s.show(0)
	}
}

// text writes the settings of the selection and of the current view that differ from
// fresh ones. selectBy reads it.
func (s *State) text() string {
	own := written(s.view().words(), kinds[s.View].fresh().words())
	return strings.TrimSpace(s.Sel.text() + " " + strings.Join(own, " "))
}

// selectAfresh is selectBy, beginning with a fresh selection and a fresh view.
func (s *State) selectAfresh(text string) error {
	next := s.clone()
	next.Sel = NewSelection()
	next.views[s.View] = kinds[s.View].fresh()
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
		list := named(append(s.Sel.words(), s.view().words()...), name)
		if len(list) == 0 {
			for _, v := range s.views {
				list = append(list, named(v.words(), name)...)
			}
		}
		if len(list) == 0 {
			return names.Check("word", name, made(allWords(), func(w word) string { return w.name }))
		}
		for _, w := range list {
			if err := w.set(value); err != nil {
				return fmt.Errorf("%s: %w; want %s", name, err, w.want)
			}
		}
	}
	return nil
}

// named returns the words of a name.
func named(list []word, name string) []word {
	return filter(list, func(w word) bool { return w.name == name })
}

// read removes a directory from those that are being read.
func (s *State) read(dir string) {
	if i := slices.Index(s.Loading, dir); i >= 0 {
		s.Loading = slices.Delete(slices.Clone(s.Loading), i, i+1)
	}
}
