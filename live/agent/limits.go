package agent

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/live"
)

// Limits are what an agent lets a session do, whoever has the key.
type Limits struct {
	Rate float64 `json:"most_rate" range:"1..1e6 messages a second"` // that a node sends in an open loop or in bursts
	// Of the whole session, from the key to the end.
	Duration time.Duration // of a session
	Memory   int64         // bytes of records that wait until node 0 takes them, and of a schedule
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

// batches returns how many batches of records may wait, each of mostRecords, so that they take Memory bytes at
// the most. At least one has to. A sending is the larger of the two sorts of records.
func (l Limits) batches() int {
	return int(max(1, l.Memory/(mostRecords*int64(unsafe.Sizeof(live.Sending{})))))
}

// check returns an error that names the limit which a setup would pass. How long round trips take is not known
// before, and what is replayed comes later.
func (l Limits) check(s setup) error {
	// A mirror answers at the rate of the other side, and bounds bursts by itself; below LeastRate it cannot.
	if s.Mirror && l.Rate < live.LeastRate {
		return fmt.Errorf("LogP parameters take %d messages a second, more than the %g that this agent allows (--most-rate)", live.LeastRate, l.Rate)
	}
	switch s.Spec.Pattern {
	// A node answers as fast as it is asked. The session's duration bounds that.
	case live.PingPong:
		return nil
	case live.Replay:
		if need := int64(s.Messages) * int64(unsafe.Sizeof(live.Message{})); need > l.Memory {
			return fmt.Errorf("a schedule of %d messages takes %d bytes, more than the %d that this agent allows (--most-memory)", s.Messages, need, l.Memory)
		}
		return nil
	}
	if s.Spec.Rate > l.Rate {
		return fmt.Errorf("%g messages a second are more than the %g that this agent allows (--most-rate)", s.Spec.Rate, l.Rate)
	}
	return l.lasts(s.Spec.Takes(s.Nodes))
}

// lasts returns an error if messages take longer than a session may.
func (l Limits) lasts(took time.Duration) error {
	if took > l.Duration {
		return fmt.Errorf("messages of %v are longer than the %v that this agent allows (--most-duration)", took.Round(time.Second), l.Duration)
	}
	return nil
}

// checkSchedule returns an error if messages, sorted by time, would pass the limits: more than Rate in any
// second, or longer than Duration.
func (l Limits) checkSchedule(all []live.Message) error {
	// Rate is at least 1; see Validate.
	most := int(l.Rate)
	for i := most; i < len(all); i++ {
		// Of any most+1 messages in a row the last comes a second or more after the first.
		if all[i].At-all[i-most].At < int64(time.Second) {
			return fmt.Errorf("within a second there are more messages than the %g that this agent allows (--most-rate)", l.Rate)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return l.lasts(time.Duration(all[len(all)-1].At))
}
