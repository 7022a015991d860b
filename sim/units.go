package sim

// In and SetIn convert between a quantity and the unit that a field of a specification is
// named after ("wire_ns", "link_mbps"). SetIn rounds to what the quantity can hold. Both
// return false for a unit that they do not know.

// In knows ps, ns, us, ms and s.
func (d Duration) In(unit string) (float64, bool) {
	of, known := map[string]Duration{"ps": Picosecond, "ns": Nanosecond, "us": Microsecond, "ms": Millisecond, "s": Second}[unit]
	if !known {
		return 0, false
	}
	return float64(d) / float64(of), true
}

// In is that of the Duration since time 0.
func (t Time) In(unit string) (float64, bool) { return Duration(t).In(unit) }

// SetIn knows ns, us and ms.
func (d *Duration) SetIn(unit string, x float64) bool {
	switch unit {
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

// In knows mbps, 10⁶ bytes per second.
func (r Rate) In(unit string) (float64, bool) { return float64(r) / 1e6, unit == "mbps" }

// SetIn knows mbps, 10⁶ bytes per second.
func (r *Rate) SetIn(unit string, x float64) bool {
	*r = MBps(x)
	return unit == "mbps"
}

// In knows mhz.
func (f Freq) In(unit string) (float64, bool) {
	return float64(f.Num) / float64(f.Den) / 1e6, unit == "mhz"
}

// SetIn knows mhz.
func (f *Freq) SetIn(unit string, x float64) bool {
	*f = Hz(uint64(x * 1e6))
	return unit == "mhz"
}
