package judge

import "fmt"

// Rules says how rows are judged, with the default tolerances.
func Rules() string {
	return fmt.Sprintf(`A published number is judged by its reading in the table:

- range: the modelled value lies within the published range, ends included. An end may be open.
- exact: the modelled value equals the published one.
- approx: the modelled value lies within %d %% of the published one, or within the row's own tolerance, which the row's
  note gives with the reason.

A statement in words holds or does not hold by the thresholds in the row's criterion. A counter-experiment, the same
experiment with the mechanism switched off, must not meet the row. Provoked rows need one.
A known gap stays within %d %% of its expected figure. A calibrated row that the model does not meet is a miss.
Relative errors up to %g count as rounding.

Every row is measured with each seed. It is met if it is met with all of them, or with 90 %% of %d or more. A figure is
the median over seeds, with its range.
`, approxPct, gapPct, rounding, tenOrMore)
}
