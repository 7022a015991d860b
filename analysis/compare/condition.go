package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

// DefaultGate are the conditions of a gate if none are given.
const DefaultGate = "any>5%,runtime>2%"

// Condition is one condition of a gate: the gate fails if a quantity rises, or falls, by more than a threshold.
type Condition struct {
	Quantity string
	Where    string // size class, or what was measured; any when empty
	Program  string // any when empty
	Fall     bool   // "<": a fall by more than the threshold fails
	// Share is the threshold as a fraction: of A's value; of the run time for a part of the run time; of all
	// packets for lost and repeated ones. It is NaN if Amount is the threshold.
	Share  float64
	Amount float64 // in the unit of the quantity
	text   string
}

// String returns the condition as it was written.
func (c Condition) String() string { return c.text }

// form is the grammar of conditions, for error messages.
const form = `[PROGRAM:][CLASS/]QUANTITY>LIMIT, several separated by commas; LIMIT as 5%, 2us or 100; "<-LIMIT" fails on a fall; "default" is ` + DefaultGate

// units has the suffixes of thresholds by the unit of the quantity, and the factor to that unit.
var units = map[string][]struct {
	suffix string
	factor float64
}{
	unitNs:      {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}},
	unitPackets: {{"", 1}},
	unitMBps:    {{"MB/s", 1}},
}

// ParseConditions reads conditions such as "net>10%", "under_128/source>2us" or
// "any>5%,runtime>2%,bandwidth<-5%". The error names the condition and what is wrong in it.
func ParseConditions(text string) ([]Condition, error) {
	if strings.TrimSpace(text) == "default" {
		text = DefaultGate
	}
	var list []Condition
	for _, one := range strings.Split(text, ",") {
		c, err := parse(strings.TrimSpace(one))
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w; wanted %s", one, err, form)
		}
		list = append(list, c)
	}
	return list, nil
}

// parse reads one condition. It returns an error for a missing ">" or "<", an unknown quantity or class, and a
// bad threshold.
func parse(text string) (Condition, error) {
	c := Condition{text: text, Share: math.NaN()}
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return c, fmt.Errorf("no \">\" or \"<\"")
	}
	c.Fall = text[at] == '<'
	what := strings.TrimSpace(text[:at])
	if program, rest, ok := strings.Cut(what, ":"); ok {
		c.Program, what = program, rest
	}
	if class, rest, ok := strings.Cut(what, "/"); ok {
		c.Where, what = class, rest
	} else if rest, class, ok := strings.Cut(what, "@"); ok { // as targets of why are written
		c.Where, what = class, rest
	}
	c.Quantity = what
	if err := quantityNames().Check(what); err != nil {
		return c, err
	}
	_, notStage := trace.ParseStage(what)
	if c.Where != "" && (what == anyStage || notStage == nil) && !slices.Contains(trace.Classes(), c.Where) {
		return c, fmt.Errorf("class %q is not one of %v", c.Where, trace.Classes())
	}
	return c, c.threshold(strings.TrimSpace(text[at+1:]))
}

// threshold reads the limit into Share or Amount. The limit of a fall has a minus sign. It returns an error if
// the unit is not one of the quantity's, or the number is negative or not finite.
func (c *Condition) threshold(text string) error {
	unit := unitNs
	if c.Quantity != anyStage {
		unit = of(c.Quantity).unit
	}
	number, factor, found := text, 0.0, false
	if share, ok := strings.CutSuffix(text, "%"); ok {
		number, factor, found = share, 0.01, true
	}
	for _, u := range units[unit] {
		if rest, ok := strings.CutSuffix(text, u.suffix); ok && !found && endsInDigit(rest) {
			number, factor, found = rest, u.factor, true
		}
	}
	if !found {
		return fmt.Errorf("%q has no unit", text)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if c.Fall {
		v = -v
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return fmt.Errorf("%q is not a threshold", text)
	}
	if c.Amount = v * factor; strings.HasSuffix(text, "%") {
		c.Share, c.Amount = c.Amount, 0
	}
	return nil
}

// endsInDigit reports whether s ends as a number does: so "5m" of "5ms" is not taken for a number before the
// suffix "s".
func endsInDigit(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.ContainsRune("0123456789.", rune(s[len(s)-1]))
}

// matches reports whether the condition applies to the figure with the key k. "any" is each recorded stage, not
// the difference of two of them.
func (c Condition) matches(k Key) bool {
	stage, err := trace.ParseStage(k.Quantity)
	named := c.Quantity == k.Quantity || c.Quantity == anyStage && err == nil && stage < trace.NumStages
	return named && (c.Where == "" || c.Where == k.Where) && (c.Program == "" || c.Program == k.Program)
}
