package hunt

import (
	"errors"
	"fmt"
	"strings"
)

// verdict: a run without faults has the right result. One with faults has it too, or says
// which packets were lost or damaged.
func verdict(o *outcome) error {
	var text string
	if o.err != nil {
		text = o.err.Error()
	}
	switch ending := o.ending(); {
	case strings.Contains(text, "goroutine "):
		return errors.New("the model panicked: " + text)
	case ending == Right || ending == Refused || o.endless: // ends says the last
		return nil
	case ending == Wrong:
		text = o.run.Manifest.Verification
	}
	if !o.spec.Faults.Any() {
		return fmt.Errorf("%v without a fault: %s", o.ending(), text)
	}
	if !named(o, text) {
		return fmt.Errorf("%v without a true cause: %s", o.ending(), text)
	}
	return nil
}

// named reports whether a text names what has happened to packets of the run.
func named(o *outcome, text string) bool {
	if o.cluster == nil {
		return false
	}
	s := o.cluster.Net.Stats()
	lost := s.Dropped + s.ResetLost + s.Detected
	switch {
	case s.Undetected > 0 && strings.Contains(text, "the checksum missed"):
		return true
	case o.cluster.Nodes[0].Layer.Traits().Errors == "Tolerated":
		return strings.Contains(text, "has lost packets, which it does not repair (") || lost > 0 && strings.Contains(text, " has had no answer from node ")
	}
	return strings.Contains(text, "damaged") && s.Detected > 0 || strings.Contains(text, "lost") && lost > 0
}
