package views

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/spans"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/action"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/scene"
	"github.com/sigview/sigview/report/chart/cell"
)

// path is the cursor in an icicle: on each level the number of a part in the one above.
type path struct {
	at   string // numbers with points between
	root int    // levels of the path that are above the picture
}

func (p *path) word() scene.Word {
	return scene.Word{Name: "part", Want: "numbers of parts with points between, and after a colon how many levels are above the picture",
		Get: func() string { return fmt.Sprintf("%s:%d", p.at, p.root) },
		Set: func(v string) error {
			at, root, ok := strings.Cut(v, ":")
			n, err := strconv.Atoi(root)
			if !ok || err != nil || n < 0 {
				return fmt.Errorf("%q is no path", v)
			}
			for _, f := range strings.FieldsFunc(at, func(r rune) bool { return r == '.' }) {
				if n, err := strconv.Atoi(f); err != nil || n < 0 {
					return fmt.Errorf("%q is no path", v)
				}
			}
			p.at, p.root = at, n
			return nil
		}}
}

// Down returns the parts from the whole to the one at the cursor, and their numbers.
func (p *path) Down(whole *spans.Part) (parts []*spans.Part, at []int) {
	parts = []*spans.Part{whole}
	for _, f := range strings.FieldsFunc(p.at, func(r rune) bool { return r == '.' }) {
		n, _ := strconv.Atoi(f)
		of := parts[len(parts)-1].Parts
		if len(of) == 0 {
			break
		}
		n = min(n, len(of)-1)
		parts, at = append(parts, of[n]), append(at, n)
	}
	return parts, at
}

func (p *path) set(at []int) {
	p.at = strings.Join(lists.Map(at, strconv.Itoa), ".")
	p.root = min(p.root, len(at))
}

// Act moves the cursor to other parts, up and down to other levels. Zooming shows the part
// at the cursor alone, and enter where its node is in the timeline.
func (p *path) Act(s *scene.Scene, a action.Action) bool {
	whole := s.Data().Found.Time[s.Sel.Tag]
	dx, dy := a.Steps()
	if whole == nil {
		return dx != 0 || dy != 0
	}
	parts, at := p.Down(whole)
	last := len(parts) - 1
	switch {
	case dy > 0 && len(parts[last].Parts) > 0:
		p.set(append(at, 0))
	case dy < 0 && len(at) > p.root:
		p.set(at[:len(at)-1])
	case dx != 0 && last > p.root:
		at[last-1] = min(max(at[last-1]+dx, 0), len(parts[last-1].Parts)-1)
		p.set(at)
	case dx != 0 || dy != 0:
	case a == action.ZoomIn:
		p.root = min(len(at), max(last, 0))
	case a == action.ZoomOut:
		p.root = max(p.root-1, 0)
	case a == action.Enter && last > 0:
		s.Narrow("timeline", fmt.Sprintf("row=%d", parts[last].Node))
	case a == action.Enter:
		s.Note = "The arrows choose a part; down goes from all nodes to one."
	default:
		return false
	}
	return true
}

// Draw draws the time of all nodes, divided on each level into the parts of the level above.
func (p *path) Draw(c *cell.Canvas, s *scene.Scene) {
	whole := s.Data().Found.Time[s.Sel.Tag]
	c.Text(0, 0, "time by node, phase, operation and step: widths are times, summed over nodes", cell.Strong, 0)
	if whole == nil || whole.Ns <= 0 {
		c.Text(2, 2, "No phases and no operations of this program.", cell.Warn, 0)
		return
	}
	parts, at := p.Down(whole)
	root := min(p.root, len(parts)-1)
	body := c.Sub(0, 1, c.W, c.H-4)
	levels := 5 - root
	i := icicle{body, max(body.H/levels, 2), parts[len(parts)-1], p}
	i.Draw(parts[root], at[:root], 0, 0, float64(c.W))
	here := parts[len(parts)-1]
	var names []string
	for _, q := range parts {
		names = append(names, q.Name)
	}
	c.Text(0, c.H-3, strings.Join(names, " › "), cell.Accent, cell.Bold)
	text := fmt.Sprintf("%s, %.1f %% of all nodes' time", analysis.Time(float64(here.Ns)), 100*float64(here.Ns)/float64(whole.Ns))
	if len(parts) > 1 {
		above := parts[len(parts)-2]
		text += fmt.Sprintf(", %.1f %% of %s", 100*float64(here.Ns)/float64(max(above.Ns, 1)), above.Name)
	}
	c.Text(0, c.H-2, text, cell.Plain, 0)
	c.Text(0, c.H-1, c.Keys("arrows: part and level · + only this part · - more · enter: the node's timeline"), cell.Faint, 0)
}

// icicle is a picture of parts below each other.
type icicle struct {
	*cell.Canvas
	tall int // lines of a level
	here *spans.Part
	path *path
}

// Draw draws a part between two columns, and its parts below it.
func (i *icicle) Draw(p *spans.Part, at []int, y int, from, to float64) {
	a, b := int(from+0.5), int(to+0.5)
	if b <= a || y >= i.H {
		return
	}
	box := i.Sub(a, y, b-a, i.tall)
	shade, ink := '░', cell.Ink(int(cell.Source)+(len(at)+last(at))%4)
	attr := cell.Attr(0)
	if p == i.here {
		shade, ink, attr = '█', cell.Accent, cell.Reverse
	}
	for row := range box.H {
		for x := range box.W {
			r := ' '
			switch {
			case x == 0 && box.W > 1:
				r = '│'
			case row > 0 || box.W == 1:
				r = shade
			}
			box.Set(x, row, r, ink, 0)
		}
	}
	if box.W > 3 {
		name := box.Sub(1, 0, box.W-1, 1)
		name.Text(0, 0, p.Name, cell.Plain, attr)
	}
	i.Zone(a, y, b-a, i.tall, action.Pointed(func(_, _ int) { i.path.set(at) }))
	x := from
	for n, q := range p.Parts {
		next := x + (to-from)*float64(q.Ns)/float64(max(p.Ns, 1))
		i.Draw(q, append(at[:len(at):len(at)], n), y+i.tall, x, next)
		x = next
	}
}

// last returns the last number, 0 if there is none.
func last(at []int) int {
	if len(at) == 0 {
		return 0
	}
	return at[len(at)-1]
}
