package sim

import "math"

// In and SetIn convert between a quantity and the unit at the end of a specification's
// field name ("wire_ns", "link_mbps"). SetIn rounds to the resolution of the quantity.
// Both return false for an unknown unit.

// In accepts ps, ns, us, ms and s.
func (d Duration) In(unit string) (float64, bool) {
	of, known := map[string]Duration{"ps": Picosecond, "ns": Nanosecond, "us": Microsecond, "ms": Millisecond, "s": Second}[unit]
	if !known {
		return 0, false
	}
	return float64(d) / float64(of), true
}

// In returns the time since 0 in a unit, as Duration.In does.
func (t Time) In(unit string) (float64, bool) { return Duration(t).In(unit) }

// SetIn accepts ps, ns, us and ms.
func (d *Duration) SetIn(unit string, x float64) bool {
	switch unit {
	case "ps":
		*d = Duration(math.Round(x))
	case "ns":
		*d = Microseconds(x / 1000)
	case "us":
		*d = Microseconds(x)
	case "ms":
		*d = Microseconds(1000 * x)
	default:
		return false
	}
	return true
}

// In accepts mbps, 10⁶ bytes per second.
func (r Rate) In(unit string) (float64, bool) { return float64(r) / 1e6, unit == "mbps" }

// SetIn accepts mbps, 10⁶ bytes per second.
func (r *Rate) SetIn(unit string, x float64) bool {
	*r = MBps(x)
	return unit == "mbps"
}

// In accepts mhz.
func (f Freq) In(unit string) (float64, bool) {
	return float64(f.Num) / float64(f.Den) / 1e6, unit == "mhz"
}

// SetIn accepts mhz.
func (f *Freq) SetIn(unit string, x float64) bool {
	*f = Hz(uint64(x * 1e6))
	return unit == "mhz"
}
