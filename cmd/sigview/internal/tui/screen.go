package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
)

// Smallest terminal that a picture fits into.
const (
	MinWidth  = 60
	MinHeight = 18
)

// tooSmall reports whether a terminal shows only that it is too small.
func tooSmall(width, height int) bool { return width < MinWidth || height < MinHeight }

// Draw draws the state.
func Draw(s *State, width, height int) *cell.Canvas {
	c := cell.New(width, height, s.Look.Glyphs)
	if tooSmall(width, height) {
		c.Para(0, 0, fmt.Sprintf("The terminal is %d×%d; sigview needs %d×%d. Make it larger, or press q.", width, height, MinWidth, MinHeight), cell.Warn)
		return c
	}
	drawSubject(c.Sub(0, 0, width, 3), s, 2)
	drawTabs(c, 1, s.View)
	drawFooter(c.Sub(0, height-2, width, 2), s)
	drawBody(c.Sub(0, 3, width, views.BodyHeight(height)), s)
	return c
}

// figure draws what is seen without what is there to press: tabs and keys.
func figure(s *State, width, height int) *cell.Canvas {
	if tooSmall(width, height) {
		return Draw(s, width, height)
	}
	c := cell.New(width, height, s.Look.Glyphs)
	c.Figure, c.Paper = true, s.Paper
	drawSubject(c.Sub(0, 0, width, 2), s, 1)
	drawBody(c.Sub(0, 2, width, height-2), s)
	return c
}

func drawBody(body *cell.Canvas, s *State) {
	text, reading := s.reading(body.W)
	switch {
	case s.Prompt != nil && s.Prompt.offers != nil:
		s.Prompt.drawOffers(body)
	case s.Form != nil:
		s.Form.Draw(body)
	case s.Shelf != nil:
		s.Shelf.Draw(body)
	case reading:
		text.Draw(body, s.Page)
	case s.Subject() == views.Nothing:
		drawEmpty(body, s)
	default:
		drawPanes(body, s)
	}
}

// showView is the click on a tab: it goes to that view.
type showView int

// drawSubject writes what is shown, and in a further line the way to it and the selection.
func drawSubject(c *cell.Canvas, s *State, further int) {
	x := c.Text(0, 0, "sigview  ", cell.Accent, cell.Bold)
	if s.Subject() != views.Nothing {
		s.view().Header(c, x, &s.Scene)
		x = drawTrail(c, s, further)
		if about := s.view().About(&s.Scene); about != "" {
			c.Text(x, further, about, cell.Plain, 0)
		} else {
			s.DrawClaims(c, x, further, s.view().Obeys(&s.Scene))
		}
	}
}

// drawTabs writes the views with their number keys: the names, else short names, else of
// the others the numbers only.
func drawTabs(c *cell.Canvas, y, view int) {
	names := [3]func(k views.Kind) string{func(k views.Kind) string { return k.Name }, func(k views.Kind) string { return k.Short }, func(views.Kind) string { return "" }}
	var tabs []string
	for _, name := range names {
		tabs = tabs[:0]
		for i, k := range views.Kinds {
			text := fmt.Sprintf(" %d %s ", i, name(k))
			if name(k) == "" {
				if text = fmt.Sprintf(" %d ", i); i == view {
					text = fmt.Sprintf(" %d %s ", i, k.Name)
				}
			}
			tabs = append(tabs, text)
		}
		if cell.Width(strings.Join(tabs, "")) <= c.W {
			break
		}
	}
	x := 0
	for i, text := range tabs {
		attr, ink := cell.Attr(0), cell.Faint
		if i == view {
			attr, ink = cell.Reverse, cell.Accent
		}
		c.Zone(x, y, cell.Width(text), 1, showView(i))
		x = c.Text(x, y, text, ink, attr)
	}
}

// drawTrail writes the views that enter led through, up to this one, and returns the
// column after them. A click on one goes back to it.
func drawTrail(c *cell.Canvas, s *State, y int) int {
	x := 0
	for i, p := range s.trail {
		from := x
		name := cmp.Or(p.name, p.View)
		if at, err := views.ViewOf(name); err == nil && len(s.trail) > 2 {
			name = views.Kinds[at].Short // leaves room for the selection
		}
		x = c.Text(x, y, name, cell.Accent, 0)
		c.Zone(from, y, x-from, 1, action.Pointed(func(_, _ int) { s.back(i) }))
		x = c.Text(x, y, " › ", cell.Faint, 0)
	}
	if x > 0 {
		x = c.Text(x, y, cmp.Or(s.crumb(), views.Kinds[s.View].Name), cell.Accent, cell.Bold) + 2
	}
	return x
}

func drawFooter(c *cell.Canvas, s *State) {
	switch {
	case s.Prompt != nil:
		s.Prompt.Draw(c)
		return
	case s.Asking:
		c.Text(0, 0, "A run is in progress.", cell.Warn, cell.Bold)
		c.Text(0, 1, askKeys, cell.Accent, 0)
		return
	case s.Note != "":
		c.Text(0, 0, s.Note, cell.Warn, 0)
	case s.Live != nil && !s.Live.ended:
		c.Text(0, 0, s.Live.line(), cell.Accent, 0)
	case s.Testing != "":
		c.Text(0, 0, s.Testing, cell.Accent, 0)
	case len(s.Loading) > 0:
		c.Text(0, 0, "reading "+s.Loading[0]+" …", cell.Accent, 0)
	case len(s.Problems) > 0:
		c.Text(0, 0, s.Problems[len(s.Problems)-1], cell.Warn, 0)
	case s.Hint && s.Form == nil && s.Shelf == nil:
		c.Text(0, 0, "Numbers choose a view, arrows move the cursor, ? lists all keys, q quits.", cell.Accent, 0)
	}
	if s.Form != nil {
		c.Text(0, 1, formKeys, cell.Faint, 0)
		return
	}
	if s.Shelf != nil {
		c.Text(0, 1, shelfKeys, cell.Faint, 0)
		return
	}
	drawKeys(c, 1, s)
}

// drawEmpty is shown when no run is open.
func drawEmpty(c *cell.Canvas, s *State) {
	y := 1
	for _, p := range s.Problems {
		y = c.Para(2, y, p, cell.Warn)
	}
	if len(s.Loading) > 0 {
		c.Text(2, y+1, "reading "+s.Loading[0]+" …", cell.Plain, 0)
		return
	}
	y = c.Para(2, y+1, "No run is open.", cell.Strong)
	c.Text(2, y+1, "r          run a program from here", cell.Plain, 0)
	c.Text(2, y+2, "o          open one of the list of runs", cell.Plain, 0)
	c.Text(2, y+3, ":open DIR  open the directory of a run, or of a measurement of layers", cell.Plain, 0)
	if len(s.Measured) > 0 {
		c.Text(2, y+4, "7          look at the measurement that is open", cell.Plain, 0)
	}
	c.Para(2, y+5, "On the command line: sigview run fft leaves a directory, sigview view DIR shows it.", cell.Faint)
}
