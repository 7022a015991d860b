package tui

import (
	"fmt"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/chart/cell"
)

// logpView is the view of measurements.
const logpView = 6

// measuring is whether a measurement is looked at.
func (s *State) measuring() bool { return s.View == logpView && len(s.Measured) > 0 }

// showMeasured goes to the view of measurements when that is wanted, or when
// there is nothing else and no view was asked for.
func (s *State) showMeasured(wanted bool) {
	switch {
	case len(s.Measured) == 0:
	case wanted:
		s.show(logpView)
		s.Sel.Series, s.Sel.Curve = len(s.series())-len(s.Measured[len(s.Measured)-1].Series), 0
	case s.data() == nil && !s.Asked:
		s.View = logpView
	}
}

// drawMeasuredHeader says what is looked at.
func drawMeasuredHeader(c *cell.Canvas, x int, s *State) {
	of, at := s.seriesAt()
	end := c.Text(x, 0, of.name(), cell.Strong, 0)
	if dir := "  " + of.Dir; end+cell.Width(dir) < c.W {
		c.Right(c.W, 0, dir, cell.Faint, 0)
	}
	text := fmt.Sprintf("%c, %d of %d · %s", letter(at), at+1, len(s.series()), of.detail())
	for _, m := range s.Measured {
		if m.Dir == of.Dir {
			text += fmt.Sprintf(" · seed %d", m.Seed)
		}
	}
	c.Text(0, 2, text+" · ] next, v over, s curve, m plot", cell.Plain, 0)
}

// drawDoubtPage lists all warnings, and what two instruments saw alike.
func drawDoubtPage(c *cell.Canvas, s *State) {
	x, _ := s.seriesAt()
	lines := []string{"What makes the figures of " + x.name() + " doubtful"}
	doubts := x.doubts()
	if len(doubts) == 0 {
		doubts = []string{"Nothing was noted."}
	}
	put := func(text string) {
		for i, l := range cell.Wrap(text, c.W-4) {
			lines = append(lines, map[bool]string{true: "- ", false: "  "}[i == 0]+l)
		}
	}
	for _, w := range doubts {
		put(w)
	}
	if x.LogP != nil && len(x.LogP.Consistency) > 0 {
		lines = append(lines, "", "Beside another instrument in the same run")
		for _, a := range x.LogP.Consistency {
			put(fmt.Sprintf("%s: %s µs, %s µs by %s (%+.1f%%)", a.Of, bench.Digits(a.LogPUs), bench.Digits(a.OtherUs), a.From, a.OffPct))
		}
	}
	if x.LogP != nil && len(x.LogP.Residuals) > 0 {
		lines = append(lines, "", "How far the measurements lie from the laws")
		for _, r := range x.LogP.Residuals {
			put(fmt.Sprintf("%s: %.3g µs rms, at most %.3g, of %d points", r.Of, r.RMSUs, r.MaxUs, r.Points))
		}
	}
	lines = append(lines, "", "Problems")
	for _, p := range s.Problems {
		put(p)
	}
	if len(s.Problems) == 0 {
		lines = lines[:len(lines)-2]
	}
	drawLines(c, lines, s.Top)
}

// series are all that is open, in the order of their directories.
func (s *State) series() []*Series {
	var out []*Series
	for _, m := range s.Measured {
		out = append(out, m.Series...)
	}
	return out
}

// addMeasured puts a measurement into the list, in the place of one from the
// same directory or at the end.
func (s *State) addMeasured(m *Measured) {
	for i, o := range s.Measured {
		if o.Dir == m.Dir {
			s.Measured[i] = m
			return
		}
	}
	s.Measured = append(s.Measured, m)
}

// seriesAt is the one that is looked at and its place, below 0 for none.
func (s *State) seriesAt() (*Series, int) {
	list := s.series()
	if len(list) == 0 {
		return nil, -1
	}
	at := min(max(s.Sel.Series, 0), len(list)-1)
	return list[at], at
}

// What Selection.Against says beside the number of a series, counted from 1.
const (
	againstAll  = 0
	againstNone = -1
)

// against are the places of the series laid over the one that is looked at.
func (s *State) against() []int {
	_, at := s.seriesAt()
	var out []int
	for i := range s.series() {
		if i != at && (s.Sel.Against == againstAll || s.Sel.Against == i+1) {
			out = append(out, i)
		}
	}
	return out
}

// letter stands for a series in pictures.
func letter(at int) rune {
	if at > 25 {
		return '*'
	}
	return 'a' + rune(at)
}
