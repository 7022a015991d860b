package agent

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/live"
)

// Limits are what an agent lets a session do.
type Limits struct {
	Rate     float64       `json:"most_rate" range:"1..1e6 messages a second"` // that a node sends in an open loop
	Duration time.Duration // of a session
	Memory   int64         // bytes of records that wait until node 0 takes them
}

// Validate returns an error that names the first limit that is wrong.
func (l Limits) Validate() error {
	if l.Duration <= 0 {
		return bounds.Wrong("most_duration", l.Duration, "a time above 0")
	}
	return bounds.Check("", &l)
}

// DefaultLimits are those of an agent unless the user says otherwise.
func DefaultLimits() Limits { return Limits{Rate: 100_000, Duration: time.Hour, Memory: 64 << 20} }

// batches is how many batches of records may wait. At least one has to.
func (l Limits) batches() int {
	return int(max(1, l.Memory/(mostRecords*int64(unsafe.Sizeof(live.Sending{})))))
}

// check refuses what would pass the limits. How long round trips take is not known before.
func (l Limits) check(s live.Setup) error {
	if s.Spec.Pattern == live.PingPong {
		return nil
	}
	if s.Spec.Rate > l.Rate {
		return fmt.Errorf("%g messages a second are more than the %g that this agent allows (--most-rate)", s.Spec.Rate, l.Rate)
	}
	if took := s.Spec.Takes(s.Nodes); took > l.Duration {
		return fmt.Errorf("messages of %v are longer than the %v that this agent allows (--most-duration)", took.Round(time.Second), l.Duration)
	}
	return nil
}
