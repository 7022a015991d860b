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
	Unit string
}

// Fig returns a figure with its unit, if it has one.
func Fig(name string, v float64, unit ...string) Figure {
	return Figure{name, v, strings.Join(unit, " ")}
}

// Limit returns a threshold.
func Limit(v float64, unit ...string) Figure { return Fig("", v, unit...) }

// Text is the figure with its name and unit.
func (f Figure) Text() string {
	return strings.TrimSpace(f.Name + " " + digits(f.V) + " " + f.Unit)
}

// digits is a number with four digits, or all before the point.
func digits(v float64) string {
	if math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// String is how a criterion calls it.
func (f Figure) String() string {
	if f.Name == "" {
		return f.Text()
	}
	return f.Name
}

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

// Close claims that a and b differ by less than a limit, in their unit.
func Close(a, b, limit Figure) Claim {
	return claim(math.Abs(a.V-b.V) < limit.V, fmt.Sprintf("%s within %s of %s", a, limit, b), a, b, limit)
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

// Deviation is the largest difference between values and what they should be,
// relative to that.
type Deviation struct{ worst float64 }

// Add adds a value and what it should be.
func (d *Deviation) Add(v, want float64) { d.worst = max(d.worst, math.Abs(v/want-1)) }

// Within claims that all values are within pct per cent of what they should be.
func (d *Deviation) Within(values, wanted string, pct float64) Claim {
	c := claim(d.worst <= pct/100, fmt.Sprintf("%s within %g %% of %s", values, pct, wanted))
	c.figures = []string{fmt.Sprintf("%s at most %s %% off", values, digits(100*d.worst))}
	return c
}

// True claims what no number says; the note tells what was seen.
func True(ok bool, wants, note string, args ...any) Claim {
	return Claim{ok, wants, []string{fmt.Sprintf(note, args...)}}
}

// States is All of one claim that no number says.
func States(ok bool, wants, note string, args ...any) Measured {
	return All(True(ok, wants, note, args...))
}

// All makes a statement of its claims. The note has their figures, the criterion
// what they require, each once.
func All(claims ...Claim) Measured {
	m := Measured{Holds: true}
	var figures, wants []string
	add := func(to *[]string, texts ...string) {
		for _, t := range texts {
			if t != "" && !slices.Contains(*to, t) {
				*to = append(*to, t)
			}
		}
	}
	for _, c := range claims {
		m.Holds = m.Holds && c.ok
		add(&wants, c.wants)
		add(&figures, c.figures...)
	}
	m.Note, m.Criterion = strings.Join(figures, ", "), strings.Join(wants, "; ")
	return m
}
