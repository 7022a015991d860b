package tui

import (
	"cmp"

	"github.com/sigview/sigview/report/chart/cell"
)

// leader is a view from which enter leads on.
type leader interface {
	// ahead returns where to; a place without a view if nowhere.
	ahead(s *Scene) Place
}

// drawPanes draws the view, and beside it where enter leads to if there is room.
func drawPanes(c *cell.Canvas, s *State) {
	next, ok := s.leadsTo()
	if c.W < twoPanes || !ok {
		s.view().draw(c, &s.Scene)
		return
	}
	left := c.W / 2
	s.view().draw(c.Sub(0, 0, left-1, c.H), &s.Scene)
	for y := range c.H {
		c.Set(left-1, y, '│', cell.Axis, 0)
	}
	right := c.Sub(left+1, 0, c.W-left-1, c.H)
	x := right.Text(0, 0, "enter › ", cell.Faint, 0)
	x = right.Text(x, 0, cmp.Or(next.crumb(), kinds[next.View].name)+"  ", cell.Accent, 0)
	next.drawClaims(right, x, 0, next.view().obeys(&next.Scene))
	next.view().draw(right.Sub(0, 1, right.W, right.H-1), &next.Scene)
	right.Zone(0, 0, right.W, right.H, enter)
}

// leadsTo returns the state that enter leads to.
func (s *State) leadsTo() (*State, bool) {
	v, ok := s.view().(leader)
	if !ok {
		return nil, false
	}
	next := s.clone()
	next.aside = true
	p := v.ahead(&s.Scene)
	return next, p.View != "" && next.goTo(p) == nil
}
