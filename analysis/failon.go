package analysis

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Verdict is the outcome of a check.
type Verdict string

// Verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive"
)

// FailOn is one condition under which a comparison fails: a stage of a size
// class rises (or falls) by more than a threshold.
type FailOn struct {
	Stage trace.Opt[trace.Stage] // any when missing
	Class string                 // any when empty
	Fall  bool                   // "<": a fall by more than the threshold fails
	// Threshold is a share of the first run's mean, or nanoseconds.
	Threshold float64
	InNs      bool
	text      string
}

func (f FailOn) String() string { return f.text }

const failOnForm = `STAGE[@CLASS]>NUMBER% or >NUMBERus, STAGE of any, source, lanai, net, dest, net_minus_lanai; ` +
	`CLASS of under_128, 128_to_1023, 1024_to_4095, 4096; "<-NUMBER" fails on a fall; separate several by commas`

// ParseFailOn reads conditions such as "net>10%", "source@under_128>2us" or
// "any>5%,dest<-50%". The error names the condition and the part of it that is
// wrong.
func ParseFailOn(text string) ([]FailOn, error) {
	var list []FailOn
	for _, one := range strings.Split(text, ",") {
		f, err := parseOne(strings.TrimSpace(one))
		if err != nil {
			return nil, fmt.Errorf("fail-on %q: %w; wanted %s", one, err, failOnForm)
		}
		list = append(list, f)
	}
	return list, nil
}

func parseOne(text string) (FailOn, error) {
	f := FailOn{text: text}
	at := strings.IndexAny(text, "<>")
	if at < 0 {
		return f, fmt.Errorf("no \">\" or \"<\"")
	}
	f.Fall = text[at] == '<'
	what, class, hasClass := strings.Cut(strings.TrimSpace(text[:at]), "@")
	if what != "any" {
		stage, err := trace.ParseStage(what)
		if err != nil {
			return f, err
		}
		f.Stage = trace.Some(stage)
	}
	if hasClass {
		if f.Class = class; !slices.Contains(trace.Classes(), class) {
			return f, fmt.Errorf("class %q is not one of %v", class, trace.Classes())
		}
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text[at+1:]), "%")
	if !percent {
		if number, f.InNs = strings.CutSuffix(number, "us"); !f.InNs {
			return f, fmt.Errorf("%q has no unit", text[at+1:])
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if f.Fall {
		v = -v
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return f, fmt.Errorf("%q is not a threshold", text[at+1:])
	}
	if f.Threshold = v / 100; f.InNs {
		f.Threshold = v * 1000
	}
	return f, nil
}

// Judgement is a condition's outcome on a comparison.
type Judgement struct {
	Condition string   `json:"condition"`
	Verdict   Verdict  `json:"verdict"`
	Why       []string `json:"why,omitempty"` // the changes that failed or could not be judged
}

// Check applies conditions to a comparison. A condition fails if the whole interval of
// a change lies beyond the threshold, and passes if the interval ends before it. It is
// inconclusive if the interval straddles the threshold or is unknown, or if no packets
// match.
func (c Comparison) Check(conditions []FailOn) (Verdict, []Judgement) {
	overall := Pass
	var list []Judgement
	for _, f := range conditions {
		j := Judgement{Condition: f.String(), Verdict: Pass}
		matched := false
		for _, x := range c.Changes {
			if f.Stage.OK && f.Stage.Value != x.Stage || f.Class != "" && f.Class != x.Class {
				continue
			}
			matched = true
			v := f.judge(x)
			if v == Pass {
				continue
			}
			j.Verdict = worse(j.Verdict, v)
			j.Why = append(j.Why, fmt.Sprintf("%s: %s", v, x.line()))
		}
		if !matched {
			j.Verdict, j.Why = Inconclusive, []string{"no packets match"}
		}
		overall = worse(overall, j.Verdict)
		list = append(list, j)
	}
	return overall, list
}

func worse(a, b Verdict) Verdict {
	rank := []Verdict{Pass, Inconclusive, Fail}
	return rank[max(slices.Index(rank, a), slices.Index(rank, b))]
}

func (f FailOn) judge(c Change) Verdict {
	if !c.CILoNs.OK {
		return Inconclusive
	}
	lo, hi := c.CILoNs.Value, c.CIHiNs.Value
	if f.Fall {
		lo, hi = -hi, -lo
	}
	limit := f.Threshold
	if !f.InNs {
		limit *= math.Abs(c.MeanBNs.Value - c.DiffNs.Value)
	}
	switch {
	case lo > limit:
		return Fail
	case hi <= limit:
		return Pass
	}
	return Inconclusive
}

func (c Change) line() string {
	if !c.DiffNs.OK {
		return fmt.Sprintf("%s of %s has no difference to judge", StageName(c.Stage), c.Class)
	}
	text := fmt.Sprintf("%s of %s %+.2f µs (%+.1f%%)", StageName(c.Stage), c.Class, c.DiffNs.Value/1000, 100*c.Share())
	if !c.CILoNs.OK {
		return text + ", no interval"
	}
	return text + fmt.Sprintf(", interval %+.2f to %+.2f", c.CILoNs.Value/1000, c.CIHiNs.Value/1000)
}
