package trace

// ClockRow is the result of one synchronization round for one node's clock. The
// offset is the node's clock less the coordinator's.
type ClockRow struct {
	Estimator   string       `col:"estimator" named:"yes" doc:"how offset and rate were found"`
	Round       int64        `col:"round" range:"0.." doc:"round, from 0"`
	Node        int64        `col:"node" range:"0.." doc:"node"`
	TimeNs      int64        `col:"time_ns" unit:"ns" doc:"global time of the round"`
	OffsetNs    float64      `col:"offset_ns" unit:"ns" doc:"node's clock less the coordinator's"`
	RatePPB     Opt[float64] `col:"rate_ppb" unit:"1e-9" doc:"rate of the node's clock less the coordinator's; null before it is known"`
	ResidualNs  Opt[float64] `col:"residual_ns" unit:"ns" doc:"offset less what the rounds before predicted"`
	BoundNs     Opt[float64] `col:"bound_ns" range:"0.." unit:"ns" doc:"reported error bound of a conversion"`
	TrueErrorNs Opt[float64] `col:"true_error_ns" unit:"ns" doc:"offset less the true one, where the true one is known"`
}

// TableName implements Row.
func (ClockRow) TableName() string { return "clock" }
