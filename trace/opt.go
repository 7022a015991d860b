package trace

// Opt is a value that may be missing. The zero Opt is missing; files hold it
// as a null, never as zero or NaN.
type Opt[T any] struct {
	Value T
	OK    bool
}

// Some returns a value that is not missing.
func Some[T any](v T) Opt[T] { return Opt[T]{Value: v, OK: true} }

// Percentile is one percentile of a latency: a value, a value that is only
// known to be a lower bound because it lies in the histogram's top bin, or
// nothing with the reason.
type Percentile struct {
	Ns         Opt[int64] `col:"ns" key:"us" unit:"ns" doc:"value: of a packet if all are traced, else by linear interpolation within its bin"`
	LowerBound bool       `col:"lower_bound" key:"bound,lower" doc:"the value lies in the top bin: the percentile is at least this"`
	UpperBound bool       `col:"upper_bound" key:"bound,upper" doc:"the percentile lies in the lowest bin, which also takes negative latencies, and is at most this"`
	Reason     string     `col:"reason" key:"reason,omit" doc:"why the value is null; empty when it is not"`
}

// NoPercentile returns a missing percentile with its reason.
func NoPercentile(reason string) Percentile { return Percentile{Reason: reason} }
