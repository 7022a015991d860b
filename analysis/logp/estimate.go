package logp

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/sigview/sigview/internal/portable"
)

// Estimate is a parameter with its 95 % confidence interval. Either it is identifiable
// and 0 <= Lo <= Value <= Hi, all finite, or Reason says why not and the numbers have no
// meaning.
type Estimate struct {
	Value, Lo, Hi float64
	Reason        string
}

// OK reports whether the parameter is identifiable.
func (e Estimate) OK() bool { return e.Reason == "" }

// String gives the value with its interval, or the reason.
func (e Estimate) String() string {
	if !e.OK() {
		return "not identifiable: " + e.Reason
	}
	return fmt.Sprintf("%.4g [%.4g, %.4g]", e.Value, e.Lo, e.Hi)
}

// written is an Estimate in JSON: either the value with its interval or the reason.
type written struct {
	Value  *float64 `json:"value,omitempty"`
	Lo     *float64 `json:"lo,omitempty"`
	Hi     *float64 `json:"hi,omitempty"`
	Reason string   `json:"not_identifiable,omitempty"`
}

// MarshalJSON writes {"value":..,"lo":..,"hi":..} or {"not_identifiable":"reason"}.
func (e Estimate) MarshalJSON() ([]byte, error) {
	if !e.OK() {
		return json.Marshal(written{Reason: e.Reason})
	}
	return json.Marshal(written{Value: &e.Value, Lo: &e.Lo, Hi: &e.Hi})
}

// UnmarshalJSON reads what MarshalJSON writes. An interval that is not ordered or is
// negative is an error.
func (e *Estimate) UnmarshalJSON(b []byte) error {
	var in written
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if in.Reason != "" {
		*e = Estimate{Reason: in.Reason}
		return nil
	}
	if in.Value == nil || in.Lo == nil || in.Hi == nil {
		return fmt.Errorf("estimate %s: wanted value, lo and hi, or not_identifiable", b)
	}
	v := Estimate{Value: *in.Value, Lo: *in.Lo, Hi: *in.Hi}
	if !(0 <= v.Lo && v.Lo <= v.Value && v.Value <= v.Hi) {
		return fmt.Errorf("estimate %s: wanted 0 <= lo <= value <= hi", b)
	}
	*e = v
	return nil
}

// Ratio returns a/b, such as the gap of one pattern relative to that of another. Relative
// errors add in quadrature. If the ratio is not identifiable, the reason begins with what.
func Ratio(what string, a, b Estimate) Estimate {
	switch {
	case !a.OK():
		return Estimate{Reason: a.Reason}
	case !b.OK():
		return Estimate{Reason: b.Reason}
	case b.Value <= 0:
		return Estimate{Reason: fmt.Sprintf("%s: a ratio of %g to %g", what, a.Value, b.Value)}
	}
	v := a.Value / b.Value
	side := func(x, y float64) float64 {
		return portable.Hypot((x-a.Value)/b.Value, v*(y-b.Value)/b.Value)
	}
	e := Estimate{Value: v, Lo: math.Max(0, v-side(a.Lo, b.Hi)), Hi: v + side(a.Hi, b.Lo)}
	if !finite(e.Lo) || !finite(e.Hi) {
		return Estimate{Reason: what + ": no finite ratio"}
	}
	return e
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
