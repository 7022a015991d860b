package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Figure is a number in a statement. A figure without a name is a threshold.
type Figure struct {
	Name string
	V    float64
	Unit string
}

// Fig returns a named figure. The unit is optional.
func Fig(name string, v float64, unit ...string) Figure {
	return Figure{name, v, strings.Join(unit, " ")}
}

// Limit returns a threshold.
func Limit(v float64, unit ...string) Figure { return Fig("", v, unit...) }

// Text returns the name, value and unit.
func (f Figure) Text() string {
	return strings.TrimSpace(f.Name + " " + Number(f.V) + " " + f.Unit)
}

// String returns the figure as a criterion shows it: its name, or the text of a
// threshold.
func (f Figure) String() string {
	if f.Name == "" {
		return f.Text()
	}
	return f.Name
}

// Claim is one condition of a statement, and whether it is met.
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
	return claim(math.Abs(a.V-b.V) <= float64(pct/100*math.Abs(b.V)), fmt.Sprintf("%s within %g %% of %s", a, pct, b), a, b)
}

// Close claims that a and b differ by less than a limit, in their unit.
func Close(a, b, limit Figure) Claim {
	return claim(math.Abs(a.V-b.V) < limit.V, fmt.Sprintf("%s within %s of %s", a, limit, b), a, b, limit)
}

// Above claims that a exceeds b by more than pct per cent of b.
func Above(a, b Figure, pct float64) Claim {
	return claim(a.V > b.V+float64(pct/100*math.Abs(b.V)), fmt.Sprintf("%s %sabove %s", a, by(pct), b), a, b)
}

// Below claims that a is less than b by more than pct per cent of b.
func Below(a, b Figure, pct float64) Claim {
	return claim(a.V < b.V-float64(pct/100*math.Abs(b.V)), fmt.Sprintf("%s %sbelow %s", a, by(pct), b), a, b)
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

// Deviation is the largest relative difference between values and their expected
// values.
type Deviation struct{ worst float64 }

// Add adds a value with its expected value.
func (d *Deviation) Add(v, want float64) { d.worst = max(d.worst, math.Abs(v/want-1)) }

// Within claims that all values are within pct per cent of their expected values.
func (d *Deviation) Within(values, wanted string, pct float64) Claim {
	c := claim(d.worst <= pct/100, fmt.Sprintf("%s within %g %% of %s", values, pct, wanted))
	c.figures = []string{fmt.Sprintf("%s at most %s %% off", values, Number(100*d.worst))}
	return c
}

// True makes a claim of a condition that is not a comparison of figures. The note
// says what was seen.
func True(ok bool, wants, note string, args ...any) Claim {
	return Claim{ok, wants, []string{fmt.Sprintf(note, args...)}}
}

// States makes a statement of one such condition.
func States(ok bool, wants, note string, args ...any) Measured {
	return All(True(ok, wants, note, args...))
}

// All makes a statement that holds if all claims are met. The note lists their
// figures and the criterion their conditions, without repeats.
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
