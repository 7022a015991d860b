package report

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	chartRows   = 16
	chartMargin = 8 // columns of the y axis with its labels
)

// chart draws with a letter per curve: a the first, * several.
func (s Style) chart(b *strings.Builder, c Chart) {
	if c.oneX() {
		return // the table says as much
	}
	n := min(s.width()-chartMargin, plotMaxWidth+chartMargin)
	x, y := c.axes()
	field := make([][]byte, chartRows)
	for i := range field {
		field[i] = []byte(strings.Repeat(" ", n))
	}
	for i, k := range c.Curves {
		for _, d := range c.drawn(k) {
			at := &field[place(y.at(d.Y), chartRows)][place(x.at(d.X), n)]
			if *at != ' ' && *at != letter(i) {
				*at = '*'
			} else {
				*at = letter(i)
			}
		}
	}
	labels := make([]string, chartRows)
	for _, t := range y.round() {
		labels[place(y.at(t.v), chartRows)] = t.text
	}
	fmt.Fprintf(b, "\n%s\n", s.paint(bold, c.Title))
	fmt.Fprintf(b, "%s\n", c.YName)
	for i := chartRows - 1; i >= 0; i-- {
		fmt.Fprintf(b, "%*s|", chartMargin-1, labels[i])
		b.WriteString(strings.TrimRight(s.paintLetters(string(field[i]), c), " ") + "\n")
	}
	fmt.Fprintf(b, "%*s+%s\n", chartMargin-1, "", strings.Repeat("-", n))
	for _, line := range []string{xLabels(x, n), bandLine(c, x, n)} {
		if line != "" {
			fmt.Fprintf(b, "%*s%s\n", chartMargin, "", line)
		}
	}
	var key []string
	for i, k := range c.Curves {
		key = append(key, fmt.Sprintf("%c %s", letter(i), k.Name))
	}
	if len(key) > 1 {
		key = append(key, "* several")
	}
	s.wrap(b, "", c.XName+" (logarithmic). "+strings.Join(key, "; ")+".")
}

func letter(i int) byte { return 'a' + byte(i%26) }

func place(part float64, n int) int { return int(math.Round(part * float64(n-1))) }

func (s Style) paintLetters(line string, c Chart) string {
	if !s.Colour {
		return line
	}
	var out strings.Builder
	for _, r := range line {
		if i := int(r - 'a'); i >= 0 && i < len(c.Curves) && hues[i%len(hues)].terminal != "" {
			out.WriteString(s.paint(hues[i%len(hues)].terminal, string(r)))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// xLabels are the sizes under the axis, as many as find room.
func xLabels(x axle, n int) string {
	line := []byte(strings.Repeat(" ", n))
	free := 0
	for _, t := range x.powersOfTwo(n) {
		at := min(max(place(x.at(t.v), n)-len(t.text)/2, 0), n-len(t.text))
		if at >= free {
			copy(line[at:], t.text)
			free = at + len(t.text) + 1
		}
	}
	return strings.TrimRight(string(line), " ")
}

// bandLine writes the bands' names under the axis where they begin.
func bandLine(c Chart, x axle, n int) string {
	if len(c.Bands) == 0 {
		return ""
	}
	line := []byte(strings.Repeat(" ", n))
	for _, band := range c.Bands {
		from, to := place(x.at(band.From), n), place(x.at(band.To), n)
		for i := from; i <= to; i++ {
			line[i] = '.'
		}
		line[from], line[to] = '<', '>'
		if name := band.Name; utf8.RuneCountInString(name)+2 <= to-from {
			copy(line[(from+to-len(name))/2+1:], name)
		}
	}
	return strings.TrimRight(string(line), " ")
}
