package tui

import (
	"slices"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
)

// moment is what was shown at a time: the view, the selection and the trail that led there.
type moment struct {
	place data.Place // tells moments apart
	view  int
	sel   data.Selection
	views []views.View
	trail []crumb

	active, over int // runs
}

// history has the moments before the last changes, and those that were undone.
type history struct {
	past, future []moment
	stepped      bool // the last change was a step of the cursor
	travelled    bool // the last key went through the history
}

// mostMoments is how many changes can be undone.
const mostMoments = 200

func (s *State) moment() moment {
	c := s.clone()
	return moment{s.place(), s.View, s.Sel, c.views, s.trail, s.Active, s.Over}
}

// keep notes what was shown before a key if that has changed it. Steps of the cursor in a row are one change.
func (h *history) keep(before moment, s *State, step bool) {
	if h.travelled {
		h.travelled, h.stepped = false, false
		return
	}
	if before.place == s.place() {
		return
	}
	n := len(h.past)
	if known := n > 0 && h.past[n-1].place == before.place; !known && !(step && h.stepped) {
		h.past = append(h.past[max(len(h.past)-mostMoments+1, 0):], before)
	}
	h.future, h.stepped = nil, step
}

// undo shows what was shown before the last change.
func (h *history) undo(s *State) {
	h.travel(s, &h.past, &h.future, "There is nothing to undo.")
}

// redo shows what was undone last.
func (h *history) redo(s *State) {
	h.travel(s, &h.future, &h.past, "There is nothing to redo.")
}

// travel takes a moment from one list, shows it and notes in the other what was shown.
func (h *history) travel(s *State, from, to *[]moment, none string) {
	n := len(*from)
	if n == 0 {
		s.Note = none
		return
	}
	now, then := s.moment(), (*from)[n-1]
	*from, *to = slices.Clip((*from)[:n-1]), append(*to, now)
	h.travelled = true
	s.show(then.view)
	s.Sel, s.views, s.trail = then.sel, then.views, then.trail
	if max(then.active, then.over) < len(s.Runs) {
		s.Active, s.Over = then.active, then.over
	}
	s.Settle()
}
