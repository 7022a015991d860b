package hunt

import (
	"os"
	"path/filepath"

	"github.com/sigview/sigview/experiment"
)

// Case is a run to be tried.
type Case struct {
	Seed     uint64 // random made it of this
	Spec     experiment.RunSpec
	Schedule string // the text of the schedule that goal replays
}

// placed writes the case's schedule, if it has one, into a directory, and returns the
// specification that names it.
func (c *Case) placed(dir string) (experiment.RunSpec, error) {
	s := c.Spec
	if c.Schedule == "" {
		return s, nil
	}
	s.Schedule.File = filepath.Join(dir, scheduleFile)
	return s, os.WriteFile(s.Schedule.File, []byte(c.Schedule), 0o600)
}

const scheduleFile = "schedule.goal"
