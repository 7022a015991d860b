package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Figure is a number that a statement speaks of. One without a name is a
// threshold.
type Figure struct {
	Name string
	V    float64
}

// Fig returns a figure.
func Fig(name string, v float64) Figure { return Figure{name, v} }

// Limit returns a threshold.
func Limit(v float64) Figure { return Figure{V: v} }

func (f Figure) String() string {
	if f.Name == "" {
		return fmt.Sprintf("%.4g", f.V)
	}
	return f.Name
}

// Text is the figure with its name.
func (f Figure) Text() string { return fmt.Sprintf("%s %.4g", f.Name, f.V) }

// Claim is a part of a statement: what it requires, and whether that is so.
type Claim struct {
	ok      bool
	wants   string   // the criterion, with its threshold
	figures []string // the numbers behind it, with their names
}

func claim(ok bool, wants string, of ...Figure) Claim {
	c := Claim{ok: ok, wants: wants}
	for _, f := range of {
		if f.Name != "" {
			c.figures = append(c.figures, f.Text())
		}
	}
	return c
}

// Near claims that a is within pct per cent of b.
func Near(a, b Figure, pct float64) Claim {
	return claim(math.Abs(a.V-b.V) <= pct/100*math.Abs(b.V), fmt.Sprintf("%s within %g %% of %s", a, pct, b), a, b)
}

// Above claims that a is more than b by over pct per cent.
func Above(a, b Figure, pct float64) Claim {
	return claim(a.V > b.V+pct/100*math.Abs(b.V), fmt.Sprintf("%s %sabove %s", a, by(pct), b), a, b)
}

// Below claims that a is less than b by over pct per cent.
func Below(a, b Figure, pct float64) Claim {
	return claim(a.V < b.V-pct/100*math.Abs(b.V), fmt.Sprintf("%s %sbelow %s", a, by(pct), b), a, b)
}

func by(pct float64) string {
	if pct == 0 {
		return ""
	}
	return fmt.Sprintf("over %g %% ", pct)
}

// Ordered claims that each figure is less than the next.
func Ordered(figures ...Figure) Claim {
	ok := true
	var names []string
	for i, f := range figures {
		ok = ok && (i == 0 || figures[i-1].V < f.V)
		names = append(names, f.String())
	}
	return claim(ok, strings.Join(names, " < "), figures...)
}

// True claims what no number says; the note tells what was seen.
func True(ok bool, wants, note string, args ...any) Claim {
	return Claim{ok, wants, []string{fmt.Sprintf(note, args...)}}
}

// All makes a statement of its claims. The note has each of their figures once,
// the criterion is what they require.
func All(claims ...Claim) Measured {
	m := Measured{Holds: true}
	var figures, wants []string
	for _, c := range claims {
		m.Holds = m.Holds && c.ok
		wants = append(wants, c.wants)
		for _, f := range c.figures {
			if !slices.Contains(figures, f) {
				figures = append(figures, f)
			}
		}
	}
	m.Note, m.Criterion = strings.Join(figures, ", "), strings.Join(wants, "; ")
	return m
}
