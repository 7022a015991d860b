package hunt

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
)

// Finding is a check that a case fails.
type Finding struct {
	Check string // its name
	What  string // what is wrong
}

func (f Finding) String() string { return f.Check + ": " + f.What }

// checks are made of every run. Each returns what is wrong, or nil.
var checks = []struct {
	name string
	find func(*outcome) error
}{
	{"ends", ends},
	{"verdict", verdict},
	{"packets", packets},
	{"nodes", nodes},
	{"kinds", kinds},
	{"pairs", pairs},
	{"traced", traced},
	{"reports", reports},
	{"repeats", repeats},
}

// Run makes the run of a specification, as experiment.Run does.
type Run func(context.Context, experiment.RunSpec, experiment.Watch) (*trace.Run, error)

// Try runs a case and checks it.
func Try(ctx context.Context, c Case, run Run) (ending Ending, found []Finding, err error) {
	dir, err := os.MkdirTemp("", "hunt-")
	if err != nil {
		return Refused, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	spec, err := c.placed(dir)
	if err != nil {
		return Refused, nil, err
	}
	o := made(ctx, spec, run)
	o.dir = dir
	if err := ctx.Err(); err != nil {
		return Refused, nil, err
	}
	o.again = func() *outcome { return made(ctx, spec, run) }
	for _, check := range checks {
		if err := check.find(o); err != nil {
			found = append(found, Finding{check.name, err.Error()})
		}
	}
	return o.ending(), found, ctx.Err()
}

// patience is after how many reports without progress a run counts as endless. A report comes
// after 50,000 events. Reports at which a layer sends again do not count until there are most:
// it may pause for minutes, in which clock rounds go on.
const patience, most = 1000, 20 * patience

// made makes a run.
func made(ctx context.Context, spec experiment.RunSpec, run Run) *outcome {
	o := &outcome{spec: spec}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	reports, all, reached := 0, 0, int64(0)
	o.run, o.err = run(ctx, spec, func(p experiment.Progress) {
		if p.Cluster != nil {
			o.cluster = p.Cluster
		}
		if all++; o.cluster == nil || !o.cluster.Retrying() {
			reports++
		}
		if p.Done > reached {
			reports, reached = 0, p.Done
		}
		if reports > patience || all > most {
			o.endless = true
			stop()
		}
	})
	return o
}

// ends: a run ends, and not with a panic of the model.
func ends(o *outcome) error {
	if o.endless {
		return fmt.Errorf("not after %d reports without progress, or %d while a layer sends again", patience, most)
	}
	return nil
}
