package analysis

import (
	"cmp"
	"math"

	"github.com/sigview/sigview/trace"
)

// Level says how a mean compares with its baseline.
type Level string

// Levels.
const (
	Above   Level = "above"   // by more than 10%, and the interval excludes zero
	Below   Level = "below"   // likewise, downwards
	Within  Level = "within"  // by 10% at most, and the interval is narrow enough to say so
	Unclear Level = "unclear" // the interval contains both zero and a deviation that matters, or there is no interval
)

// materialShare is the share of the baseline from which a deviation matters.
const materialShare = 0.10

// Mark returns the character of a level, so that colour never stands alone.
func (l Level) Mark() string {
	return cmp.Or(map[Level]string{Above: "▲", Below: "▼", Within: "="}[l], "?")
}

// marks says what the marks of levels mean.
func marks(above, below string) string {
	return Above.Mark() + " " + above + ", " + Below.Mark() + " " + below + ", " + Within.Mark() + " within 10%, " + Unclear.Mark() + " not clear"
}

// LevelOf returns how a mean compares with its baseline, from the deviation and its
// interval.
func LevelOf(s trace.Stat) Level {
	if !s.DeviationNs.OK || !s.DeviationCILoNs.OK || !s.DeviationCIHiNs.OK {
		return Unclear
	}
	material := materialShare * math.Abs(s.BaselineNs.Value)
	d, lo, hi := s.DeviationNs.Value, s.DeviationCILoNs.Value, s.DeviationCIHiNs.Value
	switch {
	case lo > 0 && d > material:
		return Above
	case hi < 0 && d < -material:
		return Below
	case lo >= -material && hi <= material, math.Abs(d) <= material && (lo > 0 || hi < 0):
		return Within
	}
	return Unclear
}
