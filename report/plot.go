package report

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// plotted are the stages that the plots show, with their letters: capital for
// the run, small for the baseline.
var plotted = [...]struct {
	stage  trace.Stage
	letter byte
	hue    string
}{
	{trace.Source, 'S', sourceHue}, {trace.LANai, 'L', lanaiHue}, {trace.Net, 'N', netHue}, {trace.Dest, 'D', destHue},
}

const (
	plotHeight   = 14
	plotMaxWidth = 76 // columns of a panel beyond which nothing is gained
	axisWidth    = 6
	smallestSize = 32.0
	largestSize  = 4096.0
)

// column is the place of a size on a logarithmic axis of n columns.
func column(sizeBytes float64, n int) int {
	x := math.Log2(sizeBytes/smallestSize) / math.Log2(largestSize/smallestSize)
	return min(max(int(math.Round(x*float64(n-1))), 0), n-1)
}

// figure draws packets per size on the left, mean latencies on the right.
func (s Style) figure(b *strings.Builder, f figure) {
	room := s.width() - 2*axisWidth - 2
	left := min(room*2/5, plotMaxWidth)
	right := min(room-left, plotMaxWidth)
	l, r := s.packetsPanel(f.rows, left), s.latencyPanel(f.rows, right)
	b.WriteByte('\n')
	for i := range l {
		// Colour codes take no room, so the left panel is padded before them.
		pad := strings.Repeat(" ", max(axisWidth+left+2-utf8.RuneCountInString(l[i]), 0))
		b.WriteString(strings.TrimRight(l[i]+pad+r[i], " ") + "\n")
	}
	s.wrap(b, "", "Both axes logarithmic. S Source, L LANai, N Net, D Dest; small letters: baseline; * several; "+
		"? under the axis: weak, rests on few packets.")
}

// axis writes a label to the left of a line.
func axis(label, line string) string {
	return strings.Repeat(" ", max(axisWidth-1-utf8.RuneCountInString(label), 0)) + label + "|" + line
}

// ticks writes the sizes under a panel, as many as find room.
func ticks(n int) string {
	line := []byte(strings.Repeat(" ", n))
	free := 0
	for _, size := range []int{32, 64, 128, 256, 512, 1024, 2048, 4096} {
		text := fmt.Sprint(size)
		at := min(max(column(float64(size), n)-len(text)/2, 0), n-len(text))
		if at >= free {
			copy(line[at:], text)
			free = at + len(text) + 1
		}
	}
	return string(line)
}

// packetsPanel draws a bar per column; a bar one eighth high stands for one
// packet, so that none is nothing.
func (s Style) packetsPanel(rows []row, n int) []string {
	counts := make([]float64, n)
	most := 1.0
	for _, r := range rows {
		c := column(float64(r.SizeHiBytes), n)
		counts[c] += float64(r.count())
		most = max(most, counts[c])
	}
	top := math.Ceil(math.Log10(most))
	top = max(top, 1)
	steps := []rune(" ▁▂▃▄▅▆▇█")
	if s.ASCII {
		steps = []rune(" #")
	}
	per := len(steps) - 1
	out := []string{head("packets per size, B", n)}
	for y := plotHeight - 1; y >= 0; y-- {
		line := make([]rune, n)
		for x, c := range counts {
			line[x] = ' '
			if c > 0 {
				h := max(int(math.Round(math.Log10(c)/top*float64(plotHeight*per))), 1)
				line[x] = steps[min(max(h-y*per, 0), per)]
			}
		}
		out = append(out, axis(decade(y, 0, top), string(line)))
	}
	return append(out, strings.Repeat(" ", axisWidth-1)+"+"+strings.Repeat("-", n), strings.Repeat(" ", axisWidth)+ticks(n), "")
}

func head(text string, n int) string {
	return fmt.Sprintf("%*s%-*s", axisWidth, "", n, text)
}

// decade labels the row in which a power of ten begins.
func decade(y int, lo, hi float64) string {
	for k := math.Ceil(lo); k <= hi; k++ {
		if rowOf(k, lo, hi) == y {
			switch {
			case k < 0:
				return fmt.Sprintf("%.*f", int(-k), math.Pow(10, k))
			case k < 5:
				return fmt.Sprintf("%.0f", math.Pow(10, k))
			}
			return fmt.Sprintf("1e%.0f", k)
		}
	}
	return ""
}

// rowOf is the row, from the bottom, of a logarithm.
func rowOf(v, lo, hi float64) int {
	return min(max(int(math.Round((v-lo)/(hi-lo)*float64(plotHeight-1))), 0), plotHeight-1)
}

// latencyPanel draws the means of the run over those of the baseline.
func (s Style) latencyPanel(rows []row, n int) []string {
	cols := perColumn(rows, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, stats := range cols {
		for _, st := range stats {
			for _, v := range []trace.Opt[float64]{st.MeanNs, st.BaselineNs} {
				if v.OK && v.Value > 0 {
					lo, hi = min(lo, math.Log10(v.Value/1000)), max(hi, math.Log10(v.Value/1000))
				}
			}
		}
	}
	if lo > hi {
		lo, hi = 0, 1
	}
	// A margin, and at least one power of ten on the axis.
	lo, hi = lo-0.05, hi+0.05
	if math.Ceil(lo) > hi {
		if hi-math.Floor(lo) < math.Ceil(hi)-lo {
			lo = math.Floor(lo)
		} else {
			hi = math.Ceil(hi)
		}
	}
	field := s.letters(cols, n, lo, hi)
	weak := []byte(strings.Repeat("-", n))
	for x, stats := range cols {
		for _, st := range stats {
			if st.Weak && st.Count > 0 {
				weak[x] = '?'
			}
		}
	}
	out := []string{head("mean latency, us, by size, B", n)}
	if !s.ASCII {
		out[0] = head("mean latency, µs, by size, B", n)
	}
	for y := plotHeight - 1; y >= 0; y-- {
		var line strings.Builder
		for _, c := range field[y] {
			line.WriteString(s.letter(c))
		}
		out = append(out, axis(decade(y, lo, hi), line.String()))
	}
	return append(out, strings.Repeat(" ", axisWidth-1)+"+"+string(weak), strings.Repeat(" ", axisWidth)+ticks(n), "")
}

// letters fills the field, baselines first, rows from the bottom.
func (s Style) letters(cols [][]trace.Stat, n int, lo, hi float64) [][]byte {
	field := make([][]byte, plotHeight)
	for y := range field {
		field[y] = []byte(strings.Repeat(" ", n))
	}
	for _, base := range []bool{true, false} {
		for x, stats := range cols {
			for _, p := range plotted {
				v, c := mean(stats, p.stage, base), p.letter
				if !v.OK || v.Value <= 0 {
					continue
				}
				at := &field[rowOf(math.Log10(v.Value/1000), lo, hi)][x]
				if base {
					c += 'a' - 'A'
				}
				// A mean that hides a baseline says enough; two means do not.
				if *at != ' ' && (base || *at < 'a') {
					c = '*'
				}
				*at = c
			}
		}
	}
	return field
}

func mean(stats []trace.Stat, stage trace.Stage, base bool) trace.Opt[float64] {
	for _, s := range stats {
		if s.Stage == stage {
			if base {
				return s.BaselineNs
			}
			return s.MeanNs
		}
	}
	return trace.Opt[float64]{}
}

// perColumn pools the size bins that fall into one column.
func perColumn(rows []row, n int) [][]trace.Stat {
	cols := make([][]trace.Stat, n)
	for _, r := range rows {
		x := column(float64(r.SizeHiBytes), n)
		cols[x] = analysis.Pool(cols[x], r.stats)
	}
	return cols
}

func (s Style) letter(c byte) string {
	for _, p := range plotted {
		switch c {
		case p.letter:
			return s.paint(p.hue, string(c))
		case p.letter + 'a' - 'A':
			return s.paint(faint, string(c))
		}
	}
	return string(c)
}
