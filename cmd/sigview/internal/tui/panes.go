package tui

import (
	"cmp"

	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/views"
	"github.com/sigview/sigview/report/chart/cell"
)

// leader is a view from which enter leads on.
type leader interface {
	// Ahead returns where to; a place without a view if nowhere.
	Ahead(s *scene.Scene) data.Place
}

// drawPanes draws the view, and beside it where enter leads to if there is room.
func drawPanes(c *cell.Canvas, s *State) {
	next, ok := s.leadsTo()
	if c.W < scene.TwoPanes || !ok {
		s.view().Draw(c, &s.Scene)
		return
	}
	left := c.W / 2
	s.view().Draw(c.Sub(0, 0, left-1, c.H), &s.Scene)
	for y := range c.H {
		c.Set(left-1, y, '│', cell.Axis, 0)
	}
	right := c.Sub(left+1, 0, c.W-left-1, c.H)
	x := right.Text(0, 0, "enter › ", cell.Faint, 0)
	x = right.Text(x, 0, cmp.Or(next.crumb(), views.Kinds[next.View].Name)+"  ", cell.Accent, 0)
	next.DrawClaims(right, x, 0, next.view().Obeys(&next.Scene))
	next.view().Draw(right.Sub(0, 1, right.W, right.H-1), &next.Scene)
	right.Zone(0, 0, right.W, right.H, action.Enter)
}

// leadsTo returns the state that enter leads to.
func (s *State) leadsTo() (*State, bool) {
	v, ok := s.view().(leader)
	if !ok {
		return nil, false
	}
	next := s.clone()
	next.Aside = true
	p := v.Ahead(&s.Scene)
	return next, p.View != "" && next.goTo(p) == nil
}
