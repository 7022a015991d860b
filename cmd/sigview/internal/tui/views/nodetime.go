package views

import (
	"fmt"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/lists"
	"github.com/sigview/sigview/report/chart"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
)

// sharesOf returns where the run time of the nodes of a program went.
func sharesOf(d *data.Data, tag trace.Tag) []trace.Shares {
	return lists.Filter(d.Run.Manifest.Shares, func(s trace.Shares) bool { return s.Tag == tag })
}

// DrawNodeTimes draws the run time of the nodes of a program as bars of its parts, each by a
// letter, with the shares of the mean below. Nodes for which there is no room beside the shares
// are left out, and counted.
func DrawNodeTimes(c *cell.Canvas, d *data.Data, tag trace.Tag) {
	rows := sharesOf(d, tag)
	if len(rows) == 0 {
		c.Para(0, 0, "The run time of the nodes is not recorded.", cell.Faint)
		return
	}
	parts := analysis.RunTimeParts(rows)
	letters := lettersOf(parts.Short)
	lines := partLegend(parts, letters, c.W)
	longest := int64(1)
	for _, r := range rows {
		longest = max(longest, r.RunTimeNs)
	}
	room := max(c.H-1-len(lines), 0)
	head := fmt.Sprintf("Run time of nodes, longest %s", analysis.Time(float64(longest)))
	if 0 < room && room < len(rows) {
		head = fmt.Sprintf("Run time, nodes 0 to %d of %d", room-1, len(rows))
	}
	c.Text(0, 0, head, cell.Strong, 0)
	for i, r := range rows[:min(len(rows), room)] {
		c.Right(3, 1+i, fmt.Sprint(r.Node), cell.Axis, 0)
		sum := int64(0)
		x := 4
		for k, ns := range parts.Ns[i] {
			sum += ns
			for end := 4 + int(float64(c.W-5)*float64(sum)/float64(longest)+0.5); x < end; x++ {
				c.Set(x, 1+i, letters[k], chart.LookOf(k).Ink, 0)
			}
		}
	}
	y := 1 + min(len(rows), room)
	for i, l := range lines {
		c.Text(0, y+i, l, cell.Faint, 0)
	}
}

// lettersOf returns a letter for each name: its first one, a capital if that is taken.
func lettersOf(names []string) []rune {
	taken := map[rune]bool{}
	return lists.Map(names, func(name string) rune {
		for _, r := range []rune{rune(name[0]), rune(name[0]) - 'a' + 'A'} {
			if !taken[r] {
				taken[r] = true
				return r
			}
		}
		return '?'
	})
}

// partLegend names the parts with their shares of the nodes' whole run time, in lines.
func partLegend(p analysis.Parts, letters []rune, width int) (lines []string) {
	sums, whole := make([]int64, len(p.Names)), int64(0)
	for _, node := range p.Ns {
		for k, ns := range node {
			sums[k] += ns
			whole += ns
		}
	}
	for k, name := range p.Short {
		text := fmt.Sprintf("%c %s %.1f %%", letters[k], name, 100*float64(sums[k])/float64(max(whole, 1)))
		if n := len(lines); n > 0 && cell.Width(lines[n-1])+2+cell.Width(text) <= width {
			lines[n-1] += "  " + text
			continue
		}
		lines = append(lines, text)
	}
	return lines
}
