package hunt

import (
	"errors"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Ending is how a run ended.
type Ending uint8

// Endings.
const (
	Right   Ending = iota // the program's result is right
	Wrong                 // it is not
	Stopped               // the program could not go on
	Refused               // the specification is not allowed
)

func (e Ending) String() string { return [...]string{"right", "wrong", "stopped", "refused"}[e] }

// outcome is what a run has left.
type outcome struct {
	spec    experiment.RunSpec
	dir     string           // of the run's directories
	run     *trace.Run       // nil if there is an error
	cluster *cluster.Cluster // nil if it was not built
	err     error
	endless bool // stopped because it did not end
	again   func() *outcome
}

func (o *outcome) ending() Ending {
	var field *experiment.FieldError
	switch {
	case errors.As(o.err, &field), o.err != nil && o.cluster == nil:
		return Refused
	case o.err != nil:
		return Stopped
	case !o.run.Manifest.Verified:
		return Wrong
	}
	return Right
}
