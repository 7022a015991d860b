package trace

import (
	"cmp"

	"fmt"
)

// ClockRow is the result of one synchronization round for one node's clock. The
// offset is the node's clock less the coordinator's.
type ClockRow struct {
	Estimator   string       `col:"estimator" doc:"how offset and rate were found"`
	Round       int64        `col:"round" doc:"round, from 0"`
	Node        int64        `col:"node" doc:"node"`
	TimeNs      int64        `col:"time_ns" unit:"ns" doc:"global time of the round"`
	OffsetNs    float64      `col:"offset_ns" unit:"ns" doc:"node's clock less the coordinator's"`
	RatePPB     Opt[float64] `col:"rate_ppb" unit:"1e-9" doc:"rate of the node's clock less the coordinator's; null before it is known"`
	ResidualNs  Opt[float64] `col:"residual_ns" unit:"ns" doc:"offset less what the rounds before predicted"`
	BoundNs     Opt[float64] `col:"bound_ns" unit:"ns" doc:"reported error bound of a conversion"`
	TrueErrorNs Opt[float64] `col:"true_error_ns" unit:"ns" doc:"offset less the true one, where the true one is known"`
}

// TableName implements Row.
func (ClockRow) TableName() string { return "clock" }

// Check implements Row.
func (r ClockRow) Check() error {
	switch {
	case r.Estimator == "":
		return fmt.Errorf("estimator: empty, wanted its name")
	case r.Round < 0:
		return fmt.Errorf("round: %d, wanted 0 or more", r.Round)
	case r.Node < 0:
		return fmt.Errorf("node: %d, wanted 0 or more", r.Node)
	case r.BoundNs.OK && r.BoundNs.Value < 0:
		return fmt.Errorf("bound_ns: %v, wanted 0 or more", r.BoundNs.Value)
	}
	return cmp.Or(
		finite("offset_ns", r.OffsetNs),
		finite("rate_ppb", r.RatePPB.Value),
		finite("residual_ns", r.ResidualNs.Value),
		finite("bound_ns", r.BoundNs.Value),
		finite("true_error_ns", r.TrueErrorNs.Value))
}
