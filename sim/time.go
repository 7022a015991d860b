package sim

import (
	"fmt"
	"math"
	"math/bits"
)

// Time is an instant in picoseconds since the start of the simulation.
type Time int64

// Duration is a span of time in picoseconds.
type Duration int64

// Common durations.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Never is later than every event.
const Never Time = 1<<63 - 1

// RangeError says that a simulation has reached the end of Time. Sums of times panic with it.
type RangeError struct{}

// maxDays is the longest simulated time in days: 2^63 ps.
const maxDays = float64(Never) / (86400 * float64(Second))

func (RangeError) Error() string {
	return fmt.Sprintf("the simulated time passes %.2f days, want less", maxDays)
}

// outOfRange is what Add panics with. As a variable it leaves Add short enough to be inlined.
var outOfRange error = RangeError{}

// CatchRange turns a panic with a RangeError into an error. It is deferred.
func CatchRange(err *error) {
	switch p := recover().(type) {
	case nil:
	case RangeError:
		*err = p
	default:
		panic(p)
	}
}

// Add returns t shifted by d. It panics with a RangeError if that is no Time.
func (t Time) Add(d Duration) Time {
	u := t + Time(d)
	if (u < t) != (d < 0) {
		panic(outOfRange)
	}
	return u
}

// Sub returns the span from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// Us returns t in microseconds.
func (t Time) Us() float64 { return float64(t) / float64(Microsecond) }

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// String formats t as the duration since 0.
func (t Time) String() string { return Duration(t).String() }

// Plus returns the sum of d and e. It panics with a RangeError if that is no Duration. Sums over things
// that go on at the same time need it: they can be longer than the simulation.
func (d Duration) Plus(e Duration) Duration {
	sum := d + e
	if (sum < d) != (e < 0) {
		panic(outOfRange)
	}
	return sum
}

// Us returns d in microseconds.
func (d Duration) Us() float64 { return float64(d) / float64(Microsecond) }

// Seconds returns d in seconds.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// Microseconds returns the duration of us microseconds, rounded to a picosecond. It panics with a
// RangeError if that is no Duration.
func Microseconds(us float64) Duration {
	if !(math.Abs(us) < float64(Never)/float64(Microsecond)) {
		panic(outOfRange)
	}
	if us < 0 {
		return -Duration(float64(-us*float64(Microsecond)) + 0.5)
	}
	return Duration(float64(us*float64(Microsecond)) + 0.5)
}

// String formats d with six digits, in s, ms, µs or ns.
func (d Duration) String() string {
	switch abs := max(d, -d); {
	case abs >= Second:
		return fmt.Sprintf("%.6gs", d.Seconds())
	case abs >= Millisecond:
		return fmt.Sprintf("%.6gms", float64(d)/float64(Millisecond))
	case abs >= Microsecond:
		return fmt.Sprintf("%.6gµs", d.Us())
	default:
		return fmt.Sprintf("%.6gns", float64(d)/float64(Nanosecond))
	}
}

const psPerSecond = uint64(Second)

// Freq is an exact frequency of Num/Den hertz. The zero value is invalid.
type Freq struct{ Num, Den uint64 }

// Hz returns a frequency of n hertz.
func Hz(n uint64) Freq { return Freq{Num: n, Den: 1} }

// Cycles returns the duration of n cycles, n·10¹²·Den/Num rounded down,
// computed in 128 bits: never n times a rounded period. It panics when the
// result does not fit.
func (f Freq) Cycles(n uint64) Duration {
	hi, lo := bits.Mul64(n, psPerSecond*f.Den)
	if hi >= f.Num {
		panic(fmt.Sprintf("sim: %d cycles at %d/%d Hz exceed the range of time", n, f.Num, f.Den))
	}
	q, _ := bits.Div64(hi, lo, f.Num)
	return Duration(q)
}

// Ticks returns how many whole cycles fit into t.
func (f Freq) Ticks(t Time) uint64 {
	hi, lo := bits.Mul64(uint64(t), f.Num)
	q, _ := bits.Div64(hi, lo, psPerSecond*f.Den)
	return q
}

// Rate is a throughput in bytes per second.
type Rate int64

// MBps returns a rate of mb·10⁶ bytes per second.
func MBps(mb float64) Rate { return Rate(mb * 1e6) }

// Time returns how long n bytes take at the rate, rounded up to a picosecond.
func (r Rate) Time(n int) Duration {
	hi, lo := bits.Mul64(uint64(n), psPerSecond)
	lo, carry := bits.Add64(lo, uint64(r)-1, 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(r))
	return Duration(q)
}
