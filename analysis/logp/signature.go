package logp

// Point is one point of a signature: bursts of M messages with a spin of
// DeltaUs after each. Cost is the time per message, spin included: elapsed
// time of the issue phase divided by M, µs.
type Point struct {
	M       int     `json:"m"`
	DeltaUs float64 `json:"delta_us"`
	Cost    Mean    `json:"cost_us"`
}

// Signature is message cost over M for several Δ, one of them 0, and the
// round trip of a single message (Culler et al., section 3). The order of the
// points does not matter.
type Signature struct {
	Points []Point `json:"points"`
	RTT    Mean    `json:"rtt_us"`
}

// Extract finds the regimes of every curve and the parameters. It never fails:
// what the points do not determine is not identifiable, and points that cannot
// be used are counted in a warning.
func (s Signature) Extract() Result { return Result{Params: unknown("not built yet")} }
